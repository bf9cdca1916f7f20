//! Names around a block (tags, classes, roles and the like) as hashed tokens, for linear scores.

use super::block::TextBlock;
use super::context::PageContext;
use super::hash::{Hasher, mixed, salted, upper};
use std::cmp::Ordering;
use std::hash::{BuildHasher, RandomState};
use tsugi_page::text::digest;
use tsugi_page::{Attr, NodeId, Page, Tag};
use tsugi_scoring::Linear;

const NAMED_ANCESTORS: usize = 9; // Number of enclosing elements whose names are used.
/// Distances of a name: in the block's own element, in its parent, in its grandparent, further out.
const LEVELS: usize = 4;
const AROUND: usize = LEVELS - 1;

/// Appends the tokens of the names around a block: tag, class, id, role and the like of its element and its
/// ancestors.
pub fn markup_tokens(context: &PageContext<'_>, names: &MarkupNames, block: usize, tokens: &mut Vec<u32>) {
    let named = named_around(context.page(), &context.blocks().blocks[block]);
    for (level, id) in named {
        for list in names.lists(id) {
            tokens.extend(names.list(*list).iter().map(|name| token(level, *name)));
        }
    }
    tokens.sort_unstable();
    tokens.dedup();
}

/// Elements with their levels: outer levels first, and inner elements first in each.
fn named_around(page: &Page, block: &TextBlock) -> impl Iterator<Item = (usize, NodeId)> {
    let ancestors = || page.ancestors(block.owner);
    // The elements close to a block also count as elements around it.
    let around = ancestors().take(NAMED_ANCESTORS).map(|id| (AROUND, id));
    let (parent, grandparent) = (ancestors().next(), ancestors().nth(1));
    let near = [(2, grandparent), (1, parent)];
    around.chain(near.into_iter().filter_map(|(level, id)| Some((level, id?)))).chain(own_named(block))
}

fn own_named(block: &TextBlock) -> impl Iterator<Item = (usize, NodeId)> {
    let inner = Some(block.inner).filter(|inner| *inner != block.owner);
    inner.into_iter().chain([block.owner]).map(|id| (0, id))
}

fn token(level: usize, name: u32) -> u32 {
    upper(salted(level as u64, u64::from(name)))
}

/// The names of every element of a page, as hashes.
#[derive(Debug, Default)]
pub struct MarkupNames {
    /// For each node, where its part of `of_nodes` begins; at the end, where the last one ends.
    begins: Vec<u32>,
    /// The lists of each node: one for its tag, and one for each attribute with names.
    of_nodes: Vec<u32>,
    /// For each list: a range of `hashes`.
    spans: Vec<(u32, u32)>,
    hashes: Vec<u32>,
}

/// Maximum number of names read per attribute, and maximum length of a name in characters.
const MAX_NAMES: usize = 12;
const MAX_NAME: usize = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NameSource {
    Tag,
    /// `class`, `id` and others with names that are made of words.
    Words,
    Role,
    Itemprop,
    Rel,
    Itemtype,
}

impl NameSource {
    /// Returns the kind of names in an attribute; `name` returns the attribute's name if it is not a known one.
    fn of<'a>(attribute: Attr, name: impl FnOnce() -> &'a str) -> Option<NameSource> {
        match attribute {
            Attr::Class | Attr::Id | Attr::AriaLabel => Some(NameSource::Words),
            Attr::Role => Some(NameSource::Role),
            Attr::Itemprop => Some(NameSource::Itemprop),
            Attr::Rel => Some(NameSource::Rel),
            Attr::Itemtype => Some(NameSource::Itemtype),
            Attr::Other => matches!(name(), "data-testid" | "data-component").then_some(NameSource::Words),
            _ => None,
        }
    }

    const fn hasher(self) -> Hasher {
        match self {
            NameSource::Tag => Hasher::new("tag"),
            NameSource::Words => Hasher::new("name"),
            NameSource::Role => Hasher::new("role"),
            NameSource::Itemprop => Hasher::new("itemprop"),
            NameSource::Rel => Hasher::new("rel"),
            NameSource::Itemtype => Hasher::new("itemtype"),
        }
    }
}

impl MarkupNames {
    /// Collects the names of all elements around blocks.
    ///
    /// # Cost
    ///
    /// One pass over the elements with text and their attributes.
    pub fn of_page(context: &PageContext<'_>) -> MarkupNames {
        let page = context.page();
        let names =
            MarkupNames { begins: Vec::with_capacity(page.node_count() + 1), ..MarkupNames::default() };
        let mut reader = NameReader { names, values: Vec::new(), tags: [NONE; 256], seen: vec![NONE; SEEN] };
        let mut named = vec![false; page.node_count()];
        for block in &context.blocks().blocks {
            let mut at = Some(block.owner);
            while let Some(id) = at.filter(|id| !std::mem::replace(&mut named[id.index()], true)) {
                at = page.parent(id);
            }
        }
        // Inline elements; their ancestors may not be the owner of any block.
        for block in &context.blocks().blocks {
            named[block.inner.index()] = true;
        }
        for id in context.with_text.iter().filter(|id| named[id.index()]) {
            reader.names.begin_until(id.index() + 1);
            reader.read(page, *id);
        }
        reader.names.begin_until(page.node_count() + 1);
        reader.names
    }

    fn begin_until(&mut self, node: usize) {
        self.begins.resize(node, u32_of(self.of_nodes.len()));
    }

    fn lists(&self, id: NodeId) -> &[u32] {
        let (from, to) = (self.begins[id.index()], self.begins[id.index() + 1]);
        &self.of_nodes[from as usize..to as usize]
    }

    fn list(&self, number: u32) -> &[u32] {
        let (from, to) = self.spans[number as usize];
        &self.hashes[from as usize..to as usize]
    }
}

fn u32_of(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

const SEEN: usize = 1024;
const NONE: u32 = u32::MAX;

struct NameReader<'a> {
    names: MarkupNames,
    /// For each list: the value it was read from.
    values: Vec<(NameSource, &'a str)>,
    /// For each known tag: its list.
    tags: [u32; 256],
    /// For the last bits of a value's hash: the list of the latest such value. A value that was displaced is read
    /// again, so no page can cause a search.
    seen: Vec<u32>,
}

impl<'a> NameReader<'a> {
    fn read(&mut self, page: &'a Page, id: NodeId) {
        let tag = page.known_tag(id);
        let known = self.tags[tag as usize];
        let of_tag = if known == NONE { self.list(NameSource::Tag, page.tag(id)) } else { known };
        if tag != Tag::Other {
            self.tags[tag as usize] = of_tag;
        }
        self.names.of_nodes.push(of_tag);
        for (at, (attribute, value)) in page.known_attributes(id).enumerate() {
            if let Some(source) = NameSource::of(attribute, || page.attribute_name(id, at)) {
                let list = self.list(source, value);
                self.names.of_nodes.push(list);
            }
        }
    }

    fn list(&mut self, source: NameSource, value: &'a str) -> u32 {
        #[expect(clippy::cast_possible_truncation, reason = "the last bits are all that is needed")]
        let slot = (digest(value.as_bytes()) as usize ^ source as usize) % SEEN;
        let seen = self.seen[slot];
        if self.values.get(seen as usize) == Some(&(source, value)) {
            return seen;
        }
        let from = u32_of(self.names.hashes.len());
        match source {
            NameSource::Words => self.push_split(value),
            NameSource::Itemtype => self.push(source, value.rsplit('/').next().unwrap_or(value)),
            _ => self.push(source, value),
        }
        let number = u32_of(self.values.len());
        self.values.push((source, value));
        self.names.spans.push((from, u32_of(self.names.hashes.len())));
        self.seen[slot] = number;
        number
    }

    fn push(&mut self, source: NameSource, value: &str) {
        let mut hasher = source.hasher();
        value.chars().take(MAX_NAME).for_each(|c| hasher.character(c.to_ascii_lowercase()));
        self.names.hashes.push(hasher.short());
    }

    /// Appends whole names and the words they consist of: `post-content`, `postContent`, `post_content`.
    fn push_split(&mut self, value: &str) {
        for name in value.split_ascii_whitespace().take(MAX_NAMES) {
            let mut split = NameSplitter::new(&mut self.names.hashes);
            // Nearly all names are ASCII.
            if name.is_ascii() {
                for byte in name.bytes().take(MAX_NAME) {
                    split.ascii(byte);
                }
            } else {
                for c in name.chars().take(MAX_NAME) {
                    match u8::try_from(c) {
                        Ok(byte) if byte.is_ascii() => split.ascii(byte),
                        _ => split.other(c),
                    }
                }
            }
            split.end();
        }
    }
}

struct NameSplitter<'a> {
    hashes: &'a mut Vec<u32>,
    whole: Hasher,
    part: Hasher,
    open: bool,
    parts: u32,
    was_lower: bool,
}

const PART: Hasher = Hasher::new("part");

impl<'a> NameSplitter<'a> {
    fn new(hashes: &'a mut Vec<u32>) -> Self {
        let whole = NameSource::Words.hasher();
        NameSplitter { hashes, whole, part: PART, open: false, parts: 0, was_lower: false }
    }

    fn ascii(&mut self, byte: u8) {
        let lower = byte.to_ascii_lowercase();
        if lower.is_ascii_lowercase() {
            let is_lower = byte == lower;
            if !is_lower && self.was_lower {
                self.end_part();
            }
            self.whole.byte(lower);
            self.part.byte(lower);
            self.open = true;
            self.was_lower = is_lower;
        } else {
            if !byte.is_ascii_digit() {
                self.whole.byte(byte);
            }
            self.end_part();
            self.was_lower = false;
        }
    }

    fn other(&mut self, c: char) {
        self.whole.character(c);
        if c.is_alphabetic() {
            self.part.character(c);
            self.open = true;
        } else {
            self.end_part();
        }
        self.was_lower = false;
    }

    fn end_part(&mut self) {
        if self.open {
            self.hashes.push(self.part.short());
            self.parts += 1;
            (self.part, self.open) = (PART, false);
        }
    }

    fn end(mut self) {
        self.end_part();
        if self.parts > 1 {
            self.hashes.push(self.whole.short());
        }
    }
}

/// Scores the names around each block exactly as [`Linear::score`] scores [`markup_tokens`].
///
/// Consecutive blocks share most of their ancestors, so the sum is updated rather than recomputed. Weights are
/// multiples of a power of two (see [`Linear`]), so sums are exact in any order.
pub(crate) struct MarkupScorer<'a> {
    context: &'a PageContext<'a>,
    tally: MarkupTally<'a>,
    named: Vec<(usize, NodeId)>,
    next: Vec<(usize, NodeId)>,
    parent: Option<NodeId>,
}

impl<'a> MarkupScorer<'a> {
    pub(crate) fn new(model: &'a Linear, context: &'a PageContext<'a>, names: &'a MarkupNames) -> Self {
        let seed = RandomState::new().hash_one(0);
        let tally = MarkupTally {
            model,
            names,
            ranges: vec![[None; LEVELS]; names.spans.len()],
            numbers: Vec::new(),
            tokens: TokenTable { tokens: Vec::new(), places: vec![NONE; 512], seed },
            // Adding tokens one by one starts from 0, too: −0 becomes 0.
            sum: model.bias() + 0.0,
        };
        MarkupScorer { context, tally, named: Vec::new(), next: Vec::new(), parent: None }
    }

    pub(crate) fn score(&mut self, block: usize) -> f32 {
        let block = &self.context.blocks().blocks[block];
        let parent = self.context.page().parent(block.owner);
        // List items have the same ancestors, so only the nearest elements differ.
        if self.parent.is_some() && self.parent == parent {
            let own = self.named.partition_point(|(level, _)| *level != 0);
            for (level, id) in self.named.drain(own..) {
                self.tally.remove(level, id);
            }
            for (level, id) in own_named(block) {
                self.tally.add(level, id);
                self.named.push((level, id));
            }
        } else {
            self.go_to(block);
        }
        self.parent = parent;
        self.tally.sum
    }

    fn go_to(&mut self, block: &TextBlock) {
        self.next.clear();
        self.next.extend(named_around(self.context.page(), block));
        let (mut old, mut new) = (self.named.iter().peekable(), self.next.iter().peekable());
        loop {
            // Both are sorted in descending order, so the higher one is missing on the other side.
            match old.peek().cmp(&new.peek()) {
                Ordering::Equal if old.next().and(new.next()).is_none() => break,
                Ordering::Equal => {}
                Ordering::Greater => old.next().into_iter().for_each(|at| self.tally.remove(at.0, at.1)),
                Ordering::Less => new.next().into_iter().for_each(|at| self.tally.add(at.0, at.1)),
            }
        }
        std::mem::swap(&mut self.named, &mut self.next);
    }
}

/// How often each token occurs around a block, and the sum of the weights of those that do.
struct MarkupTally<'a> {
    model: &'a Linear,
    names: &'a MarkupNames,
    /// For each list and level: a range of `numbers`, computed on first use.
    ranges: Vec<[Option<(u32, u32)>; LEVELS]>,
    numbers: Vec<u32>,
    tokens: TokenTable,
    sum: f32,
}

impl MarkupTally<'_> {
    fn add(&mut self, level: usize, id: NodeId) {
        self.visit(level, id, |token, sum| {
            if token.count == 0 {
                *sum += token.weight;
            }
            token.count += 1;
        });
    }

    fn remove(&mut self, level: usize, id: NodeId) {
        self.visit(level, id, |token, sum| {
            token.count -= 1;
            if token.count == 0 {
                *sum -= token.weight;
            }
        });
    }

    fn visit(&mut self, level: usize, id: NodeId, visit: impl Fn(&mut CountedToken, &mut f32)) {
        let names = self.names;
        for list in names.lists(id) {
            for at in self.numbers_of(*list, level) {
                visit(&mut self.tokens.tokens[self.numbers[at] as usize], &mut self.sum);
            }
        }
    }

    fn numbers_of(&mut self, list: u32, level: usize) -> std::ops::Range<usize> {
        let (from, to) = self.ranges[list as usize][level].unwrap_or_else(|| {
            let from = u32_of(self.numbers.len());
            for name in self.names.list(list) {
                let token = token(level, *name);
                let weight = self.model.weight(token);
                if weight != 0.0 {
                    self.numbers.push(self.tokens.number(token, weight));
                }
            }
            let range = (from, u32_of(self.numbers.len()));
            self.ranges[list as usize][level] = Some(range);
            range
        });
        from as usize..to as usize
    }
}

struct CountedToken {
    hash: u32,
    weight: f32,
    count: u32,
}

/// Maps tokens to numbers, by open addressing.
struct TokenTable {
    tokens: Vec<CountedToken>,
    /// Numbers, or [`NONE`]; at most half of the places are taken.
    places: Vec<u32>,
    /// Unknown to the page, so that no page can choose names that collide.
    seed: u64,
}

impl TokenTable {
    fn number(&mut self, token: u32, weight: f32) -> u32 {
        let place = self.place(token);
        if self.places[place] != NONE {
            return self.places[place];
        }
        let number = u32_of(self.tokens.len());
        self.places[place] = number;
        self.tokens.push(CountedToken { hash: token, weight, count: 0 });
        if self.tokens.len() * 2 > self.places.len() {
            self.places = vec![NONE; self.places.len() * 2];
            for number in 0..self.tokens.len() {
                let place = self.place(self.tokens[number].hash);
                self.places[place] = u32_of(number);
            }
        }
        number
    }

    /// Returns the place of a token, or a free place for it.
    fn place(&self, token: u32) -> usize {
        let last = self.places.len() - 1;
        #[expect(clippy::cast_possible_truncation, reason = "the last bits are all that is needed")]
        let mut place = mixed(u64::from(token) ^ self.seed) as usize & last;
        while self.tokens.get(self.places[place] as usize).is_some_and(|held| held.hash != token) {
            place = (place + 1) & last;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_of;
    use tsugi_learning::{LinearParams, TokenRows, fit_linear};

    fn names(html: &str, tag: &str) -> Vec<u32> {
        let page = page_of(html);
        let names = MarkupNames::of_page(&PageContext::new(&page, None));
        let lists = names.lists(page.first(tag).unwrap());
        lists.iter().flat_map(|list| names.list(*list)).copied().collect()
    }

    #[test]
    fn names_are_split_into_their_words() {
        // Tag; post, content, and both together.
        let dashed = names("<p class=post-content>x", "p");
        assert_eq!(dashed.len(), 4);
        assert_eq!(names("<p class=postContent>x", "p")[1..3], dashed[1..3]);
        // Numbers in names are ignored.
        assert_eq!(names("<p id=post-12>x", "p"), names("<p id=post-7>x", "p"));
        assert_eq!(names("<p data-testid=post-content>x", "p"), dashed);
        assert!(names("<p class=a>", "p").is_empty(), "no text, no names");
    }

    #[test]
    fn values_are_read_once_and_lost_ones_again() {
        let values: Vec<String> =
            (0..3 * SEEN).map(|n| format!("<p class=n{}>x</p>", "x".repeat(n % 7))).collect();
        let page = page_of(&values.concat());
        let context = PageContext::new(&page, None);
        assert!(MarkupNames::of_page(&context).spans.len() < 16);
        let value = |n: usize| format!("<p class={}>x</p>", "n".repeat(n % 40 + 1) + &"m".repeat(n / 40));
        let html: String = (0..2 * SEEN).map(value).collect();
        let all = page_of(&(html.clone() + &html));
        let names = MarkupNames::of_page(&PageContext::new(&all, None));
        let elements: Vec<NodeId> = all.elements().filter(|id| all.is(*id, "p")).collect();
        let of = |id: NodeId| -> Vec<u32> {
            names.lists(id).iter().flat_map(|list| names.list(*list)).copied().collect()
        };
        let (first, second) = elements.split_at(2 * SEEN);
        assert!(first.iter().zip(second).all(|(one, other)| of(*one) == of(*other)));
    }

    #[test]
    fn tokens_know_how_far_away_a_name_is() {
        let page = page_of("<div class=a><p>x</p></div><p class=a>y");
        let context = PageContext::new(&page, None);
        let names = MarkupNames::of_page(&context);
        let tokens = |block: usize| {
            let mut tokens = Vec::new();
            markup_tokens(&context, &names, block, &mut tokens);
            tokens
        };
        assert_ne!(tokens(0), tokens(1));
    }

    /// Scores by [`MarkupScorer`] and by tokens, with a model fitted to the page, bit by bit.
    fn both_scores(html: &str) -> (Vec<u32>, Vec<u32>) {
        let page = page_of(html);
        let context = PageContext::new(&page, None);
        let names = MarkupNames::of_page(&context);
        let mut rows = TokenRows::default();
        let mut tokens = Vec::new();
        for block in 0..context.blocks().blocks.len() {
            tokens.clear();
            markup_tokens(&context, &names, block, &mut tokens);
            rows.push(tokens.iter().copied());
        }
        let targets: Vec<f32> = (0..rows.len()).map(|row| f32::from(u8::from(row % 3 == 0))).collect();
        // Few places, so that tokens share weights and none is 0.
        let params = LinearParams { bits: 8, l1: 0.01, ..LinearParams::default() };
        let model = fit_linear(&params, &rows, &targets, None, 1).unwrap();
        let mut scorer = MarkupScorer::new(&model, &context, &names);
        let scored = (0..rows.len()).map(|block| scorer.score(block).to_bits()).collect();
        let summed =
            (0..rows.len()).map(|row| model.score(rows.row(row).iter().copied()).to_bits()).collect();
        (scored, summed)
    }

    #[test]
    fn a_score_is_never_minus_nothing() {
        let item = "<li itemprop=name>";
        let (scored, summed) = both_scores(&format!("{item}word {item}word <ul>word {item}<ul>word "));
        assert_eq!(scored, summed);
    }

    proptest::proptest! {
        #[test]
        fn scores_are_those_of_the_tokens(
            html in "(<div class=\"a b-c\">|<p id=a1>|<b role=main>|</b>|</div>|<ul>|<li itemprop=name>|word |two words ){0,40}",
        ) {
            let (scored, summed) = both_scores(&html);
            proptest::prop_assert_eq!(scored, summed);
        }
    }
}
