//! Request headers of the user's own, and the sites that they are sent to.

use base64::prelude::{BASE64_STANDARD, Engine};
use http::header::{
    ACCEPT_ENCODING, AUTHORIZATION, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, IF_MATCH, IF_MODIFIED_SINCE,
    IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, RANGE, TE,
    TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::percent_decode_str;
use std::collections::BTreeMap;
use std::fmt;
use tsugi_page::{Url, address};

/// Headers that belong to the connection, to the body, or to what the client can decode and resume.
const RESERVED: [HeaderName; 17] = [
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    IF_RANGE, IF_UNMODIFIED_SINCE, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, RANGE, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE,
];

const RESERVED_TOO: [&str; 2] = ["keep-alive", "proxy-connection"];

/// Request headers that are sent to some sites only.
///
/// Such headers often hold secrets (`Authorization`, `Cookie`). They go with every request to the sites of the given
/// addresses: pages, images and `robots.txt`, as in curl and wget. A site is a registrable domain, so the headers of
/// `https://example.com/` go to `www.example.com` too. No other site gets them, be it by a redirect or by a link. A
/// site whose addresses are all https gets them over https only.
///
/// A user name and password in one of the addresses (`https://user:secret@example.com/`) become an `Authorization`
/// header for its origin: scheme, host and port. Of several for one origin, the first counts.
///
/// A header replaces the one that the client would send under that name. Values do not appear in `Debug` output, in
/// errors, or in archives.
///
/// # Examples
///
/// ```
/// use tsugi_fetch::{HttpOptions, SiteHeaders};
/// let source = "https://example.com/articles/1".parse()?;
/// let headers = SiteHeaders::new(["Authorization: Bearer 0123"], [&source])?;
/// assert!(!format!("{headers:?}").contains("0123"));
/// let options = HttpOptions::new("my-reader/1.0").headers(headers);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SiteHeaders {
    headers: HeaderMap,
    /// Registrable domains, and whether plain http will do.
    sites: BTreeMap<String, bool>,
    logins: BTreeMap<String, HeaderValue>,
}

/// A line that is not a header, or a header that cannot be set. The messages hold no values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// The line has no colon.
    #[error("header {number} has no colon; write `Name: value`")]
    NoColon {
        /// The position of the line, counted from 1.
        number: usize,
    },
    /// The name is empty, or has characters that names cannot have.
    #[error("the name of header {number} is empty or has invalid characters; write `Name: value`")]
    Name {
        /// The position of the line, counted from 1.
        number: usize,
    },
    /// The value is empty, or has control characters.
    #[error("the value of header `{name}` is empty or has control characters; write `Name: value`")]
    Value {
        /// The name, in lower case.
        name: String,
    },
    /// The client needs to set the header itself.
    #[error("header `{name}` cannot be set, since the client needs it for itself; leave it out")]
    Reserved {
        /// The name, in lower case.
        name: String,
    },
}

impl SiteHeaders {
    /// Reads lines `Name: value`, to be sent to the sites of `sources`, and the user names and passwords of `sources`.
    /// Sources that are not http or https are skipped.
    ///
    /// # Errors
    ///
    /// A [`HeaderError`] for the first line that is not a header, or sets one that the client needs for itself: `Host`,
    /// `Accept-Encoding`, `Range`, conditions (`If-…`), and all that belong to the connection or frame a body
    /// (`Connection`, `Content-Length`, `Transfer-Encoding` and their like).
    pub fn new<'a>(
        lines: impl IntoIterator<Item = &'a str>,
        sources: impl IntoIterator<Item = &'a Url>,
    ) -> Result<SiteHeaders, HeaderError> {
        let mut headers = HeaderMap::new();
        for (number, line) in (1..).zip(lines) {
            let (name, value) = line.split_once(':').ok_or(HeaderError::NoColon { number })?;
            let name: HeaderName = name.trim().parse().map_err(|_| HeaderError::Name { number })?;
            let named = || name.as_str().to_owned();
            if RESERVED.contains(&name) || RESERVED_TOO.contains(&name.as_str()) {
                return Err(HeaderError::Reserved { name: named() });
            }
            let value =
                HeaderValue::from_bytes(value.trim().as_bytes()).ok().filter(|value| !value.is_empty());
            let mut value = value.ok_or_else(|| HeaderError::Value { name: named() })?;
            value.set_sensitive(true);
            headers.append(name, value);
        }
        let (mut sites, mut logins) = (BTreeMap::new(), BTreeMap::new());
        for source in sources.into_iter().filter(|source| address::is_web(source)) {
            let plain = sites.entry(address::registrable_domain(source).to_owned()).or_insert(false);
            *plain |= source.scheme() == "http";
            if let Some(login) = login(source) {
                logins.entry(source.origin().ascii_serialization()).or_insert(login);
            }
        }
        Ok(SiteHeaders { headers, sites, logins })
    }

    pub(super) fn sent_to(&self, url: &Url) -> HeaderMap {
        // Every redirect is looked up anew, and headers given for https do not go over plain http.
        let mut sent = match self.sites.get(address::registrable_domain(url)) {
            Some(plain) if *plain || url.scheme() == "https" => self.headers.clone(),
            _ => HeaderMap::new(),
        };
        if let Some(login) = self.logins.get(&url.origin().ascii_serialization()) {
            sent.entry(AUTHORIZATION).or_insert_with(|| login.clone());
        }
        sent
    }
}

/// Returns the `Authorization` header that the user name and password of an address make, if it has any.
// RFC 7617, section 2.
fn login(url: &Url) -> Option<HeaderValue> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let mut pair: Vec<u8> = percent_decode_str(url.username()).collect();
    pair.push(b':');
    pair.extend(percent_decode_str(url.password().unwrap_or_default()));
    let mut value = HeaderValue::from_str(&format!("Basic {}", BASE64_STANDARD.encode(pair))).ok()?;
    value.set_sensitive(true);
    Some(value)
}

impl fmt::Debug for SiteHeaders {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.headers.keys().map(HeaderName::as_str).collect();
        let logins: Vec<_> = self.logins.keys().collect();
        to.debug_struct("SiteHeaders")
            .field("names", &names)
            .field("sites", &self.sites)
            .field("logins", &logins)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[&str], sources: &[&str]) -> Result<SiteHeaders, HeaderError> {
        let sources: Vec<Url> = sources.iter().map(|source| source.parse().unwrap()).collect();
        SiteHeaders::new(lines.iter().copied(), &sources)
    }

    #[test]
    fn headers_go_to_the_sites_of_the_sources_only() {
        let sources =
            ["https://www.example.co.jp/1", "http://plain.test/", "https://alice.github.io/", "file:///x"];
        let headers = headers(&["X-Key: secret"], &sources).unwrap();
        let gets = |at: &str| !headers.sent_to(&at.parse().unwrap()).is_empty();
        for at in [
            "https://www.example.co.jp/2",
            "https://example.co.jp:8443/",
            "https://images.example.co.jp/robots.txt",
            "http://plain.test/2",
            "https://www.plain.test/",
            "https://alice.github.io/2",
        ] {
            assert!(gets(at), "{at}");
        }
        for at in [
            "http://www.example.co.jp/2",
            "https://co.jp/",
            "https://other.co.jp/",
            "https://example.co.jp.evil.test/",
            "https://notexample.co.jp/",
            "https://bob.github.io/",
            "https://github.io/",
            "file:///x",
        ] {
            assert!(!gets(at), "{at}");
        }
        let both = self::headers(&["X-Key: secret"], &["https://a.test/", "http://a.test/"]).unwrap();
        assert!(!both.sent_to(&"http://a.test/2".parse().unwrap()).is_empty());
    }

    #[test]
    fn lines_are_read_as_they_are_written_for_curl() {
        let given = [
            "Cookie: a=1; b=2", "x-empty:  spaced out ", "X-Two:1", "X-Two: 2", "X-Colon: a:b", "X-Name: 山",
        ];
        let sent =
            headers(&given, &["https://a.test/"]).unwrap().sent_to(&"https://a.test/".parse().unwrap());
        let values = |name: &str| sent.get_all(name).iter().map(HeaderValue::as_bytes).collect::<Vec<_>>();
        assert_eq!(values("cookie"), [b"a=1; b=2"]);
        assert_eq!(values("x-empty"), [b"spaced out"]);
        assert_eq!(values("x-two"), [b"1", b"2"]);
        assert_eq!(values("x-colon"), [b"a:b"]);
        assert_eq!(values("x-name"), ["山".as_bytes()]);
    }

    #[test]
    fn what_is_no_header_is_refused_without_its_value() {
        for (line, message) in [
            ("secret", "header 2 has no colon; write `Name: value`"),
            (
                "Bearer secret:x",
                "the name of header 2 is empty or has invalid characters; write `Name: value`",
            ),
            (": secret", "the name of header 2 is empty or has invalid characters; write `Name: value`"),
            ("X-Key:", "the value of header `x-key` is empty or has control characters; write `Name: value`"),
            (
                "X-Key: secret\r\nHost: b",
                "the value of header `x-key` is empty or has control characters; write `Name: value`",
            ),
            (
                "Host: secret",
                "header `host` cannot be set, since the client needs it for itself; leave it out",
            ),
        ] {
            let error = headers(&["A: b", line], &[]).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
        for name in ["content-LENGTH", "Transfer-Encoding", "connection", "Proxy-Connection", "Range", "te"] {
            let refused = headers(&[&format!("{name}: 1")], &[]);
            assert!(matches!(refused, Err(HeaderError::Reserved { .. })), "{name}");
        }
    }

    #[test]
    fn names_and_passwords_go_to_their_origin_only() {
        let sources =
            ["https://user:se%63ret@a.test/1", "https://late:x@a.test/2", "http://only@b.test:8080/"];
        let headers = headers(&[], &sources).unwrap();
        let sent = |at: &str| {
            let sent = headers.sent_to(&at.parse().unwrap());
            sent.get(AUTHORIZATION).map(|value| value.to_str().unwrap().to_owned())
        };
        // `user:secret` and `only:`.
        assert_eq!(sent("https://a.test/robots.txt").as_deref(), Some("Basic dXNlcjpzZWNyZXQ="));
        assert_eq!(sent("https://other:word@a.test:443/").as_deref(), Some("Basic dXNlcjpzZWNyZXQ="));
        assert_eq!(sent("http://b.test:8080/x").as_deref(), Some("Basic b25seTo="));
        for at in
            ["http://a.test/", "https://www.a.test/", "https://a.test:8443/", "http://b.test/", "file:///a"]
        {
            assert_eq!(sent(at), None, "{at}");
        }
        let own = self::headers(&["Authorization: Bearer x"], &sources).unwrap();
        let sent = own.sent_to(&"https://a.test/".parse().unwrap());
        assert_eq!(sent.get_all(AUTHORIZATION).iter().collect::<Vec<_>>(), ["Bearer x"]);
    }

    #[test]
    fn values_are_not_shown() {
        let headers = headers(&["Authorization: secret"], &["https://user:secret@a.test/"]).unwrap();
        let shown = format!("{headers:?}{:?}", headers.sent_to(&"https://a.test/".parse().unwrap()));
        assert!(
            shown.contains("authorization") && shown.contains("a.test") && !shown.contains("secret"),
            "{shown}"
        );
    }

    proptest::proptest! {
        #[test]
        fn any_line_is_a_header_or_an_error(line: String, bytes in "[A-Za-z-]{0,9}:[\u{0}-\u{ff}]{0,9}") {
            for line in [line, bytes] {
                if let Ok(headers) = headers(&[&line], &["https://a.test/"]) {
                    let sent = headers.sent_to(&"https://a.test/".parse().unwrap());
                    proptest::prop_assert_eq!(sent.len(), 1);
                    proptest::prop_assert!(sent.values().all(|value| !value.is_empty()));
                }
            }
        }
    }
}
