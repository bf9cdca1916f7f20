//! One record: its head, its block, and where it ends.

use super::draft::{IMAGE, RESOURCE_TYPE};
use super::error::{Flaw, MAX_RECORD};
use super::head::{Head, HeadError, HttpHead, MAX_HEAD};
use super::stream::{Stream, WARC};
use crate::body::{self, BodyError};
use crate::error::{FetchError, chain};
use crate::exchange::Wanted;
use crate::media::{check_head, check_image_head, checked_image, checked_page, looks_like_page};
use std::io::{self, BufRead, Read};
use tsugi_page::image::image_type;
use tsugi_page::{Response, Url, address};

/// A record about a web address.
#[derive(Debug)]
pub(crate) enum HeldRecord {
    /// Its answer.
    Response(Stored),
    /// Why it could not be fetched.
    Failure(Refusal),
    /// The same answer as before.
    Revisit(Revisit),
}

impl HeldRecord {
    /// Reads the start of a response's block, enough for an index; the error is its first line if that is not an HTTP
    /// head.
    pub(crate) fn of_block(url: &Url, wanted: Wanted, block: &[u8]) -> Result<HeldRecord, String> {
        let mut rest = &block[..block.len().min(MAX_HEAD)];
        let http = HttpHead::read(&mut rest)?;
        let (target, body) = (url.as_str().to_owned(), rest.to_vec());
        let about = About::default();
        Ok(HeldRecord::Response(Stored { target, url: url.clone(), wanted, http, body, about }))
    }

    pub(crate) fn url(&self) -> &Url {
        match self {
            HeldRecord::Response(stored) => &stored.url,
            HeldRecord::Failure(refusal) => &refusal.url,
            HeldRecord::Revisit(revisit) => &revisit.url,
        }
    }

    /// Returns what was requested. Archives by other programs do not say, and count as requests for pages.
    pub(crate) fn wanted(&self) -> Wanted {
        match self {
            HeldRecord::Response(stored) => stored.wanted,
            HeldRecord::Failure(refusal) => refusal.wanted,
            HeldRecord::Revisit(_) => Wanted::Page,
        }
    }
}

/// A recorded failure; see [`super::Store`] for how it is written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) url: Url,
    pub(crate) wanted: Wanted,
    pub(crate) word: String,
    pub(crate) message: String,
}

/// The fields of a recorded failure: its [`FetchError::word`] and its message.
pub(crate) const FAILURE_FIELDS: [&str; 2] = ["fetchFailure", "fetchMessage"];

impl Refusal {
    /// Returns what is recorded of an error.
    pub(crate) fn of(url: &Url, wanted: Wanted, error: &FetchError) -> Refusal {
        let (word, message) = (one_line(error.word()), one_line(&chain(error)));
        Refusal { url: address::without_fragment(url), wanted, word, message }
    }

    /// Reads the fields of a metadata record; `None` if it does not record a failure.
    fn read(url: Url, wanted: Wanted, block: &[u8]) -> Option<Refusal> {
        let text = String::from_utf8_lossy(block);
        let field = |name: &str| {
            let mut lines = text.lines().filter_map(|line| line.split_once(':'));
            lines
                .find(|(held, _)| held.trim().eq_ignore_ascii_case(name))
                .map(|(_, value)| value.trim().to_owned())
        };
        let [word, message] = FAILURE_FIELDS.map(field);
        Some(Refusal { url, wanted, word: word?, message: message? })
    }
}

/// Returns a text as one line; control characters and line ends become spaces.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}

/// The head of a record, besides the address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct About {
    /// The time of the request: `WARC-Date`.
    pub(crate) date: Option<String>,
    /// The digest of the body: `WARC-Payload-Digest`.
    pub(crate) digest: Option<String>,
}

impl About {
    fn read(head: &Head) -> About {
        let owned = |name| head.get(name).map(str::to_owned);
        About { date: owned("warc-date"), digest: owned("warc-payload-digest") }
    }
}

/// A record of an answer equal to an earlier one.
///
/// # Source
///
/// WARC 1.1, section 6.7 and its profiles “identical payload digest” and “server not modified”.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Revisit {
    pub(crate) target: String,
    pub(crate) url: Url,
    pub(crate) about: About,
    /// The address and the time of the record with the body, if given.
    pub(crate) refers_to: (Option<Url>, Option<String>),
    /// `Last-Modified` of the answer, if its head was kept.
    pub(crate) last_modified: Option<String>,
}

impl Revisit {
    fn read(head: &Head, target: String, url: Url, mut block: &[u8]) -> Revisit {
        let refers_to_url = head.get("warc-refers-to-target-uri");
        let bare = |url: &str| url.trim_start_matches('<').trim_end_matches('>').parse().ok();
        let http = HttpHead::read(&mut block).ok();
        Revisit {
            target,
            url,
            about: About::read(head),
            refers_to: (
                refers_to_url.and_then(bare).map(|url| address::without_fragment(&url)),
                head.get("warc-refers-to-date").map(str::to_owned),
            ),
            last_modified: http.and_then(|http| http.last_modified),
        }
    }
}

/// A stored HTTP response, not yet unpacked.
#[derive(Debug)]
pub(crate) struct Stored {
    /// The address as the archive writes it.
    pub(crate) target: String,
    pub(crate) url: Url,
    pub(crate) wanted: Wanted,
    pub(crate) http: HttpHead,
    pub(crate) about: About,
    /// The body as sent.
    body: Vec<u8>,
}

impl Stored {
    #[cfg(test)]
    pub(crate) fn new(target: &str, url: Url, http: HttpHead, body: Vec<u8>) -> Stored {
        let (target, about) = (target.to_owned(), About::default());
        Stored { target, url, wanted: Wanted::Page, http, about, body }
    }

    /// Returns the length of the body as sent, in bytes.
    pub(crate) fn body_length(&self) -> usize {
        self.body.len()
    }

    /// Returns `true` if it is what was requested, as far as the held part of its body tells.
    pub(crate) fn looks_as_wanted(&self) -> bool {
        let content_type = self.http.content_type.as_deref();
        // A compressed body is judged when it is unpacked.
        let packed = self.http.chunked || !self.http.codings.is_empty();
        match self.wanted {
            Wanted::Image => {
                check_image_head(&self.url, self.http.status, content_type).is_ok()
                    && (packed || image_type(&self.body).is_some())
            }
            Wanted::Page | Wanted::Robots | Wanted::File => {
                check_head(&self.url, self.http.status, content_type).is_ok()
                    && (packed || looks_like_page(content_type, &self.body))
            }
        }
    }

    /// Unpacks the body and checks that it is a page.
    pub(crate) fn into_page(self) -> Result<Response, FetchError> {
        check_head(&self.url, self.http.status, self.http.content_type.as_deref())?;
        checked_page(self.unpacked()?)
    }

    /// Unpacks the body and checks that it is an image.
    pub(crate) fn into_image(self) -> Result<Response, FetchError> {
        check_image_head(&self.url, self.http.status, self.http.content_type.as_deref())?;
        checked_image(self.unpacked()?)
    }

    fn unpacked(self) -> Result<Response, FetchError> {
        let Stored { url, http, body, .. } = self;
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
        Ok(Response { url, status: http.status, content_type: http.content_type, body })
    }
}

/// Why a record cannot be read.
#[derive(Debug)]
pub(crate) enum Failure {
    /// This record is unusable; the next one follows it.
    Record(Flaw),
    /// Where the record ends is not known.
    Lost(Flaw),
}

/// Most bytes that are allocated because a record declares them.
const RESERVED: usize = 1 << 20;

/// Reads the record that starts here; `None` if it is neither a response of a web address, nor a revisit of one, nor a
/// recorded failure.
/// At most `keep` bytes of its block are kept.
pub(crate) fn read(stream: &mut Stream, keep: u64) -> Result<Option<HeldRecord>, Failure> {
    let head = Head::read(stream).map_err(|error| Failure::Lost(head_flaw(error, stream.is_member())))?;
    if !head.first.as_bytes().starts_with(WARC) {
        return Err(Failure::Lost(Flaw::NotARecord));
    }
    let declared = head.get("content-length").unwrap_or_default();
    let Ok(length) = declared.parse::<u64>() else {
        let (value, expected) = (shortened(declared), "a number of bytes");
        return Err(Failure::Lost(Flaw::Header { name: "Content-Length", value, expected }));
    };
    let is = |name: &str, value: &str| {
        head.get(&name.to_ascii_lowercase()).is_some_and(|held| held.eq_ignore_ascii_case(value))
    };
    let is_response = is("warc-type", "response");
    let is_revisit = is("warc-type", "revisit") && length <= MAX_HEAD as u64;
    let is_fields = is("warc-type", "metadata")
        && is("content-type", "application/warc-fields")
        && length <= MAX_HEAD as u64;
    let too_long = is_response && length > MAX_RECORD;
    let kept = if (is_response && !too_long) || is_fields || is_revisit { length.min(keep) } else { 0 };

    // Trust the declared length up to a limit; it may lie.
    let mut block = Vec::with_capacity(usize::try_from(kept).unwrap_or(RESERVED).min(RESERVED));
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
    let wanted = if is(RESOURCE_TYPE, IMAGE) { Wanted::Image } else { Wanted::Page };
    if is_fields {
        let target = target(&head).ok().flatten();
        return Ok(target.and_then(|(_, url)| Refusal::read(url, wanted, &block)).map(HeldRecord::Failure));
    }
    if is_revisit {
        // A revisit that leads nowhere says nothing.
        let target = target(&head).ok().flatten();
        return Ok(target.map(|(target, url)| HeldRecord::Revisit(Revisit::read(&head, target, url, &block))));
    }
    if !is_response {
        return Ok(None);
    }
    let Some((target, url)) = target(&head).map_err(Failure::Record)? else { return Ok(None) };
    let mut rest = block.as_slice();
    let http = HttpHead::read(&mut rest).map_err(|start| Failure::Record(Flaw::NotHttp { start }))?;
    let head_length = block.len() - rest.len();
    block.drain(..head_length);
    let about = About::read(&head);
    Ok(Some(HeldRecord::Response(Stored { target, url, wanted, http, about, body: block })))
}

/// Returns the address of a response, as written and parsed; `None` if it is not a web address (`dns:`, `urn:`).
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

/// Returns the start of a header's value for a message: one line, without control characters.
pub(crate) fn shortened(value: &str) -> String {
    one_line(&value.chars().take(80).collect::<String>())
}
