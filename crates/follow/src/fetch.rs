//! What fetching is: an address in, a page's bytes out, or why not.

use crate::archive::ArchiveError;
use crate::http::special;
use crate::image::image_type;
use std::error::Error;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use tsugi_page::{Page, Url, charset};

/// How much of a body is looked at to tell what it is, in bytes.
const SNIFFED_BYTES: usize = 1024;

/// What an address answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The address that answered, after redirects, fragment dropped.
    pub url: Url,
    /// The HTTP status; 200 for a file.
    pub status: u16,
    /// The `Content-Type` header, as it came.
    pub content_type: Option<String>,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

impl Response {
    /// Returns the body as a page; the charset of the header counts.
    pub fn page(&self) -> Page {
        let declared = self.content_type.as_deref().and_then(charset::from_content_type);
        Page::parse(&self.body, &self.url, declared)
    }

    /// Hands the response back if it is a page: status 2xx, and HTML as far as one can tell.
    ///
    /// `text/html` and `application/xhtml+xml` are taken at their word. Where the header is missing or says
    /// nothing (`text/plain`, `application/octet-stream`, `unknown/unknown`, `*/*`), bytes that look like
    /// text pass. XML passes if it holds an `<html` near its start. All else is no page.
    ///
    /// # Errors
    ///
    /// [`FetchError::Status`] and [`FetchError::NotHtml`].
    pub fn checked(self) -> Result<Response, FetchError> {
        check_head(&self.url, self.status, self.content_type.as_deref())?;
        let is_page = looks_like_page(self.content_type.as_deref(), &self.body);
        if is_page { Ok(self) } else { Err(not_html(self.url, self.content_type.as_deref())) }
    }
}

impl Response {
    /// Hands the response back if it is an image: status 2xx, and a JPEG, PNG, GIF or WebP by its first bytes.
    ///
    /// # Errors
    ///
    /// [`FetchError::Status`] and [`FetchError::NotImage`].
    pub fn checked_image(self) -> Result<Response, FetchError> {
        check_image_head(&self.url, self.status, self.content_type.as_deref())?;
        if image_type(&self.body).is_some() {
            return Ok(self);
        }
        let named = media_type(self.content_type.as_deref());
        let what = if named.is_empty() { "something else" } else { "something else that is called " };
        Err(FetchError::NotImage { url: self.url, what: format!("{what}{named}") })
    }
}

/// Refuses what no body could make an image.
pub(crate) fn check_image_head(url: &Url, status: u16, content_type: Option<&str>) -> Result<(), FetchError> {
    if !(200..300).contains(&status) {
        return Err(FetchError::Status { url: url.clone(), status });
    }
    let named = media_type(content_type);
    let may_be_one = named.starts_with("image/") && named != "image/svg+xml";
    if may_be_one || matches!(Media::of(content_type), Media::Unknown) {
        return Ok(());
    }
    Err(FetchError::NotImage { url: url.clone(), what: named })
}

/// Says whether a body is HTML, as far as its type and its first bytes tell.
pub(crate) fn looks_like_page(content_type: Option<&str>, body: &[u8]) -> bool {
    let head = &body[..body.len().min(SNIFFED_BYTES)];
    match Media::of(content_type) {
        Media::Html => true,
        Media::Unknown => !charset::looks_binary(head),
        Media::Xml => head.windows(5).any(|window| window.eq_ignore_ascii_case(b"<html")),
        Media::Other => false,
    }
}

/// Refuses what no body could make a page.
pub(crate) fn check_head(url: &Url, status: u16, content_type: Option<&str>) -> Result<(), FetchError> {
    if !(200..300).contains(&status) {
        return Err(FetchError::Status { url: url.clone(), status });
    }
    match Media::of(content_type) {
        Media::Other => Err(not_html(url.clone(), content_type)),
        Media::Html | Media::Unknown | Media::Xml => Ok(()),
    }
}

fn not_html(url: Url, content_type: Option<&str>) -> FetchError {
    let named = media_type(content_type);
    let what = if named.is_empty() { "binary data".to_owned() } else { named };
    FetchError::NotHtml { url, what }
}

/// The media type of a `Content-Type`, in lower case; empty where there is none.
fn media_type(content_type: Option<&str>) -> String {
    let first = content_type.unwrap_or_default().split([';', ',']).next().unwrap_or_default();
    first.trim().to_ascii_lowercase()
}

/// What a `Content-Type` says of a body.
enum Media {
    Html,
    Xml,
    /// Nothing that one could rely on.
    Unknown,
    Other,
}

impl Media {
    fn of(content_type: Option<&str>) -> Media {
        match media_type(content_type).as_str() {
            "text/html" | "application/xhtml+xml" => Media::Html,
            "text/xml" | "application/xml" => Media::Xml,
            ""
            | "text/plain"
            | "application/octet-stream"
            | "unknown/unknown"
            | "application/unknown"
            | "*/*" => Media::Unknown,
            _ => Media::Other,
        }
    }
}

/// Gets pages.
///
/// The answer is a page: a status other than 2xx and a body that is no HTML are errors. Several threads may ask at
/// the same time.
pub trait Fetch: Sync {
    /// Gets the page at an address, redirects followed.
    ///
    /// # Errors
    ///
    /// Any [`FetchError`]; what was asked for is not there, is no page, or cannot be read.
    fn fetch(&self, url: &Url) -> Result<Response, FetchError>;
}

impl<F: Fetch + ?Sized> Fetch for &F {
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        (**self).fetch(url)
    }
}

impl<F: Fetch + ?Sized> Fetch for Box<F> {
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        (**self).fetch(url)
    }
}

impl<F: Fetch + Send + ?Sized> Fetch for Arc<F> {
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        (**self).fetch(url)
    }
}

/// Gets the images that pages show.
///
/// The answer is an image: a status other than 2xx and what is no JPEG, PNG, GIF or WebP are errors. Several threads
/// may ask at the same time.
pub trait FetchImage: Sync {
    /// Gets the image at an address, redirects followed.
    ///
    /// # Errors
    ///
    /// Any [`FetchError`]; what was asked for is not there, is no image, or cannot be read.
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError>;
}

/// Why a page, or an image, cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The archive or folder does not hold the address.
    #[error("`{url}` is not stored")]
    NotStored {
        /// The address, or the redirect's target that is missing.
        url: Url,
    },
    /// The answer is no success.
    #[error("`{url}` answered with status {status}, expected 2xx")]
    Status {
        /// The address that answered.
        url: Url,
        /// The HTTP status.
        status: u16,
    },
    /// The answer is no page.
    #[error("`{url}` is {what}, expected HTML")]
    NotHtml {
        /// The address that answered.
        url: Url,
        /// What came: a media type, or `binary data`.
        what: String,
    },
    /// The answer is no image that can be used.
    #[error("`{url}` is {what}, expected a JPEG, PNG, GIF or WebP image")]
    NotImage {
        /// The address that answered.
        url: Url,
        /// What came: a media type, or words for something else.
        what: String,
    },
    /// The body is longer than wanted.
    #[error("`{url}` is longer than {limit} bytes")]
    TooLarge {
        /// The address that answered.
        url: Url,
        /// The limit, in bytes after decompression.
        limit: u64,
    },
    /// The body's compression is unknown or broken.
    #[error("body of `{url}` cannot be decoded as `{coding}`")]
    Coding {
        /// The address that answered.
        url: Url,
        /// The `Content-Encoding`.
        coding: String,
    },
    /// The answer took too long.
    #[error("`{url}` took too long to answer")]
    Timeout {
        /// The address that was asked.
        url: Url,
    },
    /// One redirect followed another, or they run in a circle.
    #[error("`{url}` redirects more than {limit} times")]
    TooManyRedirects {
        /// The address that was asked first.
        url: Url,
        /// How many redirects are followed.
        limit: usize,
    },
    /// A redirect leads nowhere, or out of the web.
    #[error("`{url}` redirects to `{location}`, expected an http or https address")]
    BadRedirect {
        /// The address that redirects.
        url: Url,
        /// The `Location` header; empty where there is none.
        location: String,
    },
    /// The address is not one that this source can get.
    #[error("`{url}` has the scheme `{}`, expected {expected}", url.scheme())]
    Scheme {
        /// The address.
        url: Url,
        /// The schemes that can be had.
        expected: &'static str,
    },
    /// The site asks not to fetch this.
    #[error("`{url}` may not be fetched: {rule}")]
    Disallowed {
        /// The address.
        url: Url,
        /// The rule that says so.
        rule: String,
    },
    /// The connection failed.
    #[error("no answer from `{url}`")]
    Network {
        /// The address that was asked.
        url: Url,
        /// What failed.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The address leads to where only this machine or its network can get.
    #[error(
        "`{url}` leads to {address}, {}; only public addresses are fetched (--allow-private lifts this)",
        special(*address).unwrap_or("an address that is not allowed")
    )]
    Private {
        /// The address that was asked for.
        url: Url,
        /// The IP address that it leads to.
        address: IpAddr,
    },
    /// The server wants to be left alone for longer than one waits, and is.
    #[error(
        "the host of `{url}` answered with status {status} and asks to come back after {after} s, longer than the {limit} s that are waited"
    )]
    Later {
        /// The address that was asked for.
        url: Url,
        /// The HTTP status.
        status: u16,
        /// How long the server wants to be left alone (`Retry-After`), in seconds.
        after: u64,
        /// The longest time that is waited, in seconds.
        limit: u64,
    },
    /// The cache cannot be used.
    #[error("the cache `{}` cannot be used", path.display())]
    Cache {
        /// Its folder.
        path: PathBuf,
        /// What failed.
        source: std::io::Error,
    },
    /// The file lies outside of the folder that may be read.
    #[error("`{}` does not lie below `{}`", path.display(), folder.display())]
    NotBelow {
        /// The file, symbolic links resolved.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The file cannot be read.
    #[error("`{}` cannot be read", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What failed.
        source: std::io::Error,
    },
    /// What came cannot be kept, so it is not used.
    #[error("what `{url}` answered cannot be kept")]
    Keep {
        /// The address that answered.
        url: Url,
        /// What writing says.
        source: std::io::Error,
    },
    /// The page could not be had when the archive was written; see [`Store`](crate::Store).
    #[error("{message}")]
    Recorded {
        /// What went wrong then: a [`FetchError::word`].
        word: String,
        /// What was said then.
        message: String,
    },
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The HTTP client cannot be set up.
    #[error("the HTTP client cannot be set up")]
    Client {
        /// What failed.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl FetchError {
    /// Returns the word that stands for what went wrong, in output and in archives.
    pub fn word(&self) -> &str {
        match self {
            FetchError::NotStored { .. } => "not-stored",
            FetchError::Status { .. } => "status",
            FetchError::NotHtml { .. } => "not-html",
            FetchError::NotImage { .. } => "not-image",
            FetchError::TooLarge { .. } => "too-large",
            FetchError::Coding { .. } => "coding",
            FetchError::Timeout { .. } => "timeout",
            FetchError::TooManyRedirects { .. } => "too-many-redirects",
            FetchError::BadRedirect { .. } => "bad-redirect",
            FetchError::Scheme { .. } => "scheme",
            FetchError::Disallowed { .. } => "robots",
            FetchError::Network { .. } => "network",
            FetchError::Private { .. } => "private",
            FetchError::Later { .. } => "later",
            FetchError::Cache { .. } => "cache",
            FetchError::NotBelow { .. } => "not-below",
            FetchError::Io { .. } => "file",
            FetchError::Keep { .. } => "keep",
            FetchError::Recorded { word, .. } => word,
            FetchError::Archive(_) => "archive",
            FetchError::Client { .. } => "client",
        }
    }
}

/// Writes an error and all that caused it, separated by colons.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(status: u16, content_type: Option<&str>, body: &[u8]) -> Response {
        let url = "https://a.test/".parse().unwrap();
        Response { url, status, content_type: content_type.map(str::to_owned), body: body.to_vec() }
    }

    fn refusal(content_type: Option<&str>, body: &[u8]) -> Option<String> {
        match response(200, content_type, body).checked() {
            Ok(_) => None,
            Err(FetchError::NotHtml { what, .. }) => Some(what),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn pages_are_told_from_other_things() {
        for header in [
            Some("text/html"),
            Some("Text/HTML; charset=x"),
            Some("application/xhtml+xml"),
            Some("text/plain"),
            Some("unknown/unknown"),
            Some("text/html, text/html"),
            Some(""),
            None,
        ] {
            assert_eq!(refusal(header, b"<p>text"), None, "{header:?}");
        }
        assert_eq!(refusal(Some("image/png"), b"<p>"), Some("image/png".to_owned()));
        assert_eq!(refusal(Some("application/pdf; x=y"), b"%PDF-"), Some("application/pdf".to_owned()));
        assert_eq!(refusal(Some("application/json"), b"{}"), Some("application/json".to_owned()));
        assert_eq!(refusal(None, b"\x89PNG"), Some("binary data".to_owned()));
        assert_eq!(refusal(Some("text/plain"), b"%PDF-1"), Some("text/plain".to_owned()));
        assert_eq!(refusal(Some("text/xml"), b"<?xml version='1.0'?><HTML>"), None);
        assert_eq!(refusal(Some("text/xml"), b"<rss>"), Some("text/xml".to_owned()));
    }

    #[test]
    fn only_success_is_a_page() {
        assert!(response(204, None, b"").checked().is_ok());
        for status in [100, 199, 300, 304, 404, 503, 999] {
            let refused = response(status, Some("text/html"), b"<p>").checked();
            assert!(matches!(refused, Err(FetchError::Status { status: found, .. }) if found == status));
        }
    }

    #[test]
    fn the_header_names_the_charset() {
        let sjis = b"<p>\x8e\x9f";
        let page = response(200, Some("text/html; charset=Shift_JIS"), sjis).page();
        assert_eq!(page.text(tsugi_page::NodeId::DOCUMENT), "次");
    }

    #[test]
    fn messages_say_what_was_found_and_expected() {
        let refused = response(404, None, b"").checked().unwrap_err();
        assert_eq!(refused.to_string(), "`https://a.test/` answered with status 404, expected 2xx");
        let source = std::io::Error::other("disk on fire").into();
        let error = FetchError::Network { url: "https://a.test/".parse().unwrap(), source };
        assert_eq!(chain(&error), "no answer from `https://a.test/`: disk on fire");
    }
}
