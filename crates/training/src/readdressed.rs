//! Data sets whose pages have other addresses, so that models cannot learn from the numbers in addresses alone.
//!
//! All addresses of a site change by one scheme, in the pages that name them as well: true next pages and others alike. What
//! is left to tell them apart is on the pages.

use crate::dataset::DataSet;
use crate::label::{PageLabel, url_key};
use crate::random::mix;
use std::collections::BTreeMap;
use std::ops::Range;
use tsugi_page::{Response, Url, address::same_host};
use tsugi_scoring::Fnv1a64;

/// How the addresses of a site are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AddressScheme {
    /// `/notes/the-quiet-river`
    Words,
    /// `/notes/a91f07`
    Hash,
    /// `/notes/48213.html`
    ScatteredNumber,
    /// `/notes?id=41`: neighbours in the list of labels have neighbouring numbers, whether one continues the other or not.
    RunningQuery,
    /// `/notes/art101.html`, numbered alike.
    RunningFile,
    /// `/2019/03/07/the-quiet-river`
    Dated,
}

const SCHEMES: [AddressScheme; 6] = [
    AddressScheme::Words,
    AddressScheme::Hash,
    AddressScheme::ScatteredNumber,
    AddressScheme::RunningQuery,
    AddressScheme::RunningFile,
    AddressScheme::Dated,
];

const ADJECTIVES: [&str; 24] = [
    "old", "quiet", "green", "first", "lost", "long", "open", "small", "bright", "north", "late", "hidden",
    "wide", "cold", "young", "plain", "slow", "deep", "early", "broken", "warm", "silver", "empty", "round",
];
const NOUNS: [&str; 32] = [
    "river", "mill", "garden", "letter", "harbour", "winter", "market", "bridge", "orchard", "lesson",
    "signal", "island", "engine", "window", "forest", "ledger", "summer", "recipe", "village", "station",
    "question", "answer", "review", "journey", "library", "meadow", "machine", "concert", "budget",
    "painter", "kitchen", "season",
];

/// Endings of files that are no pages.
const FILES: [&str; 18] = [
    ".css", ".js", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".webp", ".pdf", ".zip", ".xml", ".json",
    ".mp3", ".mp4", ".woff", ".woff2", ".txt",
];

/// The addresses of a data set's pages, old to new.
#[derive(Debug)]
pub(crate) struct Readdressing {
    seed: u64,
    /// Place of a stored page among the labels, by its key.
    places: BTreeMap<String, usize>,
}

impl Readdressing {
    pub(crate) fn of(labels: &[PageLabel], seed: u64) -> Readdressing {
        let places = labels.iter().enumerate().rev().map(|(at, label)| (url_key(&label.url), at)).collect();
        Readdressing { seed, places }
    }

    /// Returns the new address of a page; `None` for a home page, and for what is no page.
    fn new_address(&self, url: &Url) -> Option<Url> {
        let path = url.path();
        let is_file = FILES.iter().any(|end| path.to_ascii_lowercase().ends_with(end));
        let is_home = path.trim_matches('/').is_empty() && url.query().is_none();
        if is_file || is_home || !matches!(url.scheme(), "http" | "https") {
            return None;
        }
        let key = url_key(url.as_str());
        let host = url.host_str().unwrap_or_default().trim_start_matches("www.");
        let of_host = hash(host) ^ self.seed;
        let scheme = SCHEMES[place(mix(of_host, 1), SCHEMES.len())];
        let drawn = mix(hash(&key) ^ self.seed, 2);
        // Pages of one host are neighbours in the list; a page that is not stored has a number that is far away.
        let running = self.places.get(&key).map_or(20_000 + drawn % 70_000, |at| 100 + *at as u64);
        let words = format!(
            "{}-{}-{}",
            ADJECTIVES[place(drawn, ADJECTIVES.len())],
            NOUNS[place(drawn >> 16, NOUNS.len())],
            NOUNS[place(drawn >> 32, NOUNS.len())]
        );
        let folder = folder(path);
        let (new_path, query) = match scheme {
            AddressScheme::Words => (format!("{folder}/{words}"), None),
            AddressScheme::Hash => (format!("{folder}/{:08x}", drawn >> 32), None),
            AddressScheme::ScatteredNumber => (format!("{folder}/{}.html", 10_000 + drawn % 900_000), None),
            AddressScheme::RunningQuery => (format!("{folder}/view"), Some(format!("id={running}"))),
            AddressScheme::RunningFile => (format!("{folder}/art{running}.html"), None),
            AddressScheme::Dated => {
                let (year, month, day) = (2008 + drawn % 15, 1 + (drawn >> 8) % 12, 1 + (drawn >> 20) % 28);
                (format!("{folder}/{year}/{month:02}/{day:02}/{words}"), None)
            }
        };
        let mut new = url.clone();
        new.set_path(&new_path);
        new.set_query(query.as_deref());
        Some(new)
    }

    fn map(&self, url: &str) -> String {
        let parsed: Option<Url> = url.parse().ok();
        parsed.and_then(|url| self.new_address(&url)).map_or_else(|| url.to_owned(), String::from)
    }

    pub(crate) fn label(&self, label: &PageLabel) -> PageLabel {
        PageLabel {
            url: self.map(&label.url),
            next: label.next.as_deref().map(|next| self.map(next)),
            next_any: label.next_any.iter().map(|next| self.map(next)).collect(),
            ..label.clone()
        }
    }

    /// Returns the address of a record, and its response with all addresses changed.
    pub(crate) fn record(&self, target: &str, response: Response) -> (String, Response) {
        let body = self.body(&response.url, &response.body);
        let url = self.new_address(&response.url).unwrap_or_else(|| response.url.clone());
        (self.map(target), Response { url, body, ..response })
    }

    /// Returns a page with the addresses in its attributes and strings changed.
    fn body(&self, url: &Url, body: &[u8]) -> Vec<u8> {
        let base = base(url, body);
        let mut new = Vec::with_capacity(body.len());
        let mut from = 0;
        for (value, is_address) in values(body) {
            let text = &body[value.clone()];
            if !is_address && !text.starts_with(b"http") && !text.starts_with(b"/") {
                continue;
            }
            let Some(changed) = self.value(url, &base, text) else { continue };
            new.extend_from_slice(&body[from..value.start]);
            new.extend_from_slice(changed.as_bytes());
            from = value.end;
        }
        new.extend_from_slice(&body[from..]);
        new
    }

    /// Returns the new form of an attribute's value or a string; `None` if it is no address of a page of this site.
    fn value(&self, page: &Url, base: &Url, value: &[u8]) -> Option<String> {
        let value = std::str::from_utf8(value).ok()?.trim();
        if value.is_empty() || value.starts_with('#') || value.len() > 2_000 {
            return None;
        }
        let plain = value.replace("&amp;", "&").replace("\\/", "/");
        let url = base.join(&plain).ok().filter(|url| same_host(page, url))?;
        let new = self.new_address(&url)?;
        let whole = new.as_str();
        Some(if value.contains("\\/") { whole.replace('/', "\\/") } else { whole.replace('&', "&amp;") })
    }
}

fn hash(text: &str) -> u64 {
    Fnv1a64::new().closed(text).finish()
}

/// Returns a place in a list of `count` entries.
fn place(drawn: u64, count: usize) -> usize {
    usize::try_from(drawn % count as u64).unwrap_or(0)
}

/// Returns the folder of a path, without parts that count or name pages.
fn folder(path: &str) -> String {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    let is_plain = |part: &&str| {
        !part.is_empty()
            && !part.bytes().any(|byte| byte.is_ascii_digit())
            && !matches!(*part, "page" | "p" | "seite")
    };
    folders.split('/').filter(is_plain).take(2).fold(String::new(), |folder, part| folder + "/" + part)
}

fn base(url: &Url, body: &[u8]) -> Url {
    let found = find(body, b"<base ").and_then(|at| {
        let tag = &body[at..body.len().min(at + 500)];
        values(tag).next().and_then(|(value, _)| std::str::from_utf8(&tag[value]).ok())
    });
    found.and_then(|href| url.join(href).ok()).unwrap_or_else(|| url.clone())
}

fn find(body: &[u8], what: &[u8]) -> Option<usize> {
    body.windows(what.len()).position(|window| window.eq_ignore_ascii_case(what))
}

/// Returns where the values of attributes that may hold addresses are, and strings that are whole addresses, in order; `true`
/// for attributes that hold nothing else.
fn values(body: &[u8]) -> impl Iterator<Item = (Range<usize>, bool)> + '_ {
    const NAMES: [(&[u8], bool); 5] =
        [(b"href", true), (b"action", true), (b"content", false), (b"value", false), (b"data-url", false)];
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < body.len() {
            let here = at;
            at += 1;
            let before = if body[here] == b'=' { body[..here].trim_ascii_end() } else { b"" };
            let named = NAMES.iter().find(|(name, _)| {
                before.len() > name.len()
                    && before[before.len() - name.len()..].eq_ignore_ascii_case(name)
                    && !before[before.len() - name.len() - 1].is_ascii_alphanumeric()
            });
            if let Some((_, is_address)) = named {
                let start =
                    here + 1 + body[here + 1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                let (start, length) = match body.get(start) {
                    Some(quote @ (b'"' | b'\'')) => {
                        (start + 1, body[start + 1..].iter().position(|byte| byte == quote)?)
                    }
                    Some(_) => {
                        let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
                        (start, body[start..].iter().position(ends)?)
                    }
                    None => return None,
                };
                at = start + length;
                return Some((start..start + length, *is_address));
            }
            if body[here] == b'"' && body[here + 1..].starts_with(b"http") {
                let length = body[here + 1..].iter().position(|byte| matches!(byte, b'"' | b'\n'))?;
                at = here + 1 + length;
                return Some((here + 1..here + 1 + length, true));
            }
        }
        None
    })
}

impl DataSet {
    /// Returns the same pages under other addresses.
    ///
    /// The scheme of a site's addresses is drawn by its host and `seed`. Labels and pages agree: all links to pages of the site
    /// change, whether they are stored or not.
    #[must_use]
    pub fn readdressed(&self, seed: u64) -> DataSet {
        let addresses = Readdressing::of(self.labels(), seed);
        self.with_addresses(addresses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readdressing() -> Readdressing {
        let label = |path: &str| PageLabel { url: format!("http://a.test{path}"), ..PageLabel::default() };
        Readdressing::of(&[label("/s/1.html"), label("/s/2.html")], 1)
    }

    #[test]
    fn links_and_labels_change_alike() {
        for seed in 0..40 {
            let addresses = Readdressing { seed, ..readdressing() };
            let next = addresses.map("http://a.test/s/2.html");
            assert_ne!(next, "http://a.test/s/2.html");
            let html = "<link rel=canonical href=\"http://www.a.test/s/2.html\"><a href=2.html#top>2</a> \
                <a class='x' HREF = '/s/2.html'>2</a> <script>{\"url\":\"http:\\/\\/a.test\\/s\\/2.html\"}</script>";
            let body = addresses.body(&"http://a.test/s/1.html".parse().unwrap(), html.as_bytes());
            let text = String::from_utf8(body).unwrap();
            let path = next.trim_start_matches("http://a.test").to_owned();
            assert_eq!(
                text.matches(&path).count() + text.matches(&path.replace('/', "\\/")).count(),
                4,
                "{text}"
            );
            assert!(!text.contains("2.html"), "{text}");
            assert!(text.contains("#top"), "{text}");
        }
    }

    #[test]
    fn other_sites_files_and_home_pages_stay() {
        let html = "<a href=/>home</a><link href=/a.css><a href=https://b.test/2>b</a><meta content='2 of 3'><a href=#x>";
        let body = readdressing().body(&"http://a.test/s/1.html".parse().unwrap(), html.as_bytes());
        let text = String::from_utf8(body).unwrap();
        assert!(text.contains("href=/>") && text.contains("/a.css") && text.contains("b.test/2"), "{text}");
        assert!(text.contains("2 of 3") && text.contains("href=#x"), "{text}");
    }
}
