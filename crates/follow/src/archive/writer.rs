//! Writing archives.

use crate::fetch::Response;
use flate2::{Compression, write::GzEncoder};
use sha1::{Digest, Sha1};
use std::io::{self, Write};
use tsugi_page::Url;

/// Writes a WARC 1.1 archive: `response` records, one gzip member each, with digests.
///
/// # Determinism
///
/// Equal responses and dates give equal bytes: the date is an argument, and record ids are made from what the
/// record holds.
///
/// # Examples
///
/// ```
/// use tsugi_follow::{Archive, ArchiveWriter, Fetch, Response};
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("pages.warc.gz");
/// let url: tsugi_page::Url = "https://a.test/1".parse().unwrap();
/// let page = Response { url: url.clone(), status: 200, content_type: None, body: b"<p>One".to_vec() };
/// let mut writer = ArchiveWriter::new(std::fs::File::create(&path)?);
/// writer.write(&page, "2026-01-02T03:04:05Z")?;
/// writer.finish()?;
/// assert_eq!(Archive::open(&path).unwrap().fetch(&url).unwrap(), page);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ArchiveWriter<W: Write> {
    to: W,
}

impl<W: Write> ArchiveWriter<W> {
    /// Starts an archive; put a [`std::io::BufWriter`] around what is slow.
    pub fn new(to: W) -> ArchiveWriter<W> {
        ArchiveWriter { to }
    }

    /// Adds a response, fetched at `date` (`2026-01-02T03:04:05Z`; fractions of a second may follow).
    ///
    /// Of the HTTP head status, `Content-Type` and `Content-Length` are written, and the body as it is held:
    /// unpacked.
    ///
    /// # Errors
    ///
    /// What writing says, and [`io::ErrorKind::InvalidInput`] for a date of another form.
    pub fn write(&mut self, response: &Response, date: &str) -> io::Result<()> {
        let mut block = format!("HTTP/1.1 {} {}\r\n", response.status, reason(response.status)).into_bytes();
        if let Some(content_type) = &response.content_type {
            let clean: String = content_type.chars().filter(|c| !c.is_control()).collect();
            block.extend_from_slice(format!("Content-Type: {clean}\r\n").as_bytes());
        }
        block.extend_from_slice(format!("Content-Length: {}\r\n\r\n", response.body.len()).as_bytes());
        block.extend_from_slice(&response.body);
        self.write_block(&response.url, date, &block)
    }

    /// Adds a response as it was served: `block` is the HTTP head and the body, byte for byte.
    ///
    /// # Errors
    ///
    /// As [`ArchiveWriter::write`].
    pub fn write_block(&mut self, url: &Url, date: &str, block: &[u8]) -> io::Result<()> {
        if !is_date(date) {
            let message = format!("date is `{date}`, expected the form `2026-01-02T03:04:05Z`");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let body_at =
            block.windows(4).position(|window| window == b"\r\n\r\n").map_or(block.len(), |at| at + 4);
        let (payload, whole) = (digest(&block[body_at..]), digest(block));
        let id = Sha1::new().chain_update(url.as_str()).chain_update(date).chain_update(&whole).finalize();
        let head = format!(
            "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{}>\r\nWARC-Target-URI: {url}\r\n\
             WARC-Date: {date}\r\nWARC-Payload-Digest: sha1:{payload}\r\nWARC-Block-Digest: sha1:{whole}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
            uuid(&id),
            block.len()
        );
        let mut member = GzEncoder::new(&mut self.to, Compression::default());
        member.write_all(head.as_bytes())?;
        member.write_all(block)?;
        member.write_all(b"\r\n\r\n")?;
        member.finish()?;
        Ok(())
    }

    /// Flushes what was written and hands back where it went.
    ///
    /// # Errors
    ///
    /// What flushing says.
    pub fn finish(mut self) -> io::Result<W> {
        self.to.flush()?;
        Ok(self.to)
    }
}

/// Says whether a text has the form of WARC-Date: `YYYY-MM-DDThh:mm:ss[.fraction]Z`.
fn is_date(date: &str) -> bool {
    let Some(date) = date.strip_suffix('Z') else { return false };
    let (whole, fraction) = date.split_once('.').unwrap_or((date, "0"));
    let form = "dddd-dd-ddTdd:dd:dd";
    whole.len() == form.len()
        && whole
            .bytes()
            .zip(form.bytes())
            .all(|(byte, form)| if form == b'd' { byte.is_ascii_digit() } else { byte == form })
        && (1..=9).contains(&fraction.len())
        && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

/// SHA-1 in base 32, as archives write it (RFC 4648, section 6).
fn digest(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let (mut text, mut bits, mut held) = (String::new(), 0_u32, 0);
    // 160 bits are 32 letters of 5 bits: nothing is left over.
    for byte in Sha1::digest(bytes) {
        bits = (bits << 8) | u32::from(byte);
        held += 8;
        while held >= 5 {
            held -= 5;
            text.push(char::from(LETTERS[(bits >> held & 31) as usize]));
        }
    }
    text
}

/// Formats a digest as a UUID made from a name (RFC 9562, version 5).
fn uuid(digest: &[u8]) -> String {
    let mut text = String::new();
    for (index, byte) in digest.iter().take(16).enumerate() {
        let byte = match index {
            6 => byte & 0x0f | 0x50,
            8 => byte & 0x3f | 0x80,
            _ => *byte,
        };
        if matches!(index, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        for half in [byte >> 4, byte & 0x0f] {
            text.push(char::from(b"0123456789abcdef"[usize::from(half)]));
        }
    }
    text
}

/// What a status means, for those who read archives by eye.
fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        404 => "Not Found",
        _ => "Status",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_written_as_in_archives() {
        // The digest of nothing, as web archives are full of it.
        assert_eq!(digest(b""), "3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
        assert_eq!(uuid(&[0xff; 20]), "ffffffff-ffff-5fff-bfff-ffffffffffff");
    }

    #[test]
    fn dates_of_another_form_are_refused() {
        assert!(is_date("2026-01-02T03:04:05Z") && is_date("2026-01-02T03:04:05.123456Z"));
        for bad in
            ["", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05\r\nZ"]
        {
            assert!(!is_date(bad), "{bad}");
        }
    }
}
