//! Addresses: resolving links, comparing hosts.

pub use crate::address_noise::{is_id, without_noise};

use crate::public_suffix;
use url::Url;

/// Longest address to follow or to write, in characters.
const MAX_LENGTH: usize = 8 * 1024;

/// Resolves a link against a base and drops the fragment, and the user name and password if there are any.
///
/// Returns `None` if the link leads to no page: its scheme is neither http nor https (`javascript:`, `mailto:`), it
/// cannot be parsed, or it is longer than 8,192 characters. Pages read from files may link to files; pages on the web
/// may not.
///
/// # Examples
///
/// ```
/// use tsugi_page::address::join;
/// let base = "https://a.test/list?page=1".parse().unwrap();
/// assert_eq!(join(&base, " ?page=2#top ").unwrap().as_str(), "https://a.test/list?page=2");
/// assert!(join(&base, "javascript:void(0)").is_none());
/// ```
pub fn join(base: &Url, href: &str) -> Option<Url> {
    if href.len() > MAX_LENGTH {
        return None;
    }
    let mut url = base.join(href.trim()).ok()?;
    drop_userinfo(&mut url);
    url.set_fragment(None);
    let leads_to_page = is_web(&url) || (url.scheme() == "file" && base.scheme() == "file");
    (leads_to_page && url.as_str().len() <= MAX_LENGTH).then_some(url)
}

/// Returns `true` if an address has a host and its scheme is http or https.
pub fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty())
}

/// Drops the fragment.
#[must_use]
pub fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}

/// Drops the user name and the password.
#[must_use]
pub fn without_userinfo(url: &Url) -> Url {
    let mut url = url.clone();
    drop_userinfo(&mut url);
    url
}

fn drop_userinfo(url: &mut Url) {
    // Both fail only for addresses that can have none. Hardly any has a name, and to set an empty one compares two empty texts, which
    // is slow with AVX-512.
    if !url.username().is_empty() {
        let _ = url.set_username("");
    }
    let _ = url.set_password(None);
}

/// Returns `true` if two addresses are on the same host.
///
/// Case, a default port, `http` or `https`, and a leading `www.` make no difference (Hanamura 3.2.1 as settled in `docs/src/explanation/definitions.md`).
pub fn same_host(one: &Url, other: &Url) -> bool {
    bare_host(one) == bare_host(other) && one.port() == other.port()
}

/// Returns a key that is equal for addresses on the same host, in the sense of [`same_host`], and reads as its name.
pub fn host_key(url: &Url) -> String {
    let host = bare_host(url);
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Returns the host of an address, without a leading `www.` and without the port; empty if there is none (files).
pub fn bare_host(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

/// Returns the registrable domain of an address (`blog.example.co.jp` → `example.co.jp`), or its host if there is
/// none (IP addresses, bare names).
pub fn registrable_domain(url: &Url) -> &str {
    let host = url.host_str().unwrap_or_default();
    if url.domain().is_none() {
        return host;
    }
    domain_of(host).unwrap_or(host)
}

/// Returns `true` if two addresses have one [registrable domain](registrable_domain).
pub fn is_same_domain(one: &Url, other: &Url) -> bool {
    // Most addresses of a page have its host.
    one.host_str() == other.host_str() || registrable_domain(one) == registrable_domain(other)
}

/// Returns the registrable domain of a host's name in lower-case ASCII; `None` if it is a public suffix (`co.jp`).
pub fn domain_of(name: &str) -> Option<&str> {
    public_suffix::domain_of(name).map(|(domain, _)| domain)
}

/// Returns `true` if the host of an address is a domain below a known public suffix.
pub fn has_public_suffix(url: &Url) -> bool {
    url.domain().and_then(public_suffix::domain_of).is_some_and(|(_, is_known)| is_known)
}

/// Returns a key that is equal for addresses of the same page in practice: scheme, leading `www.`, fragment, trailing
/// slash, default document (`index.html`), the case of escapes (`%d0`), session ids and known tracking keys
/// ([`without_noise`]) make no difference.
pub fn page_key(url: &Url) -> String {
    let mut key = host_key(url);
    push_page_key(&mut key, url.path(), url.query());
    key
}

/// Appends the part of a [`page_key`] after the host.
pub fn push_page_key(key: &mut String, path: &str, query: Option<&str>) {
    let (path, query) = without_noise(path, query);
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", &path));
    let is_default = matches!(file, "index.html" | "index.htm" | "index.php" | "");
    let start = key.len();
    key.push_str(if is_default { folder } else { &path }.trim_end_matches('/'));
    if let Some(query) = query {
        key.push('?');
        key.push_str(&query);
    }
    upper_escapes(&mut key[start..]);
}

/// Writes percent escapes in capitals: `%d0%9f` and `%D0%9F` are the same bytes (RFC 3986, section 6.2.2.1).
pub fn upper_escapes(text: &mut str) {
    let mut at = 0;
    while let Some(found) = text[at..].find('%') {
        at += found + 1;
        if let Some(escape) = text.get_mut(at..at + 2) {
            escape.make_ascii_uppercase();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    #[test]
    fn links_resolve_as_in_browsers() {
        let base = url("http://a.test/b/c?d#e");
        let joined = |href: &str| join(&base, href).map(String::from);
        assert_eq!(joined("").as_deref(), Some("http://a.test/b/c?d"));
        assert_eq!(joined("#x").as_deref(), Some("http://a.test/b/c?d"));
        assert_eq!(joined("../z").as_deref(), Some("http://a.test/z"));
        assert_eq!(joined("//c.test").as_deref(), Some("http://c.test/"));
        assert_eq!(joined("次").as_deref(), Some("http://a.test/b/%E6%AC%A1"));
        assert_eq!(joined("//user:word@c.test/x").as_deref(), Some("http://c.test/x"));
        assert_eq!(join(&url("http://user@a.test/b/c"), "d").unwrap().as_str(), "http://a.test/b/d");
        for dead in ["mailto:x@a.test", "javascript:next()", "data:text/html,x", "http://", "http://[::"] {
            assert_eq!(joined(dead), None, "{dead}");
        }
        assert_eq!(joined(&"x".repeat(9000)), None);
        assert_eq!(joined("file:///etc/passwd"), None);
        let file = url("file:///articles/1.html");
        assert_eq!(join(&file, "2.html").unwrap().as_str(), "file:///articles/2.html");
    }

    #[test]
    fn hosts_and_pages_are_the_same_in_spite_of_small_differences() {
        assert_eq!(without_userinfo(&url("https://user:secret@a.test/x")), url("https://a.test/x"));
        let [plain, www, port] =
            ["https://a.test/y", "http://www.A.test:80/x", "http://a.test:8080/"].map(url);
        assert!(same_host(&www, &plain) && !same_host(&plain, &port));
        assert!(!same_host(&plain, &url("http://b.a.test/")));
        assert_eq!([&www, &port].map(host_key), ["a.test", "a.test:8080"]);
        assert_eq!([bare_host(&port), bare_host(&url("file:///articles/1.html"))], ["a.test", ""]);
        let key = |text: &str| page_key(&url(text));
        assert_eq!(key("http://www.a.test/x/index.html#top"), key("https://a.test/x"));
        assert_eq!(key("https://a.test/%d0%9f"), key("https://a.test/П"));
        assert_ne!(key("https://a.test/x?page=2"), key("https://a.test/x?page=3"));
        assert_eq!(key("https://a.test/x?utm_source=b&PHPSESSID=c"), key("https://a.test/x;jsessionid=d"));
    }

    #[test]
    fn domains_follow_the_public_suffix_list() {
        assert!(has_public_suffix(&url("https://blog.example.co.jp/x")));
        for other in ["https://article.html/", "http://localhost/"] {
            assert!(!has_public_suffix(&url(other)), "{other}");
        }
        assert_eq!(registrable_domain(&url("http://blog.example.co.jp/")), "example.co.jp");
        assert_eq!(registrable_domain(&url("http://x.github.io/")), "x.github.io");
        assert_eq!(registrable_domain(&url("http://127.0.0.1:8080/")), "127.0.0.1");
        assert_eq!(registrable_domain(&url("http://localhost/")), "localhost");
    }

    proptest::proptest! {
        #[test]
        fn joining_is_idempotent(href in "\\PC{0,40}") {
            let base = url("https://a.test/x/y?z");
            if let Some(once) = join(&base, &href) {
                proptest::prop_assert_eq!(join(&base, once.as_str()), Some(once));
            }
        }
    }
}
