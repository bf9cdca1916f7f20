//! Candidates and pages as bags of hashed tokens, for linear scores.
//!
//! The value of a token is learned: a label that is in no word list, a class name that is common among pagers, a key
//! of a query. Digits become `0`, so that a token does not identify a single page.

use super::names;
use super::seat;
use super::shared::LazyShared;
use super::survey::{LinkCandidate, LinkTarget, SurveyedPage};
use super::words::{self, LabelWords};
use tsugi_page::lexicon::Memo;
use tsugi_page::text::trim;
use tsugi_page::{Attr, NodeId, NodeKind, Page, Tag};
use tsugi_scoring::TokenHash;

/// The source of a bag of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Texts, titles and labels of a candidate's tags.
    Label,
    /// Names in the markup of its tags and around them.
    Markup,
    /// Its address, and how it differs from the page's own.
    Address,
    /// The page: what it says about itself, and its software.
    Page,
}

impl TokenKind {
    /// All kinds, in the order of the columns with their scores.
    pub const ALL: [TokenKind; 4] =
        [TokenKind::Label, TokenKind::Markup, TokenKind::Address, TokenKind::Page];

    /// Returns the name of the kind in model files.
    pub fn as_str(self) -> &'static str {
        match self {
            TokenKind::Label => "label",
            TokenKind::Markup => "markup",
            TokenKind::Address => "address",
            TokenKind::Page => "page",
        }
    }
}

const MAX_CLASSES: usize = 5;
const MAX_JSON: usize = 16_384; // Maximum number of bytes of structured data searched for the page's type.
const MAX_TAGS: usize = 6; // Maximum number of tags read per candidate; further ones add little.
const MAX_TOKEN: usize = 40; // Maximum length of a token, in bytes.

/// Levels above a tag whose names are read.
const LEVELS: [&str; 3] = ["p", "g", "h"];

/// Number of slots for finding duplicates; bags with more than half as many tokens are rare.
const SLOTS: usize = 1024;

/// A bag of tokens under construction: digests without duplicates.
pub(super) struct Bag {
    tokens: Vec<u32>,
    /// Number of tokens added, including duplicates.
    added: usize,
    /// Tokens by their last bits, each with the number of its bag.
    seen: Vec<(u32, u32)>,
    number: u32,
}

impl Default for Bag {
    fn default() -> Self {
        Bag { tokens: Vec::new(), added: 0, seen: vec![(0, 0); SLOTS], number: 1 }
    }
}

impl Bag {
    fn clear(&mut self) {
        self.tokens.clear();
        self.added = 0;
        self.number += 1;
    }

    fn push(&mut self, token: u32) {
        self.added += 1;
        if self.tokens.len() >= SLOTS / 2 {
            self.tokens.push(token);
            return;
        }
        let mut slot = token as usize % SLOTS;
        while self.seen[slot].1 == self.number {
            if self.seen[slot].0 == token {
                return;
            }
            slot = (slot + 1) % SLOTS;
        }
        self.seen[slot] = (token, self.number);
        self.tokens.push(token);
    }

    pub(super) fn distinct(&mut self) -> &[u32] {
        if self.tokens.len() > SLOTS / 2 {
            self.tokens.sort_unstable();
            self.tokens.dedup();
        }
        &self.tokens
    }

    pub(super) fn sorted(&mut self) -> Vec<u32> {
        let mut tokens = self.tokens.clone();
        tokens.sort_unstable();
        tokens.dedup();
        tokens
    }

    /// `place` distinguishes equal words.
    fn add(&mut self, place: &str, token: &str) {
        self.push(hash(place, token));
    }

    /// Adds the words of a text (in scripts without spaces, single characters and pairs), and the text as a whole.
    fn add_text(&mut self, place: &str, text: &str) {
        let text = trim(text);
        if text.is_ascii() {
            return self.add_ascii_text(place, text);
        }
        self.add(place, if text.chars().count() <= 24 { text } else { "…" });
        for word in
            text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).take(8)
        {
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

    fn add_ascii_text(&mut self, place: &str, text: &str) {
        self.add(place, if text.len() <= 24 { text } else { "…" });
        let words = text.as_bytes().split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        for word in words.filter(|word| !word.is_empty()).take(8) {
            self.push(hash_ascii("w", &word[..word.len().min(MAX_TOKEN)]));
        }
    }

    fn add_names<'p>(
        &mut self,
        place: &str,
        page: &'p Page,
        node: NodeId,
        mut known: Option<&mut ClassTokens<'p>>,
    ) {
        self.add(place, page.tag(node));
        for (at, (name, value)) in page.known_attributes(node).enumerate() {
            match name {
                Attr::Class | Attr::Id | Attr::Role | Attr::Itemprop | Attr::AriaLabel => match &mut known {
                    // Classes repeat within a list.
                    Some(known) if name == Attr::Class => {
                        for token in known.get(place, value) {
                            self.push(*token);
                        }
                    }
                    _ => each_name(place, value, |token| self.push(token)),
                },
                Attr::Href | Attr::Src | Attr::Style | Attr::Title | Attr::Alt => {}
                Attr::Rel => self.add("rel", value),
                Attr::Accesskey => self.add("accesskey", value),
                Attr::Align => self.add("align", value),
                Attr::Target => self.add("target", value),
                Attr::Type => self.add("type", value),
                _ => self.add("attribute", page.attribute_name(node, at)),
            }
        }
    }
}

fn hash(place: &str, token: &str) -> u32 {
    let token = words::cut(token, MAX_TOKEN);
    if token.is_ascii() {
        return hash_ascii(place, token.as_bytes());
    }
    let mut hash = TokenHash::new(0).text(place).byte(0xff);
    let mut after_digit = false;
    for c in token.chars() {
        let is_digit = c.is_ascii_digit();
        hash = match u8::try_from(c) {
            Ok(_) if is_digit && after_digit => hash,
            Ok(_) if is_digit => hash.byte(b'0'),
            Ok(byte) if byte.is_ascii() => hash.byte(byte.to_ascii_lowercase()),
            _ => c.to_lowercase().fold(hash, TokenHash::character),
        };
        after_digit = is_digit;
    }
    hash.finish()
}

/// `2`, `13` and `204` are equal.
fn hash_ascii(place: &str, token: &[u8]) -> u32 {
    let mut hash = TokenHash::new(0);
    // A place may be the name of a `meta` element, in any case.
    for byte in place.bytes() {
        hash = hash.byte(byte.to_ascii_lowercase());
    }
    let mut hash = hash.byte(0xff);
    let mut after_digit = false;
    for byte in token {
        let is_digit = byte.is_ascii_digit();
        if !is_digit {
            hash = hash.byte(byte.to_ascii_lowercase());
        } else if !after_digit {
            hash = hash.byte(b'0');
        }
        after_digit = is_digit;
    }
    hash.finish()
}

const MAX_VALUE: usize = 1 << 16; // Maximum number of bytes of an attribute whose names are read.

fn each_name(place: &str, value: &str, mut take: impl FnMut(u32)) {
    let wholes = words::cut(value, MAX_VALUE).split_ascii_whitespace().filter(|whole| !is_utility(whole));
    for whole in wholes.take(MAX_CLASSES) {
        let whole = without_hash(whole);
        take(hash(place, whole));
        names::each_part(whole, |part| take(hash("part", part)));
    }
}

/// The tokens of the class attributes most recently read in one place.
struct ClassTokens<'p> {
    values: Memo<'p, (usize, usize)>,
    tokens: Vec<u32>,
}

/// Number of class attributes cached: few candidates are examined in full, and those of one list share theirs.
const SLOTS_OF_CLASSES: usize = 64;
const MAX_HELD: usize = 1 << 16;

impl<'p> ClassTokens<'p> {
    fn new() -> ClassTokens<'p> {
        ClassTokens { values: Memo::of_size(SLOTS_OF_CLASSES), tokens: Vec::new() }
    }

    fn get(&mut self, place: &str, value: &'p str) -> &[u32] {
        if self.tokens.len() > MAX_HELD {
            *self = ClassTokens::new();
        }
        let tokens = &mut self.tokens;
        let (from, to) = self.values.get(value, |value| {
            let from = tokens.len();
            each_name(place, value, |token| tokens.push(token));
            (from, tokens.len())
        });
        &self.tokens[from..to]
    }
}

/// Classes that set a single property (`md:p-2`, `text-[13px]`) say nothing about an element, and are numerous.
fn is_utility(class: &str) -> bool {
    let ends_in_size = class
        .rsplit('-')
        .next()
        .is_some_and(|end| end.len() < class.len() && end.starts_with(|c: char| c.is_ascii_digit()));
    class.contains([':', '[', '/', '(']) || (ends_in_size && class.len() <= 8)
}

/// Build tools add hashes to names: `Pager_next__x7Ka2` is `Pager_next`, `pager-3f9c1d` is `pager`.
fn without_hash(class: &str) -> &str {
    let Some(at) = class.rfind(['-', '_']) else { return class };
    let (name, end) = (class[..at].trim_end_matches(['-', '_']), &class[at + 1..]);
    let has = |is: fn(&u8) -> bool| end.as_bytes().iter().any(is);
    let digits = has(u8::is_ascii_digit);
    let mixed = end.bytes().skip(1).any(|byte| byte.is_ascii_uppercase()) && has(u8::is_ascii_lowercase);
    let is_hash = (5..=12).contains(&end.len())
        && end.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && has(u8::is_ascii_alphabetic)
        && (digits || mixed);
    if is_hash && !name.is_empty() { name } else { class }
}

pub(super) struct Tokens<'a> {
    shared: &'a LazyShared<'a>,
    /// For the tag, its contents, and the levels above it.
    classes: [ClassTokens<'a>; 2 + LEVELS.len()],
    own_shape: u32,
    text: String,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(shared: &'a LazyShared<'a>) -> Tokens<'a> {
        let survey = shared.survey();
        Tokens {
            shared,
            classes: std::array::from_fn(|_| ClassTokens::new()),
            own_shape: hash("own", &shape(survey.own.last_segment())),
            text: String::new(),
        }
    }

    pub(super) fn fill(&mut self, bag: &mut Bag, at: usize, kind: TokenKind) {
        bag.clear();
        let survey = self.shared.survey();
        match kind {
            TokenKind::Label => of_label(bag, survey, &survey.candidates[at], &mut self.text),
            TokenKind::Markup => of_markup(bag, self.shared, &survey.candidates[at], &mut self.classes),
            TokenKind::Address => {
                bag.push(self.own_shape);
                of_address(bag, survey, &survey.candidates[at]);
            }
            TokenKind::Page => of_page(bag, survey),
        }
    }
}

fn of_label(bag: &mut Bag, survey: &SurveyedPage<'_>, candidate: &LinkCandidate, text: &mut String) {
    for at in candidate.items.iter().take(MAX_TAGS).map(|at| *at as usize) {
        let item = &survey.items[at];
        let page = survey.trees.tree(item.tree).0;
        if item.lead != LabelWords::default() {
            bag.add_text("lead", page.data(survey.items[at - 1].node));
        }
        text.clear();
        for node in page.subtree(item.node).take(64) {
            match page.kind(node) {
                NodeKind::Text if text.len() < 160 => {
                    text.push_str(words::cut(page.data(node).trim(), 160));
                    text.push(' ');
                }
                NodeKind::Element => {
                    for (name, value) in page.known_attributes(node) {
                        if matches!(name, Attr::Title | Attr::AriaLabel | Attr::Alt | Attr::Value)
                            && !value.trim().is_empty()
                        {
                            bag.add_text("hint", value);
                        }
                    }
                }
                _ => {}
            }
        }
        bag.add_text("text", text);
    }
}

fn of_markup<'a>(
    bag: &mut Bag,
    shared: &'a LazyShared<'a>,
    candidate: &LinkCandidate,
    classes: &mut [ClassTokens<'a>; 2 + LEVELS.len()],
) {
    let [own, inner, levels @ ..] = classes;
    let Some(at) = seat::of(shared, candidate) else { return };
    let survey = shared.survey();
    let item = &survey.items[at];
    let page = survey.trees.tree(item.tree).0;
    for node in page.subtree(item.node).take(8).filter(|node| page.is_element(*node)) {
        let (place, known) = if node == item.node { ("a", &mut *own) } else { ("in", &mut *inner) };
        bag.add_names(place, page, node, Some(known));
        if let Some(source) = page.value(node, Attr::Src) {
            bag.add("src", source.rsplit('/').next().unwrap_or(source));
        }
    }
    for ((place, known), node) in LEVELS.iter().zip(levels).zip(page.ancestors(item.node)) {
        bag.add_names(place, page, node, Some(known));
    }
    for (place, other) in [("before", at.checked_sub(1)), ("after", Some(at + 1))] {
        let other = other.and_then(|other| survey.items.get(other)).filter(|other| other.tree == item.tree);
        let text = other.map_or("", |other| {
            let page = survey.trees.tree(other.tree).0;
            if other.target == LinkTarget::Text {
                page.data(other.node)
            } else {
                page.string_value(other.node)
            }
        });
        bag.add(place, words::cut(text.trim(), 24));
    }
}

fn of_address(bag: &mut Bag, survey: &SurveyedPage<'_>, candidate: &LinkCandidate) {
    let bare = &candidate.bare;
    let middle = candidate.difference.middle(bare);
    bag.add("new", middle);
    names::each_part(middle, |part| bag.add("new part", part));
    for segment in bare.segments().rev().take(3) {
        bag.add("segment", segment);
    }
    bag.add("last", &shape(bare.last_segment()));
    for pair in bare.query().split('&').filter(|pair| !pair.is_empty()).take(8) {
        let key = pair.split('=').next().unwrap_or(pair);
        let is_new = !survey.own.query().split('&').any(|own| own == pair);
        bag.add(if is_new { "new key" } else { "key" }, key);
    }
}

fn of_page(bag: &mut Bag, survey: &SurveyedPage<'_>) {
    let page = survey.page;
    for node in page.elements() {
        match page.known_tag(node) {
            Tag::Html | Tag::Body | Tag::Main | Tag::Article => {
                bag.add_names(page.tag(node), page, node, None);
            }
            Tag::Meta => {
                let name = page
                    .value(node, Attr::Name)
                    .or_else(|| page.value(node, Attr::Property))
                    .unwrap_or_default();
                let content = page.value(node, Attr::Content).unwrap_or_default();
                if name.eq_ignore_ascii_case("generator") {
                    bag.add(name, content.split([' ', '/']).next().unwrap_or(""));
                } else if name == "og:type" {
                    bag.add(name, content);
                }
            }
            Tag::Script if page.value(node, Attr::Type).is_some_and(|kind| kind.contains("ld+json")) => {
                let json = words::cut(page.string_value(node), MAX_JSON);
                for part in json.split("\"@type\"").skip(1).take(16) {
                    if let Some(name) = part.split('"').nth(1) {
                        bag.add("@type", name);
                    }
                }
            }
            _ => {}
        }
        if bag.added > 400 {
            break;
        }
    }
    names::each_part(page.url().host_str().unwrap_or_default(), |part| bag.add("own host", part));
    for segment in survey.own.segments() {
        bag.add("own segment", segment);
        bag.add("own shape", &shape(segment));
    }
    for pair in survey.own.query().split('&').filter(|pair| !pair.is_empty()).take(8) {
        bag.add("own key", pair.split('=').next().unwrap_or(pair));
    }
    for item in &survey.items {
        if item.target == LinkTarget::Dead && item.says(LabelWords::NEXT.union(LabelWords::MORE)) {
            bag.add_names("dead", survey.trees.tree(item.tree).0, item.node, None);
        }
        if bag.added > 800 {
            break;
        }
    }
}

/// Returns a name with every run of letters as `a` and every run of digits as its length.
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
