//! One record: its head, its block, and where it ends.

use super::digest;
use super::draft::{CONTENT_LOCATION, DRAWN, DRAWN_TYPE, IMAGE, RESOURCE_TYPE};
use super::error::{Flaw, MAX_RECORD};
use super::head::{HeadError, HeaderBlock, HttpHead, MAX_HEAD};
use super::stream::{Stream, starts_record};
use crate::body::{self, ReadBodyError};
use crate::error::{FetchError, chain};
use crate::exchange::Wanted;
use crate::media::{check_head, check_image_head, checked_image, checked_page, looks_like_page};
use crate::row;
use crate::sniff;
use std::io::{self, BufRead, Read};
use tsugi_page::image::image_type;
use tsugi_page::{Response, Url, address};

row! {
    #[derive(PartialOrd, Ord)]
    pub(crate) struct RecordPlace {
        /// Where the record, or the gzip member that holds it, starts in the file.
        pub(crate) offset: u64,
        /// Where it starts in the unpacked member; 0 outside of members.
        pub(crate) inside: u64,
    }
}

/// Returns `true` for the address of a site's `robots.txt` (RFC 9309, section 2.3).
pub(crate) fn is_robots(url: &Url) -> bool {
    url.path() == "/robots.txt"
}

#[derive(Debug)]
pub(crate) enum HeldRecord {
    Response(StoredAnswer),
    Failure(Refusal),
    Revisit(Revisit),
    /// What is stored at an address outside the web (`file:`, `urn:`, `ftp:`).
    Elsewhere {
        /// The address as the archive writes it.
        target: String,
        url: Url,
    },
}

impl HeldRecord {
    /// Reads the start of a response's block, enough for an index; the error is its first line if that is not an HTTP
    /// head.
    pub(crate) fn of_block(url: &Url, wanted: Wanted, block: &[u8]) -> Result<HeldRecord, String> {
        let mut rest = &block[..block.len().min(MAX_HEAD)];
        let http = HttpHead::read(&mut rest)?;
        let (target, body) = (url.as_str().to_owned(), rest.to_vec());
        Ok(HeldRecord::Response(StoredAnswer {
            wanted,
            body,
            ..StoredAnswer::empty(target, url.clone(), http)
        }))
    }

    /// Returns a page that a browser drew.
    pub(crate) fn of_drawn(url: &Url, number: u16) -> HeldRecord {
        let (target, http) = (url.as_str().to_owned(), HttpHead::of_type(Some(DRAWN_TYPE)));
        HeldRecord::Response(StoredAnswer {
            wanted: Wanted::Drawn(number),
            is_converted: true,
            ..StoredAnswer::empty(target, url.clone(), http)
        })
    }

    pub(crate) fn url(&self) -> &Url {
        match self {
            HeldRecord::Response(stored) => &stored.url,
            HeldRecord::Failure(refusal) => &refusal.url,
            HeldRecord::Revisit(revisit) => &revisit.url,
            HeldRecord::Elsewhere { url, .. } => url,
        }
    }

    /// Returns what was requested. Archives by other programs do not say, and count as requests for pages.
    pub(crate) fn wanted(&self) -> Wanted {
        match self {
            HeldRecord::Response(stored) => stored.wanted,
            HeldRecord::Failure(refusal) => refusal.wanted,
            HeldRecord::Revisit(revisit) => revisit.wanted,
            HeldRecord::Elsewhere { .. } => Wanted::Page,
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
    pub(crate) fn of(url: &Url, wanted: Wanted, error: &FetchError) -> Refusal {
        let (word, message) = (one_line(error.word()), one_line(&chain(error)));
        Refusal { url: address::without_fragment(url), wanted, word, message }
    }

    fn read(url: Url, wanted: Wanted, block: &[u8]) -> Option<Refusal> {
        let text = String::from_utf8_lossy(block);
        let [word, message] = FAILURE_FIELDS.map(|name| field(&text, name));
        Some(Refusal { url, wanted, word: word?, message: message? })
    }
}

fn field(text: &str, name: &str) -> Option<String> {
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = fields.find(|(held, _)| held.trim().eq_ignore_ascii_case(name))?;
    Some(value.trim().to_owned())
}

/// Returns a text as one line; control characters and line ends become spaces.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct DateAndDigest {
    pub(crate) date: Option<String>,
    pub(crate) digest: Option<String>,
}

impl DateAndDigest {
    fn read(head: &HeaderBlock) -> DateAndDigest {
        let owned = |name| head.get(name).map(str::to_owned);
        DateAndDigest { date: owned("warc-date"), digest: owned("warc-payload-digest") }
    }
}

// WARC 1.1, section 6.7 and its profiles “identical payload digest” and “server not modified”.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Revisit {
    pub(crate) target: String,
    pub(crate) url: Url,
    pub(crate) wanted: Wanted,
    pub(crate) about: DateAndDigest,
    /// The address and the time of the record with the body, if given.
    pub(crate) refers_to: (Option<Url>, Option<String>),
    /// `Last-Modified` of the answer, if its head was kept.
    pub(crate) last_modified: Option<String>,
}

impl Revisit {
    fn read(head: &HeaderBlock, target: String, url: Url, wanted: Wanted, mut block: &[u8]) -> Revisit {
        let refers_to = head.get("warc-refers-to-target-uri");
        let refers_to = refers_to.and_then(|value| bare(value).parse().ok());
        let http = HttpHead::read(&mut block).ok();
        Revisit {
            target,
            url,
            wanted,
            about: DateAndDigest::read(head),
            refers_to: (
                refers_to.map(|url| address::without_userinfo(&address::without_fragment(&url))),
                head.get("warc-refers-to-date").map(str::to_owned),
            ),
            last_modified: http.and_then(|http| http.last_modified),
        }
    }

    pub(crate) fn orphaned(self) -> FetchError {
        let of = self.refers_to.0.map_or_else(|| "an earlier answer".to_owned(), |url| format!("`{url}`"));
        FetchError::Revisit { url: self.url, of }
    }
}

#[derive(Debug)]
pub(crate) struct StoredAnswer {
    /// The address as the archive writes it.
    pub(crate) target: String,
    pub(crate) url: Url,
    pub(crate) wanted: Wanted,
    /// The address of a drawn page, if scripts changed it.
    drawn_at: Option<Url>,
    /// Whether a program made it of another record.
    pub(crate) is_converted: bool,
    pub(crate) http: HttpHead,
    pub(crate) about: DateAndDigest,
    body: Vec<u8>,
}

impl StoredAnswer {
    fn empty(target: String, url: Url, http: HttpHead) -> StoredAnswer {
        let (wanted, about) = (Wanted::Page, DateAndDigest::default());
        StoredAnswer {
            target,
            url,
            wanted,
            drawn_at: None,
            is_converted: false,
            http,
            about,
            body: Vec::new(),
        }
    }

    #[cfg(test)]
    pub(crate) fn new(target: &str, url: Url, http: HttpHead, body: Vec<u8>) -> StoredAnswer {
        let (target, about) = (target.to_owned(), DateAndDigest::default());
        let wanted = Wanted::Page;
        StoredAnswer { target, url, wanted, drawn_at: None, is_converted: false, http, about, body }
    }

    pub(crate) fn at(self, url: &Url) -> StoredAnswer {
        StoredAnswer { url: url.clone(), ..self }
    }

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
            Wanted::Page | Wanted::Robots | Wanted::File | Wanted::Drawn(_) => {
                check_head(&self.url, self.http.status, content_type).is_ok()
                    && (packed || looks_like_page(content_type, &self.body))
            }
        }
    }

    pub(crate) fn into_page(self) -> Result<Response, FetchError> {
        check_head(&self.url, self.http.status, self.http.content_type.as_deref())?;
        checked_page(self.unpacked()?)
    }

    pub(crate) fn into_image(self) -> Result<Response, FetchError> {
        check_image_head(&self.url, self.http.status, self.http.content_type.as_deref())?;
        checked_image(self.unpacked()?)
    }

    fn unpacked(self) -> Result<Response, FetchError> {
        let StoredAnswer { url, drawn_at, http, body, .. } = self;
        let url = drawn_at.unwrap_or(url);
        match decoded(&http, unchunked(&http, body)) {
            Ok(body) => {
                let HttpHead { status, content_type, link, .. } = http;
                Ok(Response { url, status, content_type, link, body })
            }
            Err(ReadBodyError::TooLarge) => Err(FetchError::TooLarge { url, limit: MAX_RECORD }),
            Err(ReadBodyError::Coding(coding)) => Err(FetchError::Coding { url, coding }),
            Err(ReadBodyError::Io(_)) => Err(FetchError::Coding { url, coding: http.codings }),
        }
    }
}

fn unchunked(http: &HttpHead, body: Vec<u8>) -> Vec<u8> {
    if http.chunked { body::join_chunks(&body) } else { body }
}

/// Undoes the codings of a body. One that cannot be undone was not applied if the body is text or an image: archives
/// often keep the header of a body that they unpacked.
fn decoded(http: &HttpHead, body: Vec<u8>) -> Result<Vec<u8>, ReadBodyError> {
    if http.codings.is_empty() {
        return Ok(body);
    }
    match body::read(&body[..], &http.codings, MAX_RECORD) {
        Err(ReadBodyError::Coding(_))
            if sniff::binary(&body, None, false).is_none() || image_type(&body).is_some() =>
        {
            Ok(body)
        }
        read => read,
    }
}

#[derive(Debug)]
pub(crate) enum ReadFailure {
    /// This record is unusable; the next one follows it.
    Record(Flaw),
    /// Where the record ends is not known.
    Lost(Flaw),
}

/// Most bytes that are allocated because a record declares them.
const RESERVED: usize = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RecordType {
    Response,
    Resource,
    /// A resource that a program made of another record.
    Conversion,
    Revisit,
    Metadata,
}

impl RecordType {
    /// Reads `WARC-Type`; `None` for records that hold no page by their nature.
    // WARC 1.1, sections 5.5 and 6.
    fn of(head: &HeaderBlock) -> Result<Option<RecordType>, Flaw> {
        let value = head.get("warc-type").unwrap_or_default().to_ascii_lowercase();
        if value == "continuation" || head.get("warc-segment-number").is_some() {
            return Err(Flaw::Segment { target: one_line(&bare_target(head)) });
        }
        Ok(Some(match value.as_str() {
            "response" => RecordType::Response,
            "resource" => RecordType::Resource,
            "conversion" => RecordType::Conversion,
            "revisit" => RecordType::Revisit,
            "metadata" => RecordType::Metadata,
            "warcinfo" | "request" => return Ok(None),
            _ => {
                let (value, expected) = (shortened(&value), "a type of WARC 1.1");
                return Err(Flaw::Header { name: "WARC-Type", value, expected });
            }
        }))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DigestCheck {
    Compared,
    Known,
}

/// Reads the record that starts here; `None` if it holds no page and no failure by its nature.
pub(crate) fn read(stream: &mut Stream, digests: DigestCheck) -> Result<Option<HeldRecord>, ReadFailure> {
    let head =
        HeaderBlock::read(stream).map_err(|error| ReadFailure::Lost(head_flaw(error, stream.is_member())))?;
    if !starts_record(head.first.as_bytes()) {
        return Err(ReadFailure::Lost(Flaw::NotARecord));
    }
    let declared = head.get("content-length").unwrap_or_default();
    let Ok(length) = declared.parse::<u64>() else {
        let (value, expected) = (shortened(declared), "a number of bytes");
        return Err(ReadFailure::Lost(Flaw::Header { name: "Content-Length", value, expected }));
    };
    let kind = RecordType::of(&head);
    let is_read = match kind {
        // The fields of a failure are short.
        Ok(Some(RecordType::Metadata)) => length <= MAX_HEAD as u64,
        Ok(Some(_)) => true,
        Ok(None) | Err(_) => false,
    };
    let too_long = is_read && length > MAX_RECORD;
    let kept = if is_read && !too_long { length } else { 0 };

    // Trust the declared length up to a limit; it may lie.
    let mut block = Vec::with_capacity(usize::try_from(kept).unwrap_or(RESERVED).min(RESERVED));
    let skipped = stream
        .by_ref()
        .take(kept)
        .read_to_end(&mut block)
        .and_then(|_| io::copy(&mut stream.by_ref().take(length - kept), &mut io::sink()))
        .map_err(|error| ReadFailure::Lost(io_flaw(&error)))?;
    if block.len() as u64 + skipped < length {
        return Err(ReadFailure::Lost(match stream {
            Stream::Plain(_) => Flaw::CutOff,
            Stream::Member(_) => Flaw::Length { declared: length },
        }));
    }
    let line_ends = skip_line_ends(stream).map_err(|error| ReadFailure::Lost(io_flaw(&error)))?;
    // Two line ends close a record. Some writers leave them out; then another record, another member, or
    // nothing follows.
    let next = stream.fill_buf().map_err(|error| ReadFailure::Lost(io_flaw(&error)))?.first();
    if line_ends < 4 && next.is_some_and(|byte| *byte != b'W' && *byte != 0x1f) {
        return Err(ReadFailure::Lost(Flaw::Length { declared: length }));
    }
    if too_long {
        return Err(ReadFailure::Record(Flaw::TooLong { length }));
    }
    match kind.map_err(ReadFailure::Record)? {
        Some(kind) if is_read => held(kind, &head, block, digests).map_err(ReadFailure::Record),
        _ => Ok(None),
    }
}

fn held(
    kind: RecordType,
    head: &HeaderBlock,
    block: Vec<u8>,
    digests: DigestCheck,
) -> Result<Option<HeldRecord>, Flaw> {
    // The block holds the payload, too: one digest of a page is enough.
    let is_checked = digests != DigestCheck::Compared || is_compared(head, "WARC-Block-Digest", &block)?;
    let target = bare_target(head);
    let url = match target.parse::<Url>() {
        Ok(url) => url,
        Err(_) if kind == RecordType::Metadata => return Ok(None),
        Err(_) => {
            let value = shortened(head.get(TARGET).unwrap_or_default());
            return Err(Flaw::Header { name: "WARC-Target-URI", value, expected: "an absolute address" });
        }
    };
    if !address::is_web(&url) {
        let is_about = kind == RecordType::Metadata || ABOUT_THE_CRAWL.contains(&url.scheme());
        return Ok((!is_about).then_some(HeldRecord::Elsewhere { target, url }));
    }
    let url = address::without_fragment(&url);
    let wanted = wanted_of(head);
    let (http, body) = match kind {
        RecordType::Metadata => return Ok(Refusal::read(url, wanted, &block).map(HeldRecord::Failure)),
        RecordType::Revisit => {
            return Ok(Some(HeldRecord::Revisit(Revisit::read(head, target, url, wanted, &block))));
        }
        RecordType::Resource | RecordType::Conversion => (HttpHead::of_type(head.get("content-type")), block),
        RecordType::Response => {
            let mut rest = block.as_slice();
            let http = HttpHead::read(&mut rest).map_err(|start| Flaw::NotHttp { start })?;
            let head_length = block.len() - rest.len();
            let mut body = block;
            body.drain(..head_length);
            (http, body)
        }
    };
    if !is_checked {
        payload_fits(head, &http, &body)?;
    }
    let (is_converted, about) = (kind == RecordType::Conversion, DateAndDigest::read(head));
    let drawn_at = located(head, wanted);
    Ok(Some(HeldRecord::Response(StoredAnswer {
        target,
        url,
        wanted,
        drawn_at,
        is_converted,
        http,
        about,
        body,
    })))
}

/// Returns what a record was requested as. What a page is made of counts for no page, whoever wrote the archive.
fn wanted_of(head: &HeaderBlock) -> Wanted {
    let value = head.get(&RESOURCE_TYPE.to_ascii_lowercase()).unwrap_or_default().to_ascii_lowercase();
    let drawn = || value.strip_prefix(DRAWN)?.strip_prefix('-')?.parse().ok();
    match value.as_str() {
        IMAGE => Wanted::Image,
        DRAWN => Wanted::Drawn(0),
        "script" | "stylesheet" | "xhr" | "fetch" | "font" | "media" | "manifest" | "ping" | "other" => {
            Wanted::File
        }
        _ => drawn().map_or(Wanted::Page, Wanted::Drawn),
    }
}

/// Returns the address of a drawn page, where scripts changed it.
fn located(head: &HeaderBlock, wanted: Wanted) -> Option<Url> {
    let value =
        head.get(&CONTENT_LOCATION.to_ascii_lowercase()).filter(|_| matches!(wanted, Wanted::Drawn(_)))?;
    value.parse().ok().filter(address::is_web)
}

/// Compares bytes with a digest; returns `false` if there is none that can be compared.
fn is_compared(head: &HeaderBlock, name: &'static str, bytes: &[u8]) -> Result<bool, Flaw> {
    let Some(declared) = head.get(&name.to_ascii_lowercase()) else { return Ok(false) };
    digest::compare(declared, bytes).map_err(|found| {
        let target = one_line(&bare_target(head));
        Flaw::Digest { target, name, declared: shortened(declared), found }
    })
}

/// Compares a body with the digest of the payload: as it was sent, without its chunks, or unpacked. Of a truncated
/// record, the digest may be that of the whole.
// WARC 1.1, section 5.9, means the body without chunks. wget, warcio and Heritrix write the digest of the bytes as sent,
// warcprox of those without chunks, and Browsertrix stores bodies unpacked.
fn payload_fits(head: &HeaderBlock, http: &HttpHead, body: &[u8]) -> Result<(), Flaw> {
    if head.get("warc-truncated").is_some() {
        return Ok(());
    }
    let fits = |body: &[u8]| is_compared(head, "WARC-Payload-Digest", body);
    let Err(flaw) = fits(body) else { return Ok(()) };
    let unchunked = unchunked(http, body.to_vec());
    let is_whole = fits(&unchunked).is_ok() || decoded(http, unchunked).is_ok_and(|body| fits(&body).is_ok());
    if is_whole { Ok(()) } else { Err(flaw) }
}

const TARGET: &str = "warc-target-uri";

/// Schemes of records about the crawl: answers of name servers and registries (Heritrix), and the logs of wget.
const ABOUT_THE_CRAWL: [&str; 3] = ["dns", "whois", "metadata"];

/// Returns the address of a record as written, but without user name and password; empty if it has none.
fn bare_target(head: &HeaderBlock) -> String {
    let target = bare(head.get(TARGET).unwrap_or_default());
    match target.parse::<Url>() {
        Ok(url) if url.password().is_some() || !url.username().is_empty() => {
            address::without_userinfo(&url).into()
        }
        _ => target.to_owned(),
    }
}

/// Returns an address without the angle brackets that WARC 1.0 prints around it.
fn bare(address: &str) -> &str {
    address.strip_prefix('<').and_then(|address| address.strip_suffix('>')).unwrap_or(address)
}

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
