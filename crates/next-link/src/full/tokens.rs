//! Candidates and pages as bags of hashed tokens, for linear scores.
//!
//! A label that no list of words knows, a class name that is common among pagers, a key of a query: what such
//! tokens are worth is learned. Digits become `0`, so that a token says nothing of a single page.

use super::names;
use super::survey::{Candidate, Item, Survey, Target};
use super::words;
use tsugi_learning::TokenHash;
use tsugi_page::{NodeId, NodeKind, Page};

/// What a bag of tokens is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Texts, titles and labels of a candidate's tags.
    Label,
    /// Names in the markup of its tags and around them.
    Markup,
    /// Its address, and how that differs from the page's own.
    Address,
    /// The page: what it calls itself, and what made it.
    Page,
}

impl TokenKind {
    /// All kinds, in the order of the columns that hold their scores.
    pub const ALL: [TokenKind; 4] = [TokenKind::Label, TokenKind::Markup, TokenKind::Address, TokenKind::Page];

    /// The name of the kind in model files.
    pub fn as_str(self) -> &'static str {
        match self {
            TokenKind::Label => "label",
            TokenKind::Markup => "markup",
            TokenKind::Address => "address",
            TokenKind::Page => "page",
        }
    }
}

/// Bytes of structured data that are searched for what the page calls itself.
const MAX_JSON: usize = 16_384;

/// Tags of a candidate whose tokens are taken; more say nothing new.
const MAX_TAGS: usize = 6;

/// Longest token that is told from others, in bytes.
const MAX_TOKEN: usize = 40;

/// Levels above a tag whose names are taken.
const LEVELS: [&str; 3] = ["p", "g", "h"];

/// A bag of tokens under construction: digests, sorted and without repeats once finished.
#[derive(Debug, Default)]
struct Bag {
    tokens: Vec<u32>,
}

impl Bag {
    /// Adds a token; `place` keeps equal words in different places apart.
    fn add(&mut self, place: &str, token: &str) {
        let mut hash = TokenHash::new(0).text(place).byte(0xff);
        let mut after_digit = false;
        for c in words::cut(token, MAX_TOKEN).chars().flat_map(char::to_lowercase) {
            // `2`, `13` and `204` are the same to a token.
            let is_digit = c.is_ascii_digit();
            if !(is_digit && after_digit) {
                hash = hash.character(if is_digit { '0' } else { c });
            }
            after_digit = is_digit;
        }
        self.tokens.push(hash.finish());
    }

    fn finish(mut self) -> Vec<u32> {
        self.tokens.sort_unstable();
        self.tokens.dedup();
        self.tokens
    }

    /// The words of a text, its characters by ones and twos where it has no spaces, and the text as a whole.
    fn add_text(&mut self, place: &str, text: &str) {
        let text = text.trim();
        let characters = text.chars().count();
        if characters <= 24 {
            self.add(place, text);
        } else {
            self.add(place, "…");
        }
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).take(8) {
            self.add("w", word);
            if word.chars().any(|c| c >= '\u{e00}') {
                let mut before = None;
                for (at, c) in word.char_indices().take(12) {
                    let end = at + c.len_utf8();
                    self.add("c", &word[at..end]);
                    if let Some(before) = before.replace(at) {
                        self.add("c", &word[before..end]);
                    }
                }
            }
        }
    }

    /// The class, id and other names of an element, whole and in parts.
    fn add_names(&mut self, place: &str, page: &Page, node: NodeId) {
        self.add(place, page.tag(node));
        for (name, value) in page.attributes(node) {
            match name {
                "class" | "id" | "role" | "itemprop" | "aria-label" => {
                    for whole in value.split_ascii_whitespace().take(8) {
                        self.add(place, whole);
                    }
                    names::each_part(value, |part| self.add("part", part));
                }
                "href" | "src" | "style" | "title" | "alt" => {}
                "rel" | "accesskey" | "align" | "target" | "type" => {
                    self.add(name, value);
                }
                other => self.add("attribute", other),
            }
        }
    }
}

/// The tokens of a candidate's labels.
pub(super) fn of_label(survey: &Survey<'_>, candidate: &Candidate) -> Vec<u32> {
    let mut bag = Bag::default();
    for item in tags(survey, candidate) {
        let page = survey.tree(item.tree).0;
        let mut text = String::new();
        for node in page.subtree(item.node).take(64) {
            match page.kind(node) {
                NodeKind::Text if text.len() < 160 => {
                    text.push_str(words::cut(page.data(node).trim(), 160));
                    text.push(' ');
                }
                NodeKind::Element => {
                    for (name, value) in page.attributes(node) {
                        if matches!(name, "title" | "aria-label" | "alt" | "value") && !value.trim().is_empty() {
                            bag.add_text("hint", value);
                        }
                    }
                }
                _ => {}
            }
        }
        bag.add_text("text", &text);
    }
    bag.finish()
}

/// The tokens of the markup of a candidate's tags, and around them.
pub(super) fn of_markup(survey: &Survey<'_>, candidate: &Candidate) -> Vec<u32> {
    let mut bag = Bag::default();
    for (at, item) in candidate.items.iter().take(MAX_TAGS).map(|at| (*at as usize, &survey.items[*at as usize])) {
        let page = survey.tree(item.tree).0;
        for node in page.subtree(item.node).take(8).filter(|node| page.is_element(*node)) {
            bag.add_names(if node == item.node { "a" } else { "in" }, page, node);
            if let Some(source) = page.attribute(node, "src") {
                bag.add("src", source.rsplit('/').next().unwrap_or(source));
            }
        }
        for (place, node) in LEVELS.iter().zip(page.ancestors(item.node)) {
            bag.add_names(place, page, node);
        }
        let beside = [("before", at.checked_sub(1)), ("after", Some(at + 1))];
        for (place, other) in beside {
            let other = other.and_then(|other| survey.items.get(other)).filter(|other| other.tree == item.tree);
            let Some(other) = other else {
                bag.add(place, "");
                continue;
            };
            let page = survey.tree(other.tree).0;
            bag.add(place, words::cut(page.string_value(other.node).trim(), 24));
            if other.target == Target::Text {
                bag.add(place, words::cut(page.data(other.node).trim(), 24));
            }
        }
    }
    bag.finish()
}

/// The tokens of a candidate's address.
pub(super) fn of_address(survey: &Survey<'_>, candidate: &Candidate) -> Vec<u32> {
    let mut bag = Bag::default();
    let bare = &candidate.bare;
    let middle = candidate.difference.middle(bare);
    bag.add("new", middle);
    names::each_part(middle, |part| bag.add("new part", part));
    for segment in bare.segments().rev().take(3) {
        bag.add("segment", segment);
    }
    bag.add("last", &shape(bare.last_segment()));
    bag.add("own", &shape(survey.own.last_segment()));
    for pair in bare.query().split('&').filter(|pair| !pair.is_empty()).take(8) {
        let key = pair.split('=').next().unwrap_or(pair);
        let is_new = !survey.own.query().split('&').any(|own| own == pair);
        bag.add(if is_new { "new key" } else { "key" }, key);
    }
    bag.finish()
}

/// The tokens of a page.
pub(super) fn of_page(survey: &Survey<'_>) -> Vec<u32> {
    let mut bag = Bag::default();
    let page = survey.page;
    for node in page.elements() {
        match page.tag(node) {
            "html" | "body" | "main" | "article" => bag.add_names(page.tag(node), page, node),
            "meta" => {
                let name = page.attribute(node, "name").or_else(|| page.attribute(node, "property")).unwrap_or_default();
                let content = page.attribute(node, "content").unwrap_or_default();
                if name.eq_ignore_ascii_case("generator") {
                    bag.add(name, content.split([' ', '/']).next().unwrap_or(""));
                } else if name == "og:type" {
                    bag.add(name, content);
                }
            }
            "script" if page.attribute(node, "type").is_some_and(|kind| kind.contains("ld+json")) => {
                let json = words::cut(page.string_value(node), MAX_JSON);
                for part in json.split("\"@type\"").skip(1).take(16) {
                    if let Some(name) = part.split('"').nth(1) {
                        bag.add("@type", name);
                    }
                }
            }
            _ => {}
        }
        if bag.tokens.len() > 400 {
            break;
        }
    }
    for segment in survey.own.segments() {
        bag.add("own segment", segment);
        bag.add("own shape", &shape(segment));
    }
    for pair in survey.own.query().split('&').filter(|pair| !pair.is_empty()).take(8) {
        bag.add("own key", pair.split('=').next().unwrap_or(pair));
    }
    for item in &survey.items {
        if item.target == Target::Dead && item.says(words::Words::NEXT.or(words::Words::MORE)) {
            bag.add_names("dead", survey.tree(item.tree).0, item.node);
        }
        if bag.tokens.len() > 800 {
            break;
        }
    }
    bag.finish()
}

fn tags<'a>(survey: &'a Survey<'_>, candidate: &'a Candidate) -> impl Iterator<Item = &'a Item> {
    candidate.items.iter().take(MAX_TAGS).map(|item| &survey.items[*item as usize])
}

/// A name with every run of letters as `a` and every run of digits as its length.
fn shape(name: &str) -> String {
    let mut shape = String::new();
    let mut last = ' ';
    for c in name.chars().take(64) {
        let kind = if c.is_ascii_digit() {
            '#'
        } else if c.is_alphabetic() {
            'a'
        } else {
            c
        };
        if kind != last || kind == '#' {
            shape.push(kind);
        }
        last = kind;
    }
    words::cut(&shape, 24).to_owned()
}
