//! Writing archives.

use super::draft::{Draft, DraftKind, reason};
use crate::exchange::Wanted;
use std::io::{self, Write};
use tsugi_page::{Response, Url};

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
/// use tsugi_fetch::{Archive, ArchiveWriter, Fetch};
/// use tsugi_page::Response;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("pages.warc.gz");
/// let url: tsugi_page::Url = "https://a.test/1".parse().unwrap();
/// let page = Response { url: url.clone(), status: 200, content_type: None, link: None, body: b"<p>One".to_vec() };
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
    /// Starts an archive. Wrap a slow writer in a [`std::io::BufWriter`].
    pub fn new(to: W) -> ArchiveWriter<W> {
        ArchiveWriter { to }
    }

    /// Adds a response, fetched at `date` (`2026-01-02T03:04:05Z`; fractions of a second may follow).
    ///
    /// Of the HTTP head, the status, `Content-Type`, `Link` and `Content-Length` are written. The body is written decompressed.
    ///
    /// # Errors
    ///
    /// Any error of writing, and [`io::ErrorKind::InvalidInput`] for a date of another form.
    pub fn write(&mut self, response: &Response, date: &str) -> io::Result<()> {
        let mut block = format!("HTTP/1.1 {} {}\r\n", response.status, reason(response.status)).into_bytes();
        for (name, value) in [("Content-Type", &response.content_type), ("Link", &response.link)] {
            let Some(value) = value else { continue };
            let clean: String = value.chars().filter(|c| !c.is_control()).collect();
            block.extend_from_slice(format!("{name}: {clean}\r\n").as_bytes());
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
        Draft::new(DraftKind::Response, Some(url), Wanted::Page, date, block)?.write_compressed(&mut self.to)
    }

    /// Adds a page as a browser drew it: 0 as it opened, a higher number after going on in it so many times. `url` is the
    /// address that was asked for; that of the page may be another. [`Archive::drawn`](crate::Archive::drawn) reads it.
    ///
    /// # Errors
    ///
    /// As [`ArchiveWriter::write`].
    pub fn write_drawn(&mut self, url: &Url, number: u16, page: &Response, date: &str) -> io::Result<()> {
        let draft = Draft::new(DraftKind::Conversion, Some(url), Wanted::Drawn(number), date, &page.body)?;
        draft.located(&page.url).write_compressed(&mut self.to)
    }

    /// Flushes the archive and returns the writer.
    ///
    /// # Errors
    ///
    /// The error of flushing.
    pub fn finish(mut self) -> io::Result<W> {
        self.to.flush()?;
        Ok(self.to)
    }
}
