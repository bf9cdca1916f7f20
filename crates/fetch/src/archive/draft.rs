//! Building a record: its head, its digests, its name.

use super::digest;
use crate::exchange::Wanted;
use data_encoding::HEXLOWER;
use flate2::{Compression, write::GzEncoder};
use sha1::{Digest, Sha1};
use std::io::{self, Write};
use tsugi_page::Url;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DraftKind {
    Response,
    /// A page as a browser drew it.
    Conversion,
    Metadata,
    Info,
}

/// The field that says what a record is to a page that shows it, and its value for images.
// Not in WARC 1.1, which lets fields be added (section 4); Browsertrix and its kin write it, with the types of Chrome
// `DevTools`.
pub(crate) const RESOURCE_TYPE: &str = "WARC-Resource-Type";
pub(crate) const IMAGE: &str = "image";
/// What a browser draws a page of.
pub(crate) const PART: &str = "other";
/// A page as a browser drew it; `drawn-2` after going on in it twice.
pub(crate) const DRAWN: &str = "drawn";
/// The field that says which address a drawn page has, if scripts changed it.
pub(crate) const CONTENT_LOCATION: &str = "Content-Location";

/// The type of drawn pages, which are written as text.
pub(crate) const DRAWN_TYPE: &str = "text/html; charset=utf-8";

#[derive(Debug)]
pub(crate) struct Draft<'a> {
    head: String,
    block: &'a [u8],
}

impl<'a> Draft<'a> {
    pub(crate) fn new(
        kind: DraftKind,
        target: Option<&Url>,
        wanted: Wanted,
        date: &str,
        block: &'a [u8],
    ) -> io::Result<Draft<'a>> {
        if !is_date(date) {
            let message = format!("date is `{date}`, expected the form `2026-01-02T03:04:05Z`");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let (name, media) = match kind {
            DraftKind::Response => ("response", "application/http; msgtype=response"),
            DraftKind::Conversion => ("conversion", DRAWN_TYPE),
            DraftKind::Metadata => ("metadata", "application/warc-fields"),
            DraftKind::Info => ("warcinfo", "application/warc-fields"),
        };
        let whole = digest::sha1(block);
        let about = target.map_or("", Url::as_str);
        let id = Sha1::new().chain_update(about).chain_update(date).chain_update(&whole).finalize();
        let target = target.map_or_else(String::new, |url| format!("WARC-Target-URI: {url}\r\n"));
        let resource = match wanted {
            Wanted::Image => format!("{RESOURCE_TYPE}: {IMAGE}\r\n"),
            Wanted::File => format!("{RESOURCE_TYPE}: {PART}\r\n"),
            Wanted::Drawn(0) => format!("{RESOURCE_TYPE}: {DRAWN}\r\n"),
            Wanted::Drawn(number) => format!("{RESOURCE_TYPE}: {DRAWN}-{number}\r\n"),
            Wanted::Page | Wanted::Robots => String::new(),
        };
        let payload = if kind == DraftKind::Response {
            let body_at = block.windows(4).position(|window| window == b"\r\n\r\n");
            let body = &block[body_at.map_or(block.len(), |at| at + 4)..];
            format!("WARC-Payload-Digest: sha1:{}\r\n", digest::sha1(body))
        } else {
            String::new()
        };
        let head = format!(
            "WARC/1.1\r\nWARC-Type: {name}\r\nWARC-Record-ID: <urn:uuid:{}>\r\n{target}{resource}WARC-Date: {date}\r\n\
             {payload}WARC-Block-Digest: sha1:{whole}\r\nContent-Type: {media}\r\nContent-Length: {}\r\n\r\n",
            uuid(&id.into()),
            block.len()
        );
        Ok(Draft { head, block })
    }

    /// Says which address the page has.
    pub(crate) fn located(mut self, at: &Url) -> Draft<'a> {
        let end = self.head.len() - "\r\n".len();
        self.head.insert_str(end, &format!("{CONTENT_LOCATION}: {at}\r\n"));
        self
    }

    pub(crate) fn write_plain(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(self.head.as_bytes())?;
        to.write_all(self.block)?;
        to.write_all(b"\r\n\r\n")
    }

    pub(crate) fn write_compressed(&self, to: &mut impl Write) -> io::Result<()> {
        let mut member = GzEncoder::new(to, Compression::default());
        self.write_plain(&mut member)?;
        member.finish()?;
        Ok(())
    }
}

/// Returns `true` if a text has the form of WARC-Date: `YYYY-MM-DDThh:mm:ss[.fraction]Z`.
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

/// Formats a digest as a UUID made from a name (RFC 9562, version 5).
fn uuid(digest: &[u8; 20]) -> String {
    let mut bytes = *digest;
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let parts = [&bytes[..4], &bytes[4..6], &bytes[6..8], &bytes[8..10], &bytes[10..16]];
    parts.map(|part| HEXLOWER.encode(part)).join("-")
}

pub(crate) fn reason(status: u16) -> &'static str {
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
    fn names_are_uuids() {
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
