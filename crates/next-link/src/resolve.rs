//! Resolves links without parsing plain addresses; a property test compares the results with [`Url::join`].
//!
//! Candidates are compared by hashes of these texts, and only the chosen one becomes a [`Url`].

use tsugi_page::{Page, Url, address};

/// Longer links, and links relative to longer bases, are left to the `url` crate, which limits addresses.
const MAX_PLAIN: usize = 2048;
const MAX_HOSTS: usize = 24; // Maximum number of hosts cached; links to further hosts are parsed each time.

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Resolved {
    /// To nothing that is a page.
    Nowhere,
    /// To a page of another host.
    Elsewhere,
    /// To a page of this host; the resolver holds its address.
    Here,
}

/// Resolves the links of a page, as [`Page::resolve`] does.
///
/// Most links are plain: a known host or none, a path without dot segments, and nothing to escape. Their addresses
/// are concatenated from parts; only the others are parsed.
#[derive(Default)]
pub(super) struct LinkResolver {
    /// The base up to its path, up to its last slash, and up to its query; empty if it is not a web address.
    origin: String,
    folder: String,
    path: String,
    is_here: bool,
    /// Beginnings of links up to their paths, and their resolved form if they lead to this host.
    hosts: Vec<(String, Option<String>)>,
    /// The address of the last link to this host, without a fragment.
    text: String,
    path_start: usize,
    path_end: usize,
}

impl LinkResolver {
    pub(super) fn of(page: &Page) -> LinkResolver {
        let base = page.base();
        let is_here = address::same_host(base, page.url());
        let mut resolver = LinkResolver { is_here, ..LinkResolver::default() };
        if address::is_web(base) && base.as_str().len() <= MAX_PLAIN {
            resolver.origin.push_str(origin(base));
            resolver.path = format!("{}{}", resolver.origin, base.path());
            let folder = resolver.path.rfind('/').map_or(0, |slash| slash + 1);
            resolver.folder = resolver.path[..folder].to_owned();
        }
        resolver
    }

    /// Returns where a link leads. `href` is trimmed and not a mere fragment.
    pub(super) fn resolve(&mut self, page: &Page, href: &str) -> Resolved {
        self.plain(href).unwrap_or_else(|| self.parsed(page, href))
    }

    pub(super) fn found(&self) -> (&str, &str, Option<&str>) {
        let path = &self.text[self.path_start..self.path_end];
        (&self.text, path, self.text.get(self.path_end + 1..))
    }

    fn parsed(&mut self, page: &Page, href: &str) -> Resolved {
        let Some(url) = page.resolve(href) else { return Resolved::Nowhere };
        let is_here = address::same_host(&url, page.url());
        if let Some((host, _)) = split_host(href)
            && self.hosts.len() < MAX_HOSTS
            && !self.hosts.iter().any(|(held, _)| held == host)
        {
            self.hosts.push((host.to_owned(), is_here.then(|| origin(&url).to_owned())));
        }
        if !is_here {
            return Resolved::Elsewhere;
        }
        self.path_start = origin(&url).len();
        self.path_end = self.path_start + url.path().len();
        self.text = url.into();
        Resolved::Here
    }

    fn plain(&mut self, href: &str) -> Option<Resolved> {
        let first = *href.as_bytes().first()?;
        if self.origin.is_empty() || href.len() > MAX_PLAIN {
            return None;
        }
        if let Some((host, rest)) = split_host(href) {
            let (_, origin) = self.hosts.iter().find(|(held, _)| held == host)?;
            let Some(origin) = origin else { return Some(Resolved::Elsewhere) };
            let (path, query) = plain_parts(rest)?;
            let path = if path.is_empty() { "/" } else { path };
            let length = origin.len();
            put(&mut self.text, [origin, path, query]);
            (self.path_start, self.path_end) = (length, self.text.len() - query.len());
            return Some(Resolved::Here);
        }
        let start = match first {
            b'/' if href.starts_with("//") => return None,
            b'/' => &self.origin,
            b'?' => &self.path,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => {
                let name = href.as_bytes().iter().take_while(|byte| is_scheme_byte(**byte)).count();
                if first.is_ascii_alphabetic() && href.as_bytes().get(name) == Some(&b':') {
                    let is = |scheme: &str| href[..name].eq_ignore_ascii_case(scheme);
                    return (!is("http") && !is("https") && !is("file")).then_some(Resolved::Nowhere);
                }
                &self.folder
            }
            _ => return None,
        };
        let (path, query) = plain_parts(href)?;
        if first != b'/' && path.contains(':') {
            return None;
        }
        if !self.is_here {
            return Some(Resolved::Elsewhere);
        }
        put(&mut self.text, [start, path, query]);
        (self.path_start, self.path_end) = (self.origin.len(), self.text.len() - query.len());
        Some(Resolved::Here)
    }
}

fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// Concatenates an address: its start, the rest of its path, and its query with the question mark.
fn put(text: &mut String, parts: [&str; 3]) {
    text.clear();
    text.extend(parts);
}

fn origin(url: &Url) -> &str {
    let after = |part: Option<&str>| part.map_or(0, |part| part.len() + 1);
    let path_end = url.as_str().len() - after(url.fragment()) - after(url.query());
    &url.as_str()[..path_end - url.path().len()]
}

/// Splits a link after its host: `https://a.test` and `/x`, `//a.test:8080` and `?y`.
fn split_host(href: &str) -> Option<(&str, &str)> {
    let schemes = ["https://", "http://", "//"];
    let start = schemes.iter().find(|scheme| href.starts_with(**scheme))?.len();
    let length = href.as_bytes()[start..].iter().take_while(|byte| is_host_byte(**byte)).count();
    let is_end = matches!(href.as_bytes().get(start + length), None | Some(b'/' | b'?' | b'#'));
    (length > 0 && is_end).then(|| href.split_at(start + length))
}

fn is_host_byte(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b':')
}

/// How an address treats each byte of a link.
const KINDS: [u8; 256] = {
    let mut kinds = [NOT_KEPT; 256];
    let mut byte: u8 = 0;
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b'?' | b'#' => END,
            b'.' => DOT,
            b'%' => PERCENT,
            b'[' | b']' => BRACKET,
            b'/' | b'-' | b'_' | b'~' | b'!' | b'$' | b'&' | b'(' | b')' | b'*' | b'+' | b',' | b';'
            | b'=' | b':' | b'@' => KEPT,
            _ if byte.is_ascii_alphanumeric() => KEPT,
            _ => NOT_KEPT,
        };
        byte += 1;
    }
    kinds
};

const KEPT: u8 = 0;
const NOT_KEPT: u8 = 1; // It is escaped, dropped, or has another meaning.
const END: u8 = 2;
const DOT: u8 = 3; // It may be part of a dot segment.
const PERCENT: u8 = 4;
const BRACKET: u8 = 5; // It is kept only in queries.

/// Returns path and query (with its question mark) if an address would keep them; the fragment is dropped.
fn plain_parts(rest: &str) -> Option<(&str, &str)> {
    let bytes = rest.as_bytes();
    let (mut path_end, mut before) = (bytes.len(), b'/');
    for (at, byte) in bytes.iter().copied().enumerate() {
        match KINDS[usize::from(byte)] {
            END => {
                path_end = at;
                break;
            }
            DOT if before == b'/' => return None,
            // `%2e` is a dot, too.
            PERCENT if bytes.get(at + 1) == Some(&b'2') && matches!(bytes.get(at + 2), Some(b'e' | b'E')) => {
                return None;
            }
            NOT_KEPT | BRACKET => return None,
            _ => {}
        }
        before = byte;
    }
    let mut end = path_end;
    for byte in bytes[path_end..].iter().copied() {
        match KINDS[usize::from(byte)] {
            END if byte == b'#' => break,
            NOT_KEPT => return None,
            _ => end += 1,
        }
    }
    Some((&rest[..path_end], &rest[path_end..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(own: &str, base: &str, hrefs: &[String]) {
        let page = Page::from_text(&format!("<base href='{base}'>"), &own.parse().unwrap());
        let mut resolver = LinkResolver::of(&page);
        for href in hrefs.iter().map(|href| href.trim()).filter(|href| !href.starts_with('#')) {
            let expected = match page.resolve(href) {
                None => (Resolved::Nowhere, String::new(), String::new(), None),
                Some(url) if !address::same_host(&url, page.url()) => {
                    (Resolved::Elsewhere, String::new(), String::new(), None)
                }
                Some(url) => {
                    let query = url.query().map(str::to_owned);
                    (Resolved::Here, url.as_str().to_owned(), url.path().to_owned(), query)
                }
            };
            let resolved = resolver.resolve(&page, href);
            let found = match resolved {
                Resolved::Here => {
                    let (text, path, query) = resolver.found();
                    (resolved, text.to_owned(), path.to_owned(), query.map(str::to_owned))
                }
                _ => (resolved, String::new(), String::new(), None),
            };
            assert_eq!(found, expected, "{href} on {own} with base {base}");
        }
    }

    #[test]
    fn addresses_that_are_too_long_lead_nowhere() {
        let long = "x/".repeat(4_000);
        compare("https://a.test/", &format!("https://a.test/{long}"), &["y".repeat(100), "y".repeat(1_000)]);
    }

    const HREFS: &[&str] = &[
        "", "/", "//", "///x", "/a/b", "/a//b/", "/a/./b", "/a/../b", "/a/%2e/b", "/a/.b", "b", "b/c.html",
        "./b", "../b", ".b", "?", "?a=b", "?a=b#c", "a?b=c?d#e", "a#", "/a b", "/a'b", "?a'b", "?a[]=1",
        "/a[]", "/次", "/a|b", "/a^b", "/a\\b", "\\a", "/a\tb", "ht\ttp://b.test/", "mailto:x@a.test",
        "javascript:x", "JavaScript:x", "tel:1", "a:b", "a.b:c", "1:2", "x/y:z", "http:", "http:x",
        "https:/x", "file:///x", "FILE:///x", "http://a.test", "http://a.test", "http://a.test?x",
        "http://a.test#x", "http://www.a.test/x", "http://www.a.test:80/x", "https://a.test:443/x",
        "https://a.test:443/y", "https://a.test:8443/x", "https://a.test:8443/x", "//a.test/x",
        "//a.test/x?y", "//b.test/x", "//b.test/ y", "http://b.test/x", "http://b.test/../x",
        "http://B.test/x", "http://A.test/x", "http://x:y@a.test/x", "http://1.2.3/x", "http://1.2.3/y",
        "http://1.2.3.999/", "http://1.2.3.999/", "http://a..test/", "http://a.test:/x", "http://a.test:/y",
        "http://a.test:x/", "http://a.test:99999/", "http://xn--/x", "http:///x", "//?x", "http://?x", "~x",
        "_x", "-x", "%41", "x%2Ey", "@x", "*",
    ];

    #[test]
    fn links_lead_where_the_library_says() {
        let hrefs: Vec<String> = HREFS.iter().map(|href| (*href).to_owned()).collect();
        for own in [
            "https://a.test/dir/page?x=1#y",
            "http://www.a.test",
            "https://u:p@a.test:8443/x/",
            "file:///articles/1.html",
        ] {
            for base in ["", "/other/x?y#z", "//c.test/x", "http://a.test/q"] {
                compare(own, base, &hrefs);
            }
        }
        let hosts: Vec<String> = (0..3 * MAX_HOSTS).map(|at| format!("//h{}.test/x", at % 40)).collect();
        let long = [format!("/{}", "x".repeat(9000)), format!("/{}", "次".repeat(2000))];
        compare("https://a.test/", "", &hosts);
        compare("https://a.test/", "", &long);
    }

    proptest::proptest! {
        #[test]
        fn any_link_leads_where_the_library_says(
            hrefs in proptest::collection::vec(
                "(http:|https:|//|/|a\\.test|//a\\.test|https://a\\.test|//b\\.test|//u@a\\.test|//\\[::1\\]|:443|:80|\\.|\\.\\.|a|%|2e|2E|41|\\?|#|=|&|'|\\[|次| |\\\\|@|:|x){0,8}", 1..6
            )
        ) {
            compare("https://a.test/dir/page?x=1", "", &hrefs);
            compare("http://a.test", "/b/c/", &hrefs);
        }
    }
}
