//! What a page says about itself: title, headings, address, date, authors, language.

use crate::said;
use crate::words::{self, LabelWords};
use std::collections::BTreeSet;
use tsugi_metadata::{Metadata, Source};
use tsugi_page::{Content, NodeId, Page, Url, address::page_key, text};
use tsugi_scoring::TokenHash;

/// Maximum number of bytes read of a title.
const MAX_TITLE: usize = 512;
/// Maximum number of headings read.
const MAX_HEADINGS: usize = 500;
/// The least number of letters and digits of a text that may be a headline: shorter ones stand on many pages.
const SHORTEST_HEADLINE: usize = 6;

#[derive(Debug, Clone, Default)]
pub(super) struct Title {
    /// In lower case, with folded white space; may be empty.
    pub(super) text: String,
    /// The same, without numbers and words for "page".
    pub(super) bare: String,
    /// Its words; in scripts without spaces, pairs of characters.
    pub(super) words: BTreeSet<u32>,
    pub(super) number: Option<u32>,
    /// "part 2 of 3", "(2/3)": the number of the part, and of all parts.
    pub(super) part: Option<(u32, u32)>,
    /// "Chapter 3: The Weir": the number of the chapter.
    pub(super) chapter: Option<u32>,
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
            words: word_hashes(&bare),
            number: digits.filter(|run| run.len() <= 6).and_then(|run| run.parse().ok()),
            part: said::in_title(&text),
            chapter: said::chapter_in_title(&text),
            bare,
            text,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !text::is_alphanumeric(c) && c != '_').filter(|word| !word.is_empty())
}

/// Returns hashes of the words of a lower-case text; in scripts without spaces, of pairs of characters.
fn word_hashes(text: &str) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for word in split(text) {
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

/// Returns a digest of the letters and digits of a text that may be a headline; `None` if there are too few or too many.
pub(super) fn headline_digest(text: &str) -> Option<u32> {
    let mut hash = TokenHash::new(5);
    let mut count = 0;
    for c in words::cut(text, MAX_TITLE).chars().filter(|c| text::is_alphanumeric(*c)) {
        count += if text::is_cjk(c) { 2 } else { 1 };
        for lower in c.to_lowercase() {
            hash = hash.character(lower);
        }
    }
    (count >= SHORTEST_HEADLINE && text.len() <= MAX_TITLE).then(|| hash.finish())
}

#[derive(Debug, Clone, Default)]
pub(super) struct HeadFacts {
    pub(super) title: Title,
    /// The first `h1`.
    pub(super) heading: Title,
    pub(super) og_title: Title,
    /// The title without the name of the site.
    pub(super) headline: Title,
    /// Digests of the texts that may be the page's headline, and of its headings.
    pub(super) headlines: BTreeSet<u32>,
    pub(super) headings: BTreeSet<u32>,
    /// Keys of the addresses that the page declares as its own.
    pub(super) canonical: Option<String>,
    pub(super) og_url: Option<String>,
    pub(super) og_type: String,
    /// The day of publication.
    pub(super) date: Option<String>,
    pub(super) authors: BTreeSet<u32>,
    pub(super) section: Option<String>,
    pub(super) tags: BTreeSet<u32>,
    /// Digests of the numbers that the markup gives the article: `postid-12`, `<article id=post-12>`.
    pub(super) ids: BTreeSet<u32>,
    /// The declared language, in lower case, without a region.
    pub(super) lang: Option<String>,
}

impl HeadFacts {
    pub(super) fn of(page: &Page, content: &Content) -> HeadFacts {
        let metadata = Metadata::identity(page, content);
        let digests = |texts: &[String]| -> BTreeSet<u32> {
            texts.iter().map(|text| TokenHash::new(6).text(&text.to_lowercase()).finish()).collect()
        };
        let mut head = HeadFacts {
            title: page.title().map(|title| Title::of(&title)).unwrap_or_default(),
            headline: metadata.title.map(|title| Title::of(&title.value)).unwrap_or_default(),
            lang: page.lang().map(|lang| lang.split(['-', '_']).next().unwrap_or(lang).to_lowercase()),
            date: metadata.published.and_then(|date| Some(date.value.get(..10)?.to_owned())),
            // An organisation signs all pages of a site.
            authors: metadata
                .authors
                .filter(|authors| authors.by != Source::Organisation)
                .map(|authors| digests(&authors.value))
                .unwrap_or_default(),
            section: metadata.section.map(|section| section.value.to_lowercase()),
            tags: digests(&metadata.tags),
            ..HeadFacts::default()
        };
        let mut headings = 0;
        for node in page.elements() {
            match page.tag(node) {
                tag @ ("h1" | "h2" | "h3" | "h4") if headings < MAX_HEADINGS => {
                    headings += 1;
                    let text = page.string_value(node);
                    if tag == "h1" && head.heading.is_empty() {
                        head.heading = Title::of(text);
                    }
                    head.headings.extend(headline_digest(text));
                }
                "meta" => head.read_meta(page, node),
                "link" if head.canonical.is_none() => {
                    let rel = page.attribute(node, "rel").unwrap_or_default();
                    if rel.split_ascii_whitespace().any(|one| one.eq_ignore_ascii_case("canonical")) {
                        head.canonical = key_of(page, page.attribute(node, "href"));
                    }
                }
                "article" | "body" => head.read_ids(page, node),
                _ => {}
            }
        }
        let titles = [&head.heading, &head.og_title, &head.headline];
        head.headlines = titles.into_iter().filter_map(|title| headline_digest(&title.text)).collect();
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
            _ => {}
        }
    }

    fn read_ids(&mut self, page: &Page, node: NodeId) {
        let names = ["class", "id", "data-id", "data-post-id", "data-article-id"];
        for name in names {
            let value = page.attribute(node, name).unwrap_or_default();
            let numbered = words::cut(value, MAX_TITLE).split_ascii_whitespace().filter(|word| {
                let number = word.trim_start_matches(|c: char| !c.is_ascii_digit());
                number.len() >= 2 && number.bytes().all(|byte| byte.is_ascii_digit())
            });
            self.ids.extend(numbered.map(|word| TokenHash::new(7).text(word).finish()));
        }
    }
}

fn key_of(page: &Page, href: Option<&str>) -> Option<String> {
    let url: Url = page.resolve(href.filter(|href| !href.trim().is_empty())?)?;
    Some(page_key(&url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headlines_are_compared_by_letters_and_digits() {
        assert_eq!(headline_digest("The  Old Mill!"), headline_digest("the old mill"));
        assert_ne!(headline_digest("The old mill"), headline_digest("The new mill"));
        assert_eq!(headline_digest("News"), None);
        assert!(headline_digest("水車小屋").is_some());
    }
}
