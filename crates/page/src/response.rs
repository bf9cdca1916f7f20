//! The response of an address, whatever its source, or why there is none.

use crate::{Page, charset};
use std::error::Error;
use std::fmt::{self, Display};
use std::sync::Arc;
use url::Url;

/// The response of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Response {
    /// The address after redirects, without the fragment.
    pub url: Url,
    /// The HTTP status; 200 for a file.
    pub status: u16,
    /// The `Content-Type` header, verbatim.
    pub content_type: Option<String>,
    /// The `Link` headers, verbatim, joined by commas; see [`HeaderLink`](crate::HeaderLink).
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub link: Option<String>,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

impl Response {
    /// Returns a page of an address, with status 200 and no header.
    pub fn new(url: Url, body: impl Into<Vec<u8>>) -> Response {
        Response { url, status: 200, content_type: None, link: None, body: body.into() }
    }

    /// Parses the body, with the charset of the header. Plain text becomes paragraphs ([`Page::parse_plain`]).
    pub fn page(&self) -> Page {
        let declared = self.content_type.as_deref().and_then(charset::from_content_type);
        let parse = if self.is_plain_text() { Page::parse_plain } else { Page::parse };
        let page = parse(&self.body, &self.url, declared);
        match &self.link {
            Some(header) => page.with_link_header(header),
            None => page,
        }
    }

    /// Returns `true` if the body is plain text: the header says so, or there is no header and no tag in the body.
    /// DIFFERENCE: browsers never read `text/plain` as HTML. Servers of raw files send everything as plain text, and no
    /// plain text starts like an HTML document.
    fn is_plain_text(&self) -> bool {
        match media_type(self.content_type.as_deref()).as_str() {
            "text/plain" => !starts_as_html(&self.body),
            "" | "application/octet-stream" | "unknown/unknown" | "application/unknown" | "*/*" => {
                !self.body.trim_ascii().is_empty() && !has_tag(&self.body)
            }
            _ => false,
        }
    }
}

/// Returns the media type of a `Content-Type`, in lower case; empty if there is none.
pub fn media_type(content_type: Option<&str>) -> String {
    let first = content_type.unwrap_or_default().split([';', ',']).next().unwrap_or_default();
    first.trim().to_ascii_lowercase()
}

fn starts_as_html(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    ["<!doctype html", "<html"]
        .iter()
        .any(|start| body.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start.as_bytes())))
}

/// Returns `true` if the body has something like a tag. In UTF-16, a NUL follows the `<`.
fn has_tag(body: &[u8]) -> bool {
    body.windows(2).any(|pair| {
        pair[0] == b'<' && (pair[1].is_ascii_alphabetic() || matches!(pair[1], b'!' | b'/' | b'?' | 0))
    })
}

/// Why a page is unavailable.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Unavailable {
    /// The kind of failure.
    pub kind: UnavailableKind,
    /// The address that was asked for.
    pub url: Url,
    message: String,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// What kept a page away.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum UnavailableKind {
    /// The archive or folder does not hold it.
    NotStored,
    /// The server answered with another status than 2xx.
    Status,
    /// The answer is a part of the page only.
    Partial,
    /// The answer is no web page.
    NotHtml,
    /// The answer is no image of a supported type.
    NotImage,
    /// The answer is longer than the limit.
    TooLarge,
    /// The answer's compression is unknown or damaged.
    Coding,
    /// The time limit of the request was reached.
    Timeout,
    /// There were too many redirects.
    TooManyRedirects,
    /// A redirect leads nowhere.
    BadRedirect,
    /// The scheme of the address is not supported.
    Scheme,
    /// The site's `robots.txt` disallows it.
    Robots,
    /// The connection failed.
    Network,
    /// The address leads to a private network.
    Private,
    /// The server asked for a longer pause than allowed.
    Later,
    /// The host has left too many requests unanswered.
    HostDown,
    /// The cache cannot be used.
    Cache,
    /// The file is outside the folder that may be read.
    NotBelow,
    /// The file cannot be read.
    File,
    /// The answer could not be saved.
    Keep,
    /// The archive cannot be read.
    Archive,
    /// A client that waits was used on a thread that must not wait.
    Executor,
    /// The client cannot be set up.
    Client,
    /// The time limit of the whole document was reached.
    MaxTime,
    /// The run ended before the page was asked for.
    NotFetched,
    /// A browser went on in the page, and nothing new came.
    NothingMore,
    /// There is no browser, or it could not draw the page.
    Browser,
    /// The storage or the client of somebody else failed.
    Failed,
    /// A kind of the caller's own, by its name in output.
    Other(Box<str>),
}

impl UnavailableKind {
    const NAMED: [UnavailableKind; 28] = {
        use UnavailableKind::{
            Archive, BadRedirect, Browser, Cache, Client, Coding, Executor, Failed, File, HostDown, Keep,
            Later, MaxTime, Network, NotBelow, NotFetched, NotHtml, NotImage, NotStored, NothingMore,
            Partial, Private, Robots, Scheme, Status, Timeout, TooLarge, TooManyRedirects,
        };
        [
            NotStored, Status, Partial, NotHtml, NotImage, TooLarge, Coding, Timeout, TooManyRedirects,
            BadRedirect, Scheme, Robots, Network, Private, Later, HostDown, Cache, NotBelow, File, Keep,
            Archive, Executor, Client, MaxTime, NotFetched, NothingMore, Browser, Failed,
        ]
    };

    /// Returns the kind of a name in output, such as other languages and archives give.
    pub fn named(name: &str) -> UnavailableKind {
        let known = UnavailableKind::NAMED.into_iter().find(|kind| kind.as_str() == name);
        known.unwrap_or_else(|| UnavailableKind::Other(name.into()))
    }

    /// Returns its name in output: `robots`, `timeout`, `not-stored`, ….
    pub fn as_str(&self) -> &str {
        match self {
            UnavailableKind::NotStored => "not-stored",
            UnavailableKind::Status => "status",
            UnavailableKind::Partial => "partial",
            UnavailableKind::NotHtml => "not-html",
            UnavailableKind::NotImage => "not-image",
            UnavailableKind::TooLarge => "too-large",
            UnavailableKind::Coding => "coding",
            UnavailableKind::Timeout => "timeout",
            UnavailableKind::TooManyRedirects => "too-many-redirects",
            UnavailableKind::BadRedirect => "bad-redirect",
            UnavailableKind::Scheme => "scheme",
            UnavailableKind::Robots => "robots",
            UnavailableKind::Network => "network",
            UnavailableKind::Private => "private",
            UnavailableKind::Later => "later",
            UnavailableKind::HostDown => "host-down",
            UnavailableKind::Cache => "cache",
            UnavailableKind::NotBelow => "not-below",
            UnavailableKind::File => "file",
            UnavailableKind::Keep => "keep",
            UnavailableKind::Archive => "archive",
            UnavailableKind::Executor => "executor",
            UnavailableKind::Client => "client",
            UnavailableKind::MaxTime => "max-time",
            UnavailableKind::NotFetched => "not-fetched",
            UnavailableKind::NothingMore => "nothing-more",
            UnavailableKind::Browser => "browser",
            UnavailableKind::Failed => "failed",
            UnavailableKind::Other(name) => name,
        }
    }
}

impl Unavailable {
    /// Returns the failure of a kind. The message is one line that names the address.
    pub fn new(kind: UnavailableKind, url: &Url, message: impl Into<String>) -> Unavailable {
        Unavailable { kind, url: url.clone(), message: message.into(), source: None }
    }

    /// Returns the failure of the caller's own storage or client.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_page::Unavailable;
    /// let error = std::io::Error::other("the disk is gone");
    /// let unavailable = Unavailable::other(&"https://a.test/1".parse()?, error);
    /// assert_eq!(unavailable.to_string(), "`https://a.test/1`: the disk is gone");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn other(url: &Url, error: impl Into<Box<dyn Error + Send + Sync>>) -> Unavailable {
        let error = error.into();
        let message = format!("`{url}`: {error}");
        Unavailable::new(UnavailableKind::Failed, url, message).caused_by(error)
    }

    /// Returns the failure for a page that the time limit of the document kept away.
    pub fn late(url: &Url) -> Unavailable {
        let message = format!("the time limit was reached before `{url}` was fetched");
        Unavailable::new(UnavailableKind::MaxTime, url, message)
    }

    /// Adds the error behind it, whose text the message has already.
    #[must_use]
    pub fn caused_by(mut self, error: impl Into<Box<dyn Error + Send + Sync>>) -> Unavailable {
        self.source = Some(Arc::from(error.into()));
        self
    }
}

impl Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for Unavailable {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(content_type: Option<&str>, body: &[u8]) -> Page {
        let url = "https://a.test/".parse().unwrap();
        let content_type = content_type.map(str::to_owned);
        Response { url, status: 200, content_type, link: None, body: body.to_vec() }.page()
    }

    #[test]
    fn kinds_have_names_of_their_own() {
        for kind in UnavailableKind::NAMED {
            assert_eq!(UnavailableKind::named(kind.as_str()), kind);
        }
        assert_eq!(UnavailableKind::named("my-own").as_str(), "my-own");
    }

    #[test]
    fn plain_text_is_told_from_html() {
        for (content_type, body, is_plain) in [
            (Some("text/plain; charset=utf-8"), &b"A <b> is a tag."[..], true),
            (None, b"1 < 2, and so on.", true),
            (Some("text/plain"), b" <!doctype HTML><p>x", false),
            (None, b"<p>x", false),
            (None, b"<\0p\0>\0", false),
            (Some("Text/HTML; charset=x"), b"words", false),
        ] {
            assert_eq!(page(content_type, body).is_plain_text(), is_plain, "{content_type:?}");
        }
        assert_eq!(media_type(Some("Text/HTML; charset=x")), "text/html");
    }

    #[test]
    fn headers_name_links() {
        let url: Url = "https://a.test/".parse().unwrap();
        let plain = Response::new(url, "<p>x");
        assert!(plain.page().header_links().is_empty());
        let page = Response { link: Some("</2>; rel=next".to_owned()), ..plain }.page();
        assert_eq!(page.header_links()[0].rel, "next");
    }

    #[test]
    fn plain_text_has_a_charset() {
        let page = page(Some("text/plain; charset=Shift_JIS"), b"\x8e\x9f");
        assert_eq!((page.text(crate::NodeId::DOCUMENT).as_str(), page.encoding()), ("次", "Shift_JIS"));
    }
}
