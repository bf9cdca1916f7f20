//! One record: its head, its block, and where it ends.

use super::head::{Head, HeadError, HttpHead, MAX_HEAD};
use super::stream::{Stream, WARC};
use super::{Flaw, MAX_RECORD};
use crate::body::{self, BodyError};
use crate::fetch::{FetchError, Response, check_head};
use std::io::{self, BufRead, Read};
use tsugi_page::{Url, address};

/// A stored HTTP response, not yet unpacked.
#[derive(Debug)]
pub(crate) struct Stored {
    /// The address as the archive writes it.
    pub(crate) target: String,
    pub(crate) url: Url,
    pub(crate) http: HttpHead,
    /// The body as it travelled.
    body: Vec<u8>,
}

impl Stored {
    /// Unpacks the body and checks that it is a page.
    pub(crate) fn into_response(self) -> Result<Response, FetchError> {
        let Stored { url, http, body, .. } = self;
        check_head(&url, http.status, http.content_type.as_deref())?;
        let body = if http.chunked { body::join_chunks(&body) } else { body };
        let body = if http.codings.is_empty() {
            body
        } else {
            match body::read(&body[..], &http.codings, MAX_RECORD) {
                Ok(body) => body,
                Err(BodyError::TooLarge) => return Err(FetchError::TooLarge { url, limit: MAX_RECORD }),
                Err(BodyError::Coding(coding)) => return Err(FetchError::Coding { url, coding }),
                Err(BodyError::Io(_)) => return Err(FetchError::Coding { url, coding: http.codings }),
            }
        };
        Response { url, status: http.status, content_type: http.content_type, body }.checked()
    }
}

/// Why there is no record.
#[derive(Debug)]
pub(crate) enum Failure {
    /// This record is no use; the next one follows it.
    Record(Flaw),
    /// Where the record ends is not known.
    Lost(Flaw),
}

/// Reads the record that starts here; `None` if it is no response of a web address. Of its block no more than
/// `keep` bytes are kept.
pub(crate) fn read(stream: &mut Stream, keep: u64) -> Result<Option<Stored>, Failure> {
    let head = Head::read(stream).map_err(|error| Failure::Lost(head_flaw(error, stream.is_member())))?;
    if !head.first.as_bytes().starts_with(WARC) {
        return Err(Failure::Lost(Flaw::NotARecord));
    }
    let declared = head.get("content-length").unwrap_or_default();
    let Ok(length) = declared.parse::<u64>() else {
        let (value, expected) = (shortened(declared), "a number of bytes");
        return Err(Failure::Lost(Flaw::Header { name: "Content-Length", value, expected }));
    };
    let is_response = head.get("warc-type").is_some_and(|kind| kind.eq_ignore_ascii_case("response"));
    let too_long = is_response && length > MAX_RECORD;
    let kept = if is_response && !too_long { length.min(keep) } else { 0 };

    let mut block = Vec::new();
    let skipped = stream
        .by_ref()
        .take(kept)
        .read_to_end(&mut block)
        .and_then(|_| io::copy(&mut stream.by_ref().take(length - kept), &mut io::sink()))
        .map_err(|error| Failure::Lost(io_flaw(&error)))?;
    if block.len() as u64 + skipped < length {
        return Err(Failure::Lost(match stream {
            _ if too_long => Flaw::TooLong { length },
            Stream::Plain(_) => Flaw::CutOff,
            Stream::Member(_) => Flaw::Length { declared: length },
        }));
    }
    let line_ends = skip_line_ends(stream).map_err(|error| Failure::Lost(io_flaw(&error)))?;
    // Two line ends close a record. Some writers leave them out; then another record, another member, or
    // nothing follows.
    let next = stream.fill_buf().map_err(|error| Failure::Lost(io_flaw(&error)))?.first();
    if line_ends < 4 && next.is_some_and(|byte| *byte != WARC[0] && *byte != 0x1f) {
        return Err(Failure::Lost(Flaw::Length { declared: length }));
    }
    if too_long {
        return Err(Failure::Record(Flaw::TooLong { length }));
    }
    if !is_response {
        return Ok(None);
    }
    let Some((target, url)) = target(&head).map_err(Failure::Record)? else { return Ok(None) };
    let mut rest = block.as_slice();
    let http = HttpHead::read(&mut rest).map_err(|start| Failure::Record(Flaw::NotHttp { start }))?;
    let head_length = block.len() - rest.len();
    block.drain(..head_length);
    Ok(Some(Stored { target, url, http, body: block }))
}

/// The address of a response, as written and parsed; `None` if it is none of the web (`dns:`, `urn:`).
fn target(head: &Head) -> Result<Option<(String, Url)>, Flaw> {
    let value = head.get("warc-target-uri").unwrap_or_default();
    let bare = value.strip_prefix('<').and_then(|value| value.strip_suffix('>')).unwrap_or(value);
    match bare.parse::<Url>() {
        Ok(url) => Ok(address::is_web(&url).then(|| (bare.to_owned(), address::without_fragment(&url)))),
        Err(_) => Err(Flaw::Header {
            name: "WARC-Target-URI",
            value: shortened(value),
            expected: "an absolute address",
        }),
    }
}

/// Moves past CR and LF; returns how many there were.
pub(crate) fn skip_line_ends(from: &mut impl BufRead) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let buffer = from.fill_buf()?;
        let length = buffer.len();
        let ends = buffer.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        from.consume(ends);
        skipped += ends as u64;
        if ends < length || length == 0 {
            return Ok(skipped);
        }
    }
}

fn head_flaw(error: HeadError, in_member: bool) -> Flaw {
    match error {
        // A member that ends well, but inside a head, never held one.
        HeadError::End if in_member => Flaw::NotARecord,
        HeadError::End => Flaw::CutOff,
        HeadError::TooLong => Flaw::LongHead { limit: MAX_HEAD },
        HeadError::Io(error) => io_flaw(&error),
    }
}

pub(crate) fn io_flaw(error: &io::Error) -> Flaw {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Flaw::CutOff,
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => Flaw::Gzip(error.to_string()),
        _ => Flaw::Unreadable(error.to_string()),
    }
}

fn shortened(value: &str) -> String {
    value.chars().take(80).collect()
}
