//! Archives as they are in a file.

/// An archive that is not compressed, and where its records start.
#[derive(Default)]
pub struct Warc {
    pub bytes: Vec<u8>,
    pub offsets: Vec<usize>,
}

impl Warc {
    /// Adds a record of a type; `fields` are further fields of its head.
    pub fn entry(mut self, kind: &str, url: &str, fields: &[&str], block: impl AsRef<[u8]>) -> Warc {
        let block = block.as_ref();
        let (id, length) = (self.offsets.len(), block.len());
        let fields: String = fields.iter().flat_map(|field| [field, "\r\n"]).collect();
        let head = format!(
            "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{id:012}>\r\n\
             WARC-Target-URI: {url}\r\n{fields}Content-Length: {length}\r\n\r\n"
        );
        self.offsets.push(self.bytes.len());
        for part in [head.as_bytes(), block, b"\r\n\r\n"] {
            self.bytes.extend_from_slice(part);
        }
        self
    }

    /// Adds an answer: status line and headers, and the body; `date` is the time of the capture.
    pub fn capture(self, url: &str, date: &str, head: &str, body: impl AsRef<[u8]>) -> Warc {
        let body = body.as_ref();
        let head = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\n\r\n", body.len());
        let date = format!("WARC-Date: {date}");
        let fields = [&*date, "Content-Type: application/http;msgtype=response"];
        self.entry("response", url, &fields, [head.as_bytes(), body].concat())
    }

    pub fn record(self, url: &str, head: &str, body: impl AsRef<[u8]>) -> Warc {
        self.capture(url, "2024-01-01T00:00:00Z", head, body)
    }

    pub fn page(self, url: &str, html: impl AsRef<[u8]>) -> Warc {
        self.record(url, "200 OK\r\nContent-Type: text/html; charset=utf-8", html)
    }
}
