//! Heads: a first line and headers, of WARC records and of the HTTP responses in them.

use std::io::{self, BufRead, Read};

pub(crate) const MAX_HEAD: usize = 256 << 10;

#[derive(Debug, Default)]
pub(crate) struct HeaderBlock {
    pub(crate) first: String,
    headers: Vec<(String, String)>,
}

#[derive(Debug)]
pub(crate) enum HeadError {
    End,
    TooLong,
    Io(io::Error),
}

impl HeaderBlock {
    /// Reads up to and with the empty line. Lines may end in LF alone, and a line that starts with white
    /// space goes on with the header before it. Lines without a colon are passed over, as browsers do.
    pub(crate) fn read(from: &mut impl BufRead) -> Result<HeaderBlock, HeadError> {
        let mut left = MAX_HEAD;
        let mut head = HeaderBlock { first: line(from, &mut left)?, headers: Vec::new() };
        loop {
            let line = line(from, &mut left)?;
            if line.is_empty() {
                return Ok(head);
            }
            if line.starts_with([' ', '\t']) {
                if let Some((_, value)) = head.headers.last_mut() {
                    if !value.is_empty() {
                        value.push(' ');
                    }
                    value.push_str(line.trim());
                }
            } else if let Some((name, value)) = line.split_once(':') {
                head.headers.push((name.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.headers.iter().filter(move |(held, _)| held == name).map(|(_, value)| value.as_str())
    }
}

/// Reads one line without its end; bytes that are not UTF-8 become U+FFFD.
fn line(from: &mut impl BufRead, left: &mut usize) -> Result<String, HeadError> {
    let mut bytes = Vec::new();
    let limit = *left as u64;
    let read = from.by_ref().take(limit).read_until(b'\n', &mut bytes).map_err(HeadError::Io)?;
    *left -= read;
    if bytes.pop() != Some(b'\n') {
        return Err(if *left == 0 { HeadError::TooLong } else { HeadError::End });
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[derive(Debug)]
pub(crate) struct HttpHead {
    pub(crate) status: u16,
    pub(crate) content_type: Option<String>,
    /// The `Link` headers, joined by commas.
    pub(crate) link: Option<String>,
    pub(crate) location: Option<String>,
    pub(crate) last_modified: Option<String>,
    /// The `Content-Encoding`s in the order in which they were applied, separated by commas; empty if there is none.
    pub(crate) codings: String,
    pub(crate) chunked: bool,
}

impl HttpHead {
    pub(crate) fn of_type(content_type: Option<&str>) -> HttpHead {
        HttpHead {
            status: 200,
            content_type: content_type.map(str::to_owned),
            link: None,
            location: None,
            last_modified: None,
            codings: String::new(),
            chunked: false,
        }
    }

    /// Reads the head of a stored response; the error is its first line. A head without an empty line after
    /// it is all head: the body is empty.
    pub(crate) fn read(from: &mut &[u8]) -> Result<HttpHead, String> {
        let start = |bytes: &[u8]| {
            let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len()).min(60);
            String::from_utf8_lossy(&bytes[..end]).trim().to_owned()
        };
        let whole = *from;
        if !whole.starts_with(b"HTTP/") {
            return Err(start(whole));
        }
        let head = match HeaderBlock::read(from) {
            Ok(head) => head,
            Err(HeadError::End) => {
                *from = &[];
                let mut closed: Vec<u8> = whole.to_vec();
                closed.extend_from_slice(b"\n\n");
                HeaderBlock::read(&mut closed.as_slice()).map_err(|_| start(whole))?
            }
            Err(HeadError::TooLong | HeadError::Io(_)) => return Err(start(whole)),
        };
        let status = head.first.split_ascii_whitespace().nth(1).and_then(|status| status.parse().ok());
        let status = status.ok_or_else(|| start(whole))?;
        let owned = |name: &str| head.get(name).map(str::to_owned);
        let chunked = head.get("transfer-encoding").is_some_and(|value| {
            value.to_ascii_lowercase().split(',').any(|coding| coding.trim() == "chunked")
        });
        Ok(HttpHead {
            status,
            content_type: owned("content-type"),
            link: Some(head.all("link").collect::<Vec<_>>().join(", ")).filter(|link| !link.is_empty()),
            location: owned("location"),
            last_modified: owned("last-modified"),
            codings: head.all("content-encoding").collect::<Vec<_>>().join(","),
            chunked,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_as_they_come() {
        let mut bytes = &b"WARC/1.0\r\nA:\r\n\tb\nC-d:e\r\n f\r\nno colon\r\na: late\r\n\r\nbody"[..];
        let head = HeaderBlock::read(&mut bytes).unwrap();
        assert_eq!(
            (head.first.as_str(), head.get("a"), head.get("c-d")),
            ("WARC/1.0", Some("b"), Some("e f"))
        );
        assert_eq!(bytes, b"body");
        assert!(matches!(HeaderBlock::read(&mut &b"WARC/1.0\r\nA: b\r\n"[..]), Err(HeadError::End)));
        let endless = vec![b'x'; MAX_HEAD + 1];
        assert!(matches!(HeaderBlock::read(&mut endless.as_slice()), Err(HeadError::TooLong)));
    }

    #[test]
    fn link_headers_are_joined() {
        let mut bytes =
            &b"HTTP/1.1 200 OK\r\nLink: </2>; rel=next\r\nlink: </x.css>; rel=preload\r\n\r\n"[..];
        let head = HttpHead::read(&mut bytes).unwrap();
        assert_eq!(head.link.as_deref(), Some("</2>; rel=next, </x.css>; rel=preload"));
    }

    #[test]
    fn http_heads_are_read() {
        let mut bytes =
            &b"HTTP/1.1 301 Moved\r\nLocation: /x\r\nTransfer-Encoding: gzip, Chunked\r\ncontent-encoding: a\nContent-Encoding: b\r\n\r\nb"[..];
        let head = HttpHead::read(&mut bytes).unwrap();
        assert_eq!((head.status, head.location.as_deref(), head.chunked), (301, Some("/x"), true));
        assert_eq!(head.codings, "a,b");
        assert_eq!(bytes, b"b");
        let mut bytes = &b"HTTP/2 200\r\nContent-Type: text/html"[..];
        let head = HttpHead::read(&mut bytes).unwrap();
        assert_eq!((head.status, head.content_type.as_deref(), bytes), (200, Some("text/html"), &b""[..]));
        for bad in ["", "<html>", "HTTP/1.1 ok\r\n\r\n", "HTTP/1.1\r\n\r\n"] {
            assert_eq!(HttpHead::read(&mut bad.as_bytes()).unwrap_err(), bad.trim(), "{bad}");
        }
    }
}
