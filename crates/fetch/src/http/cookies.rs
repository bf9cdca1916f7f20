//! Cookies: which ones a site may set, and which ones it is sent.
//!
//! `cookie` reads what a site sends; the rules are our own. `cookie_store` lacks half of them (prefixes, cookies that
//! only https may set or replace, the order of what is sent), reads the clock itself, and takes a cookie of one host
//! and one of its subdomains for the same.
//!
//! # Source
//!
//! RFC 6265bis (draft-ietf-httpbis-rfc6265bis), sections 5.6 to 5.8. `SameSite` is not looked at: a page is fetched as
//! if a person opened it.

use cookie::Cookie as SetCookie;
use std::collections::BTreeSet;
use tsugi_page::{Url, address};
use url::Host;

/// Longest name and value together, in bytes.
const MAX_PAIR: usize = 4096;

const MAX_ATTRIBUTE: usize = 1024;

/// Longest time that a site can set a cookie for, in seconds: 400 days.
const MAX_AGE: i64 = 400 * 24 * 60 * 60;

/// Longest `Cookie` header, in bytes; some servers refuse longer ones. As in curl.
const MAX_HEADER: usize = 8190;

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Cookie {
    pub(super) key: Key,
    pub(super) value: String,
    pub(super) secure: bool,
    pub(super) http_only: bool,
    /// When it ends, in seconds since 1970; `None` for a cookie that ends with the session.
    pub(super) expires: Option<i64>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// In lower case and ASCII, without a leading dot.
    pub(super) domain: String,
    pub(super) subdomains: bool,
    pub(super) path: String,
    pub(super) name: String,
}

#[derive(Default)]
pub(super) struct Cookies {
    /// The oldest first.
    held: Vec<Cookie>,
    changed: BTreeSet<Key>,
}

impl Cookies {
    pub(super) fn hold(&mut self, cookie: Cookie) {
        match self.held.iter_mut().find(|held| held.key == cookie.key) {
            Some(held) => *held = cookie,
            None => self.held.push(cookie),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.held.len()
    }

    pub(super) fn is_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    pub(super) fn has_changed(&self, key: &Key) -> bool {
        self.changed.contains(key)
    }

    pub(super) fn changed(&self) -> impl Iterator<Item = &Cookie> {
        self.held.iter().filter(|cookie| self.changed.contains(&cookie.key))
    }

    pub(super) fn header(&self, url: &Url, now: i64) -> Option<String> {
        let mut sent: Vec<_> = self.held.iter().filter(|cookie| cookie.is_for(url, now)).collect();
        // Longer paths first; the sort keeps the older ones before the younger.
        sent.sort_by_key(|cookie| std::cmp::Reverse(cookie.key.path.len()));
        let mut header = String::new();
        for Cookie { key: Key { name, .. }, value, .. } in sent {
            let separator = if header.is_empty() { "" } else { "; " };
            if header.len() + separator.len() + name.len() + 1 + value.len() <= MAX_HEADER {
                header.extend([separator, name, "=", value]);
            }
        }
        (!header.is_empty()).then_some(header)
    }

    /// Takes a `Set-Cookie` header that an address answered with; one that breaks the rules changes nothing.
    pub(super) fn set(&mut self, url: &Url, header: &str, now: i64) {
        let Some(cookie) = Cookie::of(url, header, now) else { return };
        // Whoever controls the connection could otherwise replace a cookie that only https may set.
        if url.scheme() != "https" && self.held.iter().any(|held| held.is_protected_from(&cookie)) {
            return;
        }
        let has_ended = cookie.has_ended(now);
        if has_ended && !self.held.iter().any(|held| held.key == cookie.key) {
            return;
        }
        self.changed.insert(cookie.key.clone());
        if has_ended {
            self.held.retain(|held| held.key != cookie.key);
        } else {
            self.hold(cookie);
        }
    }
}

impl Cookie {
    fn of(url: &Url, header: &str, now: i64) -> Option<Cookie> {
        let set = SetCookie::parse(header).ok()?;
        let (name, value) = (set.name().to_owned(), set.value().to_owned());
        if !is_pair(&name, &value) {
            return None;
        }
        let (domain, subdomains) = match set.domain().filter(|domain| domain.len() <= MAX_ATTRIBUTE) {
            Some(domain) => scope(url, domain)?,
            None => (url.host_str()?.to_owned(), false),
        };
        let path = match set.path() {
            Some(path) if path.len() <= MAX_ATTRIBUTE && path.starts_with('/') && is_clean(path) => {
                path.to_owned()
            }
            _ => default_path(url),
        };
        let expires = match (set.max_age(), set.expires_datetime()) {
            (Some(age), _) => Some(now.saturating_add(age.whole_seconds())),
            (None, Some(date)) => Some(date.unix_timestamp()),
            (None, None) => None,
        };
        let cookie = Cookie {
            key: Key { domain, subdomains, path, name },
            value,
            secure: set.secure() == Some(true),
            http_only: set.http_only() == Some(true),
            expires: expires.map(|expires| expires.min(now.saturating_add(MAX_AGE))),
        };
        if cookie.secure && url.scheme() != "https" {
            return None;
        }
        // Servers trust these prefixes to say how a cookie was set.
        let is_of_host = cookie.secure && !cookie.key.subdomains && set.path() == Some("/");
        if (cookie.key.has_prefix("__Secure-") && !cookie.secure)
            || (cookie.key.has_prefix("__Host-") && !is_of_host)
        {
            return None;
        }
        Some(cookie)
    }

    pub(super) fn has_ended(&self, now: i64) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }

    /// Returns `true` if plain http may not set `other`, which would hide this cookie or replace it.
    fn is_protected_from(&self, other: &Cookie) -> bool {
        self.secure
            && self.key.name == other.key.name
            && (self.key.covers(&other.key.domain) || other.key.covers(&self.key.domain))
            && path_matches(&other.key.path, &self.key.path)
    }

    fn is_for(&self, url: &Url, now: i64) -> bool {
        !self.has_ended(now)
            && (!self.secure || url.scheme() == "https")
            && url.host_str().is_some_and(|host| self.key.covers(host))
            && path_matches(url.path(), &self.key.path)
    }
}

impl Key {
    /// Returns `true` if a host is the domain, or is below it and sent the domain's cookies. Only names have hosts below
    /// them: [`is_site`] is `false` for IP addresses.
    fn covers(&self, host: &str) -> bool {
        let below = host.strip_suffix(self.domain.as_str()).is_some_and(|rest| rest.ends_with('.'));
        host == self.domain || (self.subdomains && below)
    }

    fn has_prefix(&self, prefix: &str) -> bool {
        self.name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    }
}

/// Returns `true` if cookies may be set for a domain and the hosts below it: for names that are not a public suffix
/// (`co.jp`).
pub(super) fn is_site(domain: &Host) -> bool {
    matches!(domain, Host::Domain(name) if address::domain_of(name).is_some())
}

pub(super) fn is_pair(name: &str, value: &str) -> bool {
    let clean = |text: &str| is_clean(text) && !text.contains(';');
    let is_name = !name.is_empty() && !name.contains('=');
    is_name && clean(name) && clean(value) && name.len() + value.len() <= MAX_PAIR
}

pub(super) fn is_clean(text: &str) -> bool {
    !text.contains(char::is_control)
}

/// Returns the domain that a cookie is for by its attribute, and whether hosts below it are included; `None` if the
/// address may not set cookies there.
fn scope(url: &Url, domain: &str) -> Option<(String, bool)> {
    let domain = Host::parse(domain).ok()?;
    let key = Key { domain: domain.to_string(), subdomains: true, path: String::new(), name: String::new() };
    let host = url.host_str()?;
    if is_site(&domain) {
        key.covers(host).then_some((key.domain, true))
    } else {
        // A site on a public suffix (`https://github.io/`), or without a name, has cookies for itself.
        (host == key.domain).then_some((key.domain, false))
    }
}

fn default_path(url: &Url) -> String {
    match url.path().rsplit_once('/') {
        Some((folder, _)) if !folder.is_empty() => folder.to_owned(),
        _ => "/".to_owned(),
    }
}

fn path_matches(path: &str, of_cookie: &str) -> bool {
    path.strip_prefix(of_cookie)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || of_cookie.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NOW: i64 = 1_800_000_000;
    const DAY: i64 = 24 * 60 * 60;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    fn sent(from: &str, headers: &[&str], to: &str) -> String {
        let mut cookies = Cookies::default();
        for header in headers {
            cookies.set(&url(from), header, NOW);
        }
        cookies.header(&url(to), NOW).unwrap_or_default()
    }

    #[test]
    fn a_cookie_goes_to_its_domain_alone() {
        let from = "https://www.example.co.jp/";
        let reaches = |header: &str, to: &str| sent(from, &[header], to) == "a=1";
        assert!(reaches("a=1", from));
        assert!(!reaches("a=1", "https://example.co.jp/"));
        assert!(!reaches("a=1", "https://x.www.example.co.jp/"), "a cookie of one host");
        for domain in ["example.co.jp", ".example.co.jp", "EXAMPLE.co.jp"] {
            let header = format!("a=1; Domain={domain}");
            for to in [from, "https://example.co.jp/", "https://x.y.example.co.jp:8443/"] {
                assert!(reaches(&header, to), "{header} {to}");
            }
            assert!(!reaches(&header, "https://notexample.co.jp/"));
        }
        for domain in
            ["co.jp", "jp", "other.co.jp", "x.www.example.co.jp", "notexample.co.jp", "1.2.3.4", "a b"]
        {
            assert!(!reaches(&format!("a=1; Domain={domain}"), from), "{domain}");
        }
    }

    #[test]
    fn public_suffixes_and_addresses_have_cookies_for_themselves() {
        for host in ["github.io", "localhost", "127.0.0.1", "[::1]"] {
            let from = format!("https://{host}/");
            assert_eq!(sent(&from, &[&format!("a=1; Domain={host}")], &from), "a=1", "{host}");
            assert_eq!(sent(&from, &[&format!("a=1; Domain={host}")], "https://x.github.io/"), "", "{host}");
        }
        assert_eq!(sent("https://10.1.2.3/", &["a=1; Domain=2.3"], "https://10.1.2.3/"), "");
    }

    #[test]
    fn a_cookie_goes_to_its_path_alone() {
        let reaches = |header: &str, to: &str| sent("https://a.test/x/1", &[header], to) == "a=1";
        for header in ["a=1", "a=1; Path=/x", "a=1; Path=x", "a=1; path=/x/"] {
            assert!(reaches(header, "https://a.test/x/2"), "{header}");
            assert!(!reaches(header, "https://a.test/xy"), "{header}");
            assert!(!reaches(header, "https://a.test/"), "{header}");
        }
        assert!(reaches("a=1; Path=/", "https://a.test/y"));
        let headers = ["old=1; Path=/", "young=2; Path=/", "deep=3; Path=/x", "old=4; Path=/"];
        assert_eq!(sent("https://a.test/", &headers, "https://a.test/x/1"), "deep=3; old=4; young=2");
    }

    #[test]
    fn secure_cookies_stay_on_https() {
        let (plain, safe) = ("http://a.test/", "https://a.test/");
        assert_eq!(sent(safe, &["a=1; Secure"], safe), "a=1");
        assert_eq!(sent(safe, &["a=1; Secure"], plain), "");
        assert_eq!(sent(plain, &["a=1; Secure"], safe), "", "http cannot set it");
        let mut cookies = Cookies::default();
        cookies.set(&url(safe), "a=1; Secure; Path=/x", NOW);
        for header in ["a=2; Path=/x", "a=2; Domain=a.test; Path=/x/y", "a=; Path=/x; Max-Age=0"] {
            cookies.set(&url(plain), header, NOW);
        }
        assert_eq!(cookies.header(&url("https://a.test/x/y"), NOW).as_deref(), Some("a=1"), "nor replace it");
        cookies.set(&url(plain), "a=3; Path=/", NOW);
        assert_eq!(cookies.header(&url(safe), NOW).as_deref(), Some("a=3"), "another path is another cookie");
    }

    #[test]
    fn prefixes_of_names_are_promises() {
        let kept = |header: &str| !sent("https://a.test/", &[header], "https://a.test/").is_empty();
        assert!(kept("__Secure-a=1; Secure") && kept("__Host-a=1; Secure; Path=/"));
        for header in [
            "__Secure-a=1",
            "__secure-a=1",
            "__Host-a=1; Path=/",
            "__Host-a=1; Secure",
            "__HOST-a=1; Secure; Path=/; Domain=a.test",
        ] {
            assert!(!kept(header), "{header}");
        }
    }

    #[test]
    fn cookies_end() {
        let at = url("https://a.test/");
        let ends = |header: &str| {
            let mut cookies = Cookies::default();
            cookies.set(&at, header, NOW);
            cookies.held.first().map(|cookie| cookie.expires)
        };
        assert_eq!(ends("a=1"), Some(None));
        assert_eq!(ends("a=1; Max-Age=60; Expires=Sun, 06 Nov 1994 08:49:37 GMT"), Some(Some(NOW + 60)));
        assert_eq!(ends("a=1; Expires=Sat, 16 Jan 2027 08:00:00 GMT"), Some(Some(1_800_086_400)));
        assert_eq!(ends("a=1; Max-Age=99999999999999999999"), Some(Some(NOW + 400 * DAY)));
        assert_eq!(ends("a=1; Expires=soon"), Some(None));
        for past in ["a=1; Max-Age=0", "a=1; Max-Age=-1", "a=1; Expires=Thu, 01-Jan-1970 00:00:01 GMT"] {
            assert_eq!(ends(past), None, "{past}");
            assert_eq!(sent("https://a.test/", &["a=1; Max-Age=9", past], "https://a.test/"), "", "{past}");
        }
        let mut cookies = Cookies::default();
        cookies.set(&at, "a=1; Max-Age=60", NOW);
        assert!(cookies.header(&at, NOW + 59).is_some() && cookies.header(&at, NOW + 60).is_none());
    }

    #[test]
    fn what_no_cookie_can_be_is_passed_over() {
        let long = format!("a={}", "x".repeat(MAX_PAIR));
        for header in ["", "a", "=1", "a=1\t2", "a=\u{7f}", long.as_str()] {
            assert_eq!(sent("https://a.test/", &[header], "https://a.test/"), "", "{header}");
        }
        assert_eq!(sent("https://a.test/", &["a=\"x y\"; Foo=bar"], "https://a.test/"), "a=\"x y\"");
        let many: Vec<_> = (0..9).map(|name| format!("n{name}={}", "x".repeat(1000))).collect();
        let many: Vec<_> = many.iter().map(String::as_str).collect();
        assert_eq!(sent("https://a.test/", &many, "https://a.test/").matches('=').count(), 8);
    }

    proptest! {
        #[test]
        fn any_header_is_a_cookie_or_nothing(
            header: String,
            likely in "(__Host-)?[a-z=]{0,3}(; ?(domain|path|expires|max-age|secure)=?[-a-z0-9./: ]{0,30}){0,4}",
            to in "https?://(a\\.)?b\\.test/[a-z/]{0,4}",
        ) {
            let mut cookies = Cookies::default();
            for header in [header, likely] {
                cookies.set(&url("http://a.b.test/x/y"), &header, NOW);
            }
            if let Some(header) = cookies.header(&url(&to), NOW) {
                prop_assert!(http::HeaderValue::from_bytes(header.as_bytes()).is_ok());
            }
        }
    }
}
