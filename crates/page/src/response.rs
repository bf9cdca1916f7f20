//! The response of an address, whatever its source, or why there is none.

use crate::{Page, charset};
use url::Url;

/// The response of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The address after redirects, without the fragment.
    pub url: Url,
    /// The HTTP status; 200 for a file.
    pub status: u16,
    /// The `Content-Type` header, verbatim.
    pub content_type: Option<String>,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

impl Response {
    /// Parses the body, with the charset of the header. Plain text becomes paragraphs ([`Page::parse_plain`]).
    pub fn page(&self) -> Page {
        let declared = self.content_type.as_deref().and_then(charset::from_content_type);
        let parse = if self.is_plain_text() { Page::parse_plain } else { Page::parse };
        parse(&self.body, &self.url, declared)
    }

    /// Returns `true` if the body is plain text: the header says so, or there is no header and no tag in the body.
    ///
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
///
/// # Examples
///
/// ```
/// assert_eq!(tsugi_page::media_type(Some("Text/HTML; charset=x")), "text/html");
/// assert_eq!(tsugi_page::media_type(None), "");
/// ```
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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Unavailable {
    /// The reason, as far as it matters for the document.
    pub why: WhyUnavailable,
    /// The name of the reason in output: `robots`, `timeout`, `not-stored`, ….
    pub word: String,
    /// The reason, on one line.
    pub message: String,
}

/// The reason why a page is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhyUnavailable {
    /// The site's `robots.txt` disallows it.
    Robots,
    /// The time limit of the whole document was reached.
    MaxTime,
    /// Anything else.
    Failed,
}

impl Unavailable {
    /// Returns the reason of a name in output, such as those that other languages and archives give.
    pub fn named(word: impl Into<String>, message: impl Into<String>) -> Unavailable {
        let word = word.into();
        let why = match word.as_str() {
            "robots" => WhyUnavailable::Robots,
            "max-time" => WhyUnavailable::MaxTime,
            _ => WhyUnavailable::Failed,
        };
        Unavailable { why, word, message: message.into() }
    }

    /// Returns the reason for a page that the time limit of the document kept away.
    pub fn late(url: &Url) -> Unavailable {
        Unavailable::named("max-time", format!("the time limit was reached before `{url}` was fetched"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_plain(content_type: Option<&str>, body: &[u8]) -> bool {
        let url = "https://a.test/".parse().unwrap();
        let content_type = content_type.map(str::to_owned);
        Response { url, status: 200, content_type, body: body.to_vec() }.page().is_plain_text()
    }

    #[test]
    fn plain_text_is_told_from_html() {
        assert!(is_plain(Some("text/plain; charset=utf-8"), b"A <b> is a tag."));
        assert!(is_plain(None, b"1 < 2, and so on."));
        assert!(!is_plain(Some("text/plain"), b" <!doctype HTML><p>x"));
        assert!(!is_plain(None, b"<p>x"));
        assert!(!is_plain(None, b"<\0p\0>\0"));
        assert!(!is_plain(Some("text/html"), b"words"));
    }

    #[test]
    fn plain_text_has_a_charset() {
        let url = "https://a.test/".parse().unwrap();
        let content_type = Some("text/plain; charset=Shift_JIS".to_owned());
        let page = Response { url, status: 200, content_type, body: b"\x8e\x9f".to_vec() }.page();
        assert_eq!((page.text(crate::NodeId::DOCUMENT).as_str(), page.encoding()), ("次", "Shift_JIS"));
    }
}
