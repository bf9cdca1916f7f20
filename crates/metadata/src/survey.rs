//! Collects everything on a page that may state metadata, in one pass over its elements.

use crate::words::{self, WordGroup};
use std::collections::BTreeMap;
use std::ops::Range;
use tsugi_page::{Attr, Content, NodeId, NodeKind, Page, Tag, Url, address, text};

/// Maximum length of a value, in bytes.
pub(crate) const LONGEST: usize = 2000;
/// Maximum number of values kept per name, and of elements per kind.
const MOST: usize = 50;
/// Maximum number of nodes between a headline and its byline, before and after.
const BEFORE: usize = 60;
const BEHIND: usize = 180;
/// Maximum number of nodes between the end of the content and a byline.
const BEHIND_END: usize = 60;

#[derive(Debug)]
pub(crate) struct MetadataSurvey<'a> {
    pub(crate) page: &'a Page,
    /// Values of `meta` elements and of microdata, by lower-case name.
    values: BTreeMap<String, Vec<&'a str>>,
    pub(crate) headings: Vec<NodeId>,
    pub(crate) json_ld: Vec<NodeId>,
    pub(crate) canonical: Option<NodeId>,
    pub(crate) authors: Vec<NodeId>,
    /// `time` elements, abbreviations of dates, and elements that microdata marks as publication date.
    pub(crate) times: Vec<NodeId>,
    /// Scripts that are not JSON-LD.
    pub(crate) scripts: Vec<NodeId>,
    /// Links to the site's front page.
    home: Vec<NodeId>,
}

impl<'a> MetadataSurvey<'a> {
    pub(crate) fn of(page: &'a Page) -> MetadataSurvey<'a> {
        let mut survey = MetadataSurvey {
            page,
            values: BTreeMap::new(),
            headings: Vec::new(),
            json_ld: Vec::new(),
            canonical: None,
            authors: Vec::new(),
            times: Vec::new(),
            scripts: Vec::new(),
            home: Vec::new(),
        };
        let origin = page.url().origin().ascii_serialization();
        for id in page.elements() {
            survey.add(id, &origin);
        }
        survey
    }

    fn add(&mut self, id: NodeId, origin: &str) {
        let page = self.page;
        let tag = page.known_tag(id);
        match tag {
            Tag::Meta => return self.add_meta(id),
            Tag::H1 if self.headings.len() < MOST => self.headings.push(id),
            Tag::Script => {
                let kind = page.attribute(id, "type").unwrap_or_default().trim();
                let is_json =
                    kind.get(..19).is_some_and(|kind| kind.eq_ignore_ascii_case("application/ld+json"));
                if is_json && self.json_ld.len() < MOST {
                    self.json_ld.push(id);
                } else if !is_json && self.scripts.len() < MOST && page.attribute(id, "src").is_none() {
                    self.scripts.push(id);
                }
                return;
            }
            Tag::Time if self.times.len() < MOST => self.times.push(id),
            // Microformats and social networks write the date in the title of an abbreviation.
            Tag::Abbr if self.times.len() < MOST && is_date_title(page.attribute(id, "title")) => {
                self.times.push(id);
            }
            _ => {}
        }
        for (name, value) in page.known_attributes(id) {
            match name {
                Attr::Itemprop if value.len() < 200 => self.add_property(id, tag, value),
                Attr::Rel => {
                    let mut words = value.split_ascii_whitespace();
                    if tag == Tag::Link {
                        if self.canonical.is_none()
                            && words.any(|word| word.eq_ignore_ascii_case("canonical"))
                        {
                            self.canonical = Some(id);
                        }
                    } else if self.authors.len() < MOST
                        && words.any(|word| word.eq_ignore_ascii_case("author"))
                    {
                        self.authors.push(id);
                    }
                }
                Attr::Href if tag == Tag::A && self.home.len() < 8 => {
                    let path = value.trim().strip_prefix(origin).unwrap_or(value.trim());
                    if path == "/" || (path.is_empty() && !value.trim().is_empty()) {
                        self.home.push(id);
                    }
                }
                _ => {}
            }
        }
    }

    /// A tool that saved the page may have written `value` instead of `content`, or `name` instead of `property`.
    fn add_meta(&mut self, id: NodeId) {
        let page = self.page;
        let value = page.attribute(id, "content").or_else(|| page.attribute(id, "value"));
        let Some(value) = value.filter(|value| value.len() <= 4 * LONGEST && !value.trim().is_empty()) else {
            return;
        };
        for name in ["property", "name", "itemprop", "http-equiv"] {
            let names = page.attribute(id, name).filter(|names| names.len() < 200);
            for name in names.into_iter().flat_map(str::split_whitespace) {
                self.keep(name, value);
            }
        }
    }

    fn add_property(&mut self, id: NodeId, tag: Tag, names: &str) {
        let page = self.page;
        // Of items that contain others, read only plain values here.
        let value = ["content", "datetime"].iter().find_map(|name| page.attribute(id, name));
        for name in names.split_whitespace() {
            if name.eq_ignore_ascii_case("author") && self.authors.len() < MOST {
                self.authors.push(id);
            }
            if name.eq_ignore_ascii_case("datepublished") && tag != Tag::Time && self.times.len() < MOST {
                self.times.push(id);
            }
            if let Some(value) = value.filter(|value| value.len() <= LONGEST && !value.trim().is_empty()) {
                self.keep(name, value);
            }
        }
    }

    fn keep(&mut self, name: &str, value: &'a str) {
        let values = self.values.entry(name.to_lowercase()).or_default();
        if values.len() < MOST {
            values.push(value);
        }
    }

    /// Returns the values of several names, in the order of the names.
    pub(crate) fn all(&self, names: &[&str]) -> impl Iterator<Item = &'a str> + use<'a> {
        let values: Vec<&str> =
            names.iter().filter_map(|name| self.values.get(*name)).flatten().copied().collect();
        values.into_iter()
    }

    pub(crate) fn first(&self, names: &[&str]) -> Option<String> {
        let mut values = self.all(names).filter(|value| value.len() <= LONGEST).map(text::fold);
        values.find(|value| !value.is_empty())
    }

    pub(crate) fn says_article(&self) -> bool {
        self.all(&["og:type"]).any(|kind| kind.trim().eq_ignore_ascii_case("article"))
            || self.values.contains_key("article:published_time")
    }

    pub(crate) fn home_names(&self) -> impl Iterator<Item = String> + '_ {
        let page = self.page;
        // A logo in a heading belongs to the site, too.
        let is_logo = move |id: &&NodeId| page.string_value(**id).trim().is_empty();
        self.home.iter().chain(self.headings.iter().filter(is_logo)).flat_map(move |id| {
            let images = page.subtree(*id).take(20).filter_map(move |id| page.attribute(id, "alt"));
            let titles = page.attribute(*id, "title");
            let shown = Some(page.string_value(*id)).filter(|text| text.len() < 200);
            images.chain(titles).chain(shown).map(text::fold).filter(|name| (2..=60).contains(&name.len()))
        })
    }

    pub(crate) fn near(&self, headline: Option<NodeId>, content: &Content) -> BylineArea {
        let page = self.page;
        let start = headline.or_else(|| content.nodes.first().copied());
        let around = start.map_or(0..0, |start| {
            let end = headline.map_or(start.index(), |headline| page.subtree_end(headline));
            start.index().saturating_sub(BEFORE)..(end + BEHIND).min(page.node_count())
        });
        let last = content.nodes.iter().map(|node| page.subtree_end(*node)).max();
        let close = last.map_or(0..0, |end| {
            end.saturating_sub(BEHIND_END).max(around.end)..(end + BEHIND_END).min(page.node_count())
        });
        BylineArea { around, close, headline: headline.map_or(0, NodeId::index) }
    }

    /// Returns `true` if an element is not part of the article: comments, teasers, side bars, captions and the like.
    pub(crate) fn is_aside(&self, id: NodeId) -> bool {
        let mut around = std::iter::once(id).chain(self.page.ancestors(id).take(64));
        around.any(|id| begins_aside(self.page, id))
    }

    pub(crate) fn is_hidden(&self, id: NodeId) -> bool {
        let page = self.page;
        std::iter::once(id).chain(page.ancestors(id).take(64)).any(|id| {
            let style = page.attribute(id, "style").unwrap_or_default();
            page.class(id).hidden
                || page.attribute(id, "hidden").is_some()
                || page.attribute(id, "aria-hidden") == Some("true")
                || (style.len() < 1000 && style.replace(' ', "").contains("display:none"))
        })
    }

    /// Returns the short texts in a part of the page.
    pub(crate) fn texts(&self, near: Range<usize>) -> impl Iterator<Item = (NodeId, &'a str)> + '_ {
        self.texts_with(near, |data| !text::trim(data).is_empty())
    }

    /// Returns the short texts in a part of the page that have a digit of a date.
    pub(crate) fn lines_with_digits(
        &self,
        near: Range<usize>,
    ) -> impl Iterator<Item = (NodeId, &'a str)> + '_ {
        self.texts_with(near, tsugi_dates::has_digit)
    }

    fn texts_with(
        &self,
        near: Range<usize>,
        is_wanted: impl Fn(&str) -> bool,
    ) -> impl Iterator<Item = (NodeId, &'a str)> {
        let page = self.page;
        page.subtree(NodeId::DOCUMENT).skip(near.start).take(near.len()).filter_map(move |id| {
            let data = if page.kind(id) == NodeKind::Text { page.data(id) } else { "" };
            let is_short = data.len() <= LONGEST / 10 && is_wanted(data);
            let is_shown = is_short && page.parent(id).is_some_and(|parent| !page.class(parent).hidden);
            is_shown.then_some((id, data))
        })
    }
}

#[derive(Debug, Clone)]
pub(crate) struct BylineArea {
    pub(crate) around: Range<usize>,
    pub(crate) close: Range<usize>,
    pub(crate) headline: usize,
}

impl BylineArea {
    pub(crate) fn has(&self, id: NodeId) -> bool {
        self.around.contains(&id.index()) || self.close.contains(&id.index())
    }
}

/// Returns `true` if the title of an abbreviation can be a date: it has a year.
fn is_date_title(title: Option<&str>) -> bool {
    let is_digit = |c: &char| c.is_ascii_digit();
    title.is_some_and(|title| title.len() <= 80 && title.chars().filter(is_digit).count() >= 5)
}

fn begins_aside(page: &Page, id: NodeId) -> bool {
    match page.known_tag(id) {
        Tag::Aside | Tag::Nav | Tag::Figure | Tag::Figcaption | Tag::Blockquote | Tag::Noscript => {
            return true;
        }
        // Markup of the whole page says nothing about its parts.
        Tag::Body | Tag::Html | Tag::Main | Tag::Article => return false,
        // The footer of an article often holds its byline.
        Tag::Footer if !page.ancestors(id).take(64).any(|above| page.known_tag(above) == Tag::Article) => {
            return true;
        }
        _ => {}
    }
    has_mark(page, id, &["class", "id"], WordGroup::AsideMark)
}

/// Returns `true` if a word of one of some attributes is an entry of a group.
pub(crate) fn has_mark(page: &Page, id: NodeId, attributes: &[&str], group: WordGroup) -> bool {
    let mut names = attributes.iter().filter_map(|name| page.attribute(id, name));
    names.any(|name| has_class_word(name, |word| words::is_lower(group, word)))
}

/// Returns `true` if one of the words of a name in the markup, in lower case, is wanted: `PostByline__author-name` has four.
pub(crate) fn has_class_word(name: &str, is_wanted: impl Fn(&str) -> bool) -> bool {
    let is_wanted = |word: &str| {
        // Nearly all words are short and of ASCII.
        let mut lower = [0; 32];
        match lower.get_mut(..word.len()).filter(|_| word.is_ascii()) {
            Some(lower) => {
                lower.copy_from_slice(word.as_bytes());
                lower.make_ascii_lowercase();
                std::str::from_utf8(lower).is_ok_and(&is_wanted)
            }
            None => is_wanted(&word.chars().flat_map(char::to_lowercase).collect::<String>()),
        }
    };
    let (mut start, mut last, mut end) = (None, ' ', 0);
    for (at, c) in name.char_indices().take(400) {
        let is_letter = text::is_alphanumeric(c);
        let ends = !is_letter || (c.is_uppercase() && last.is_lowercase());
        if let Some(from) = start.take_if(|_| ends)
            && is_wanted(&name[from..at])
        {
            return true;
        }
        if is_letter {
            start.get_or_insert(at);
        }
        (last, end) = (c, at + c.len_utf8());
    }
    start.is_some_and(|from| is_wanted(&name[from..end]))
}

pub(crate) fn is_front(url: &Url) -> bool {
    matches!(url.path(), "" | "/") && url.query().is_none()
}

/// Returns the canonical address, if it is plausible: only a front page may name the front page.
pub(crate) fn canonical(survey: &MetadataSurvey<'_>) -> Option<Url> {
    let page = survey.page;
    let href = page.attribute(survey.canonical?, "href").filter(|href| !href.trim().is_empty())?;
    let url = page.resolve(href)?;
    let own = page.url();
    let plausible = address::is_web(&url)
        && (!address::is_web(own) || address::is_same_domain(&url, own))
        && (!is_front(&url) || is_front(own));
    plausible.then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_the_markup_have_words() {
        let words = |name: &str| {
            let found = std::cell::RefCell::new(Vec::new());
            assert!(!has_class_word(name, |word| {
                found.borrow_mut().push(word.to_owned());
                false
            }));
            found.into_inner().join(" ")
        };
        assert_eq!(words("PostByline__author-name"), "post byline author name");
        assert_eq!(words("  h1 ÉTÉété 日付"), "h1 étéété 日付");
        assert_eq!(words("--"), "");
        assert!(has_class_word("entry-date", |word| word == "date"));
    }
}
