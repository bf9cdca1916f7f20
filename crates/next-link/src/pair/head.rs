//! The head of a page: title, heading, address, date, author, language.

use crate::words::{self, LabelWords};
use std::collections::BTreeSet;
use tsugi_page::{NodeId, Page, Url, address::page_key, text};
use tsugi_scoring::TokenHash;

/// Maximum number of bytes read of a title, and of a script with structured data.
const MAX_TITLE: usize = 512;
const MAX_JSON: usize = 16_384;

#[derive(Debug, Clone, Default)]
pub(super) struct Title {
    /// In lower case, with folded white space; may be empty.
    pub(super) text: String,
    /// The same, without numbers and words for "page".
    pub(super) bare: String,
    /// Its words; in scripts without spaces, pairs of characters.
    pub(super) words: BTreeSet<u32>,
    pub(super) number: Option<u32>,
}

impl Title {
    pub(super) fn of(text: &str) -> Title {
        let text = text::fold(words::cut(text, MAX_TITLE)).to_lowercase();
        let mut bare = String::new();
        for word in split(&text) {
            let reading = words::read(word);
            let counts_pages = reading.number().is_some()
                || (reading.words.intersects(LabelWords::PAGE) && !reading.strange);
            if !counts_pages {
                bare.push_str(word);
                bare.push(' ');
            }
        }
        let digits = text.split(|c: char| !c.is_ascii_digit()).rfind(|run| !run.is_empty());
        Title {
            words: word_hashes(&bare, usize::MAX),
            number: digits.filter(|run| run.len() <= 6).and_then(|run| run.parse().ok()),
            bare,
            text,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Returns hashes of at most `most` words of a lower-case text; in scripts without spaces, of pairs of characters.
pub(super) fn word_hashes(text: &str, most: usize) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for word in split(text) {
        if found.len() >= most {
            break;
        }
        if !word.chars().any(text::is_cjk) {
            found.insert(TokenHash::new(0).text(word).finish());
            continue;
        }
        let mut before = None;
        for c in word.chars() {
            if let Some(before) = before.replace(c) {
                found.insert(TokenHash::new(1).character(before).character(c).finish());
            }
        }
    }
    found
}

#[derive(Debug, Clone, Default)]
pub(super) struct HeadFacts {
    pub(super) title: Title,
    pub(super) heading: Title,
    pub(super) og_title: Title,
    /// Keys of the addresses that the page declares as its own.
    pub(super) canonical: Option<String>,
    pub(super) og_url: Option<String>,
    pub(super) og_type: String,
    /// Publication date and author, as written.
    pub(super) date: Option<String>,
    pub(super) author: Option<String>,
    /// The declared language, in lower case, without a region.
    pub(super) lang: Option<String>,
}

impl HeadFacts {
    pub(super) fn of(page: &Page) -> HeadFacts {
        let mut head = HeadFacts {
            title: page.title().map(|title| Title::of(&title)).unwrap_or_default(),
            lang: page.lang().map(|lang| lang.split(['-', '_']).next().unwrap_or(lang).to_lowercase()),
            ..HeadFacts::default()
        };
        let (mut times, mut lone) = (0_u32, None);
        for node in page.elements() {
            match page.tag(node) {
                "h1" if head.heading.is_empty() => head.heading = Title::of(page.string_value(node)),
                "meta" => head.read_meta(page, node),
                "link" if head.canonical.is_none() => {
                    let rel = page.attribute(node, "rel").unwrap_or_default();
                    if rel.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case("canonical")) {
                        head.canonical = key_of(page, page.attribute(node, "href"));
                    }
                }
                "script" if page.attribute(node, "type").is_some_and(|kind| kind.contains("ld+json")) => {
                    head.read_json(page.string_value(node));
                }
                "time" => {
                    times += 1;
                    lone = page.attribute(node, "datetime").and_then(said);
                }
                _ => {}
            }
            if page.attribute(node, "itemprop") == Some("datePublished") && head.date.is_none() {
                let date = page.attribute(node, "content").or_else(|| page.attribute(node, "datetime"));
                head.date = date.and_then(said);
            }
        }
        // A single time belongs to the page; several belong to the entries of a list.
        head.date = head.date.or(lone.filter(|_| times == 1));
        head
    }

    fn read_meta(&mut self, page: &Page, node: NodeId) {
        let name =
            page.attribute(node, "property").or_else(|| page.attribute(node, "name")).unwrap_or_default();
        let Some(content) = page.attribute(node, "content") else { return };
        match name.to_ascii_lowercase().as_str() {
            "og:title" if self.og_title.is_empty() => self.og_title = Title::of(content),
            "og:url" => self.og_url = self.og_url.take().or_else(|| key_of(page, Some(content))),
            "og:type" => self.og_type = content.trim().to_ascii_lowercase(),
            "article:published_time" | "date" | "dc.date" | "pubdate" => {
                self.date = self.date.take().or_else(|| said(content));
            }
            "author" | "article:author" => self.author = self.author.take().or_else(|| said(content)),
            _ => {}
        }
    }

    /// Reads the date from structured data, if there is only one.
    fn read_json(&mut self, json: &str) {
        let json = words::cut(json, MAX_JSON);
        let mut dates = json.split("\"datePublished\"").skip(1);
        if let (Some(after), None) = (dates.next(), dates.next()) {
            let date = after.split('"').nth(1).and_then(said);
            self.date = self.date.take().or(date);
        }
    }
}

fn key_of(page: &Page, href: Option<&str>) -> Option<String> {
    let url: Url = page.resolve(href.filter(|href| !href.trim().is_empty())?)?;
    Some(page_key(&url))
}

/// Returns a value with folded white space, unless it is blank.
fn said(value: &str) -> Option<String> {
    let folded = text::fold(words::cut(value, MAX_TITLE));
    (!folded.is_empty()).then_some(folded)
}
