//! One pass over a page: reads its links and the texts between them, with their positions.

use super::address::{Bare, Difference, Keys, OwnKeys, Paged, PagedBeside};
use super::arrow;
use super::names::{self, Names};
use super::resolve::{Resolved, Resolver};
use super::runs::Runs;
use super::words::{self, Reading, Words};
use bitflags::bitflags;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use tsugi_page::address::upper_escapes;
use tsugi_page::lexicon::Memo;
use tsugi_page::text::{self, has_digit, trim};
use tsugi_page::{Attr, Namespace, NodeId, NodeKind, Page, Tag, Url};

/// Maximum number of nodes examined in a link; a link around a whole section has more.
const MAX_LINK_NODES: usize = 64;

/// Maximum number of bytes kept of a link's text.
const MAX_TEXT: usize = 160;

/// Maximum length of a text outside links that may be part of a pager, in bytes.
const MAX_PLAIN: usize = 40;

/// Maximum number of bytes of a `class` that define a link's look; all links of a list include the class of the list.
pub(crate) const MAX_CLASS: usize = 512;

/// Maximum total length of the addresses of a page, in bytes. A long `base` with short links expands to more than the
/// page; further links count as leading elsewhere.
const MAX_ADDRESSES: usize = 1 << 26;

/// Maximum number of bytes of a script searched for an address.
const MAX_SCRIPT: usize = 512;

/// Maximum number of characters between a pager text and the link after it.
const MAX_LEAD_GAP: u32 = 4;

/// Maximum number of `noscript` elements with links that are parsed.
const MAX_FRAGMENTS: usize = 64;

/// Number of levels above a link that are searched for the pager around it.
const CLIMB: usize = 8;

/// Maximum number of characters, and of items, in a pager.
const PAGER_CHARACTERS: u32 = 240;
const PAGER_ITEMS: usize = 60;

/// Where an item leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// To a candidate.
    Candidate(u32),
    /// To the page itself.
    Own,
    /// To a place on the page: `#top`.
    Fragment,
    /// To another host.
    Elsewhere,
    /// To nothing that can be followed: `#`, `javascript:`, a button, an anchor without an address.
    Dead,
    /// It is not a link: a number or a word of a pager in the text.
    Text,
}

bitflags! {
    /// Values of `rel`.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(crate) struct Rel: u8 {
        const NEXT = 1;
        const PREVIOUS = 1 << 1;
        const NOFOLLOW = 1 << 2;
        const BOOKMARK = 1 << 3;
        const TAG = 1 << 4;
    }
}

impl Rel {
    fn of(value: &str) -> Rel {
        let mut rel = Rel::empty();
        for token in value.split_ascii_whitespace() {
            let is = |word: &str| token.eq_ignore_ascii_case(word);
            rel |= if is("next") {
                Rel::NEXT
            } else if is("prev") || is("previous") {
                Rel::PREVIOUS
            } else if is("nofollow") {
                Rel::NOFOLLOW
            } else if is("bookmark") {
                Rel::BOOKMARK
            } else if is("tag") || is("category") {
                Rel::TAG
            } else {
                Rel::empty()
            };
        }
        rel
    }
}

/// A link, or a text that may be part of a pager.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a tag")]
pub(crate) struct LinkItem {
    /// 0 for the page itself, or else the number of the fragment around it.
    pub(crate) tree: u16,
    /// The element, or the text node, in that tree.
    pub(crate) node: NodeId,
    pub(crate) target: Target,
    /// The visible text.
    pub(crate) text: Reading,
    /// Its title, `aria-label`, `alt` and the like.
    pub(crate) hint: Reading,
    /// Meaning of a pager text just before it: "Next: " and then the link.
    pub(crate) lead: Words,
    /// Meanings of `class`, `id` and the like, including those of elements and pictures inside it.
    pub(crate) names: Names,
    pub(crate) rel: Rel,
    /// `true` if it, or the element around it, is marked as the current item of a pager.
    pub(crate) current: bool,
    /// `true` if it, or the element around it, is marked as disabled.
    pub(crate) disabled: bool,
    pub(crate) has_picture: bool,
    pub(crate) in_head: bool,
    /// Digests of a link's text, and of its classes and its parent's.
    pub(crate) text_digest: u32,
    pub(crate) look: u32,
}

bitflags! {
    /// The elements around a node.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(crate) struct Within: u16 {
        const NAV = 1;
        const HEADER = 1 << 1;
        const FOOTER = 1 << 2;
        const ASIDE = 1 << 3;
        const ARTICLE = 1 << 4;
        const MAIN = 1 << 5;
        const LIST = 1 << 6;
        const TABLE = 1 << 7;
        const HEADING = 1 << 8;
        const PARAGRAPH = 1 << 9;
        const FORM = 1 << 10;
        const LINK = 1 << 11;
        const HIDDEN = 1 << 12;
    }
}

impl Within {
    fn of_tag(page: &Page, node: NodeId) -> Within {
        match page.known_tag(node) {
            Tag::Nav => Within::NAV,
            Tag::Header => Within::HEADER,
            Tag::Footer => Within::FOOTER,
            Tag::Aside => Within::ASIDE,
            Tag::Article => Within::ARTICLE,
            Tag::Main => Within::MAIN,
            Tag::Ul | Tag::Ol | Tag::Dl => Within::LIST,
            Tag::Table => Within::TABLE,
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => Within::HEADING,
            Tag::P => Within::PARAGRAPH,
            Tag::Form => Within::FORM,
            Tag::A | Tag::Button => Within::LINK,
            Tag::Script | Tag::Style | Tag::Noscript | Tag::Template => Within::HIDDEN,
            _ => Within::empty(),
        }
    }
}

/// What the pass over a tree records for a node.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mark {
    /// Meanings of the element's own names.
    pub(crate) names: Names,
    /// Meanings of the names of its ancestors.
    pub(crate) around: Names,
    /// The elements around it, including itself.
    pub(crate) within: Within,
    /// Number of characters before it, and number of those outside links.
    pub(crate) characters: u32,
    pub(crate) plain_characters: u32,
    /// Number of elements before it that are named "comments".
    pub(crate) comments: u32,
}

/// A tree with links: the page, or the contents of a `noscript`.
#[derive(Debug)]
struct Fragment {
    /// Its position in the page.
    place: NodeId,
    page: Page,
    marks: Vec<Mark>,
    items: ItemsBefore,
}

/// For each node, and for the end of the tree: number of items before it.
type ItemsBefore = Vec<u32>;

/// The items around an item.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Around {
    /// The element that contains them.
    pub(crate) node: NodeId,
    /// The range of their indices.
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// An address that links lead to.
#[derive(Debug)]
pub(crate) struct Candidate {
    /// The whole address.
    text: String,
    pub(crate) bare: Bare,
    pub(crate) difference: Difference,
    pub(crate) keys: Keys,
    pub(crate) paged: PagedBeside,
    /// Its items, in document order.
    pub(crate) items: Vec<u32>,
}

impl Candidate {
    /// Returns the address. Parsed only here, because few candidates are asked for it.
    ///
    /// # Panics
    ///
    /// Never: the text is a resolved address.
    pub(crate) fn url(&self) -> Url {
        self.text.parse().expect("a resolved address can be read again")
    }
}

/// Counts of items before an item, so that the counts of a range are differences.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Counts {
    pub(crate) links: u32,
    pub(crate) numbers: u32,
    pub(crate) nexts: u32,
    pub(crate) previous: u32,
    pub(crate) currents: u32,
    pub(crate) characters: u32,
}

/// A page with all data for the features of its links.
#[derive(Debug)]
pub(crate) struct Survey<'p> {
    pub(crate) page: &'p Page,
    marks: Vec<Mark>,
    items_before: ItemsBefore,
    fragments: Vec<Fragment>,
    pub(crate) landmarks: Landmarks,
    pub(crate) own: Bare,
    pub(crate) own_paged: Paged,
    /// Links and pager texts: those of the page in document order, then those of fragments.
    pub(crate) items: Vec<LinkItem>,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) counts: Vec<Counts>,
    pub(crate) runs: Runs,
    /// Targets of `<link rel=next>` and `rel=prev` in the head.
    pub(crate) head_next: Option<Target>,
    pub(crate) head_previous: Option<Target>,
    /// "Page 2 of 7" outside links: the first such pair.
    pub(crate) counter: Option<(u32, u32)>,
}

impl<'p> Survey<'p> {
    pub(crate) fn of(page: &'p Page) -> Survey<'p> {
        let own = Bare::of(page.url());
        let (marks, places) = marks(page);
        let mut survey = Survey {
            marks,
            items_before: Vec::new(),
            fragments: Vec::new(),
            landmarks: places.landmarks,
            own_paged: Paged::of(&own),
            own,
            items: Vec::new(),
            candidates: Vec::new(),
            counts: Vec::new(),
            runs: Runs::default(),
            head_next: None,
            head_previous: None,
            counter: None,
            page,
        };
        let own_keys = OwnKeys::of(&survey.own);
        let mut known = AddressBook {
            own: String::new(),
            own_keys,
            bytes_left: MAX_ADDRESSES,
            places: BTreeMap::new(),
            resolver: Resolver::of(page),
            key: String::new(),
        };
        write_key(&mut known.own, page.url().path(), page.url().query());
        survey.read_tree(0, &places.items, &mut known);
        survey.read_fragments(&places.noscripts, &mut known);
        survey.lead();
        survey.count();
        survey.runs = Runs::of(&survey);
        survey
    }

    /// Returns the tree with this number, and the marks of its nodes.
    pub(crate) fn tree(&self, tree: u16) -> (&Page, &[Mark]) {
        match tree.checked_sub(1) {
            None => (self.page, &self.marks),
            Some(at) => (&self.fragments[usize::from(at)].page, &self.fragments[usize::from(at)].marks),
        }
    }

    pub(crate) fn mark(&self, item: &LinkItem) -> &Mark {
        &self.tree(item.tree).1[item.node.index()]
    }

    /// Returns the position of the item in the page itself.
    pub(crate) fn place(&self, item: &LinkItem) -> NodeId {
        match item.tree.checked_sub(1) {
            None => item.node,
            Some(at) => self.fragments[usize::from(at)].place,
        }
    }

    /// Returns the mark of the item's position in the page itself.
    pub(crate) fn page_mark(&self, item: &LinkItem) -> &Mark {
        &self.marks[self.place(item).index()]
    }

    fn read_fragments(&mut self, noscripts: &[NodeId], known: &mut AddressBook) {
        let holds_links = |id: &&NodeId| {
            let mut tags = self.page.string_value(**id).split('<').skip(1);
            tags.any(|tag| matches!(tag.as_bytes(), [b'a' | b'A', b' ', ..]))
        };
        for place in noscripts.iter().filter(holds_links).take(MAX_FRAGMENTS).copied() {
            let page = Page::from_text(self.page.string_value(place), self.page.base());
            let (marks, places) = marks(&page);
            self.fragments.push(Fragment { place, page, marks, items: Vec::new() });
            let tree = u16::try_from(self.fragments.len()).unwrap_or(u16::MAX);
            self.read_tree(tree, &places.items, known);
        }
    }

    /// Reads the items of a tree, which are at some of these places.
    fn read_tree(&mut self, tree: u16, places: &[NodeId], known: &mut AddressBook) {
        // The tree is borrowed from `self`, so collect the items separately.
        let mut items = Vec::new();
        let mut candidates = std::mem::take(&mut self.candidates);
        let mut counter = self.counter;
        let (mut head_next, mut head_previous) = (self.head_next, self.head_previous);
        let (page, marks) = self.tree(tree);
        // Menus appear twice on a page, and all entries of a list link to it.
        let mut targets = Memo::new();
        let mut reader = LinkReader::of(page, marks, tree);
        for node in places.iter().copied() {
            match page.kind(node) {
                NodeKind::Element if page.known_tag(node) == Tag::Link => {
                    let rel = page.value(node, Attr::Rel).map_or(Rel::default(), Rel::of);
                    if rel.intersects(Rel::NEXT) || rel.intersects(Rel::PREVIOUS) {
                        let find = |href| self.target(href, known, &mut candidates);
                        let href = page.value(node, Attr::Href);
                        let target = href.map_or(Target::Dead, |href| targets.get(href, find));
                        if rel.intersects(Rel::NEXT) {
                            head_next = head_next.or(Some(target));
                            if matches!(target, Target::Candidate(_)) {
                                items.push(LinkItem { in_head: true, rel, ..blank_item(tree, node, target) });
                            }
                        } else {
                            head_previous = head_previous.or(Some(target));
                        }
                    }
                }
                NodeKind::Element => {
                    let href = page.value(node, Attr::Href).filter(|_| page.class(node).link);
                    let href = href.filter(|href| !is_dead(href)).or_else(|| scripted(page, node)).or(href);
                    let find = |href| self.target(href, known, &mut candidates);
                    let target = href.map_or(Target::Dead, |href| targets.get(href, find));
                    items.push(reader.link_item(node, target));
                }
                _ => {
                    let text = trim(page.data(node));
                    if text.is_empty() || text.len() > MAX_PLAIN || words::is_plain(text) {
                        continue;
                    }
                    let reading = words::read(text);
                    if counter.is_none() {
                        counter = counted(text, &reading);
                    }
                    if reading.number().is_some() || is_pager_text(&reading) {
                        items.push(reader.text_item(node, reading));
                    }
                }
            }
        }
        for (item, index) in items.iter().zip(self.items.len()..) {
            if let Target::Candidate(candidate) = item.target {
                candidates[candidate as usize].items.push(u32::try_from(index).unwrap_or(u32::MAX));
            }
        }
        let before = items_before(page, &items, self.items.len());
        self.items.append(&mut items);
        self.candidates = candidates;
        self.counter = counter;
        (self.head_next, self.head_previous) = (head_next, head_previous);
        match tree.checked_sub(1) {
            None => self.items_before = before,
            Some(at) => self.fragments[usize::from(at)].items = before,
        }
    }

    /// Returns where a link leads; a new address becomes a candidate.
    fn target(&self, href: &str, known: &mut AddressBook, candidates: &mut Vec<Candidate>) -> Target {
        let href = trim(href);
        if let Some(fragment) = href.strip_prefix('#') {
            return if fragment.is_empty() { Target::Dead } else { Target::Fragment };
        }
        if known.bytes_left == 0 {
            return Target::Elsewhere;
        }
        match known.resolver.resolve(self.page, href) {
            Resolved::Nowhere => return Target::Dead,
            Resolved::Elsewhere => return Target::Elsewhere,
            Resolved::Here => {}
        }
        let (text, path, query) = known.resolver.found();
        known.bytes_left = known.bytes_left.saturating_sub(text.len());
        write_key(&mut known.key, path, query);
        if known.key == known.own {
            return Target::Own;
        }
        let place = u32::try_from(candidates.len()).unwrap_or(u32::MAX);
        match known.places.entry(text::digest(known.key.as_bytes())) {
            Entry::Occupied(held) => return Target::Candidate(*held.get()),
            Entry::Vacant(free) => free.insert(place),
        };
        let bare = Bare::of_parts(path, query);
        candidates.push(Candidate {
            difference: Difference::of(&self.own, &bare),
            keys: known.own_keys.beside(&bare),
            paged: PagedBeside::of(&bare, &self.own_paged),
            bare,
            text: text.to_owned(),
            items: Vec::new(),
        });
        Target::Candidate(place)
    }

    /// Passes the meaning of a pager text to the link right after it, unless the link has such a meaning itself.
    fn lead(&mut self) {
        for at in 1..self.items.len() {
            let (text, link) = (&self.items[at - 1], &self.items[at]);
            let is_lead =
                text.target == Target::Text && text.tree == link.tree && text.text.number_count == 0;
            let speaks = link.says(words::DIRECTIONS) || link.text.is_bare_number();
            if !is_lead || speaks || link.target == Target::Text || link.in_head {
                continue;
            }
            let between = self.mark(link).characters.saturating_sub(self.mark(text).characters);
            // Nothing but the text itself, and punctuation.
            if between <= u32::from(text.text.characters) + MAX_LEAD_GAP {
                self.items[at].lead = text.text.words;
            }
        }
    }

    fn count(&mut self) {
        let mut sum = Counts::default();
        self.counts.reserve(self.items.len() + 1);
        self.counts.push(sum);
        for item in &self.items {
            let is_link = !matches!(item.target, Target::Text);
            sum.links += u32::from(is_link);
            sum.numbers += u32::from(item.text.is_bare_number());
            sum.nexts += u32::from(item.says(Words::NEXT));
            sum.previous += u32::from(item.says(Words::PREVIOUS));
            sum.currents += u32::from(item.is_current());
            sum.characters += u32::from(item.text.characters);
            self.counts.push(sum);
        }
    }

    /// Returns `true` if an item leads to the page itself, as `/guide` and `/guide.html` often do.
    pub(crate) fn is_own_entry(&self, item: &LinkItem) -> bool {
        match item.target {
            Target::Own => true,
            Target::Candidate(candidate) => {
                let bare = &self.candidates[candidate as usize].bare;
                bare.query() == self.own.query() && bare.without_extension() == self.own.without_extension()
            }
            _ => false,
        }
    }

    /// Returns the counts of a range of items.
    pub(crate) fn counts_of(&self, from: usize, to: usize) -> Counts {
        let (a, b) = (self.counts[from], self.counts[to]);
        Counts {
            links: b.links - a.links,
            numbers: b.numbers - a.numbers,
            nexts: b.nexts - a.nexts,
            previous: b.previous - a.previous,
            currents: b.currents - a.currents,
            characters: b.characters - a.characters,
        }
    }

    /// Returns the range of the items in a subtree.
    fn items_in(&self, tree: u16, node: NodeId) -> (usize, usize) {
        let before = match tree.checked_sub(1) {
            None => &self.items_before,
            Some(at) => &self.fragments[usize::from(at)].items,
        };
        let end = self.tree(tree).0.subtree_end(node);
        (before[node.index()] as usize, before[end] as usize)
    }

    /// Returns the smallest element that contains another item, and the largest that may be a pager.
    pub(crate) fn around(&self, at: usize) -> (Around, Around) {
        let item = &self.items[at];
        let page = self.tree(item.tree).0;
        let alone = Around { node: item.node, from: at, to: at + 1 };
        let (mut near, mut pager) = (None, alone);
        for node in page.ancestors(item.node).take(CLIMB) {
            let characters = page.totals(node).characters;
            let (from, to) = self.items_in(item.tree, node);
            // If an element is too large for a pager, so are its ancestors.
            if near.is_some() && (characters > PAGER_CHARACTERS || to - from > PAGER_ITEMS) {
                break;
            }
            let around = Around { node, from, to };
            if near.is_none() && to - from > 1 {
                near = Some(around);
            }
            if characters <= PAGER_CHARACTERS && to - from <= PAGER_ITEMS {
                pager = around;
            }
        }
        (near.unwrap_or(alone), pager)
    }
}

/// The addresses collected so far.
#[derive(Debug)]
struct AddressBook {
    /// The key of the page's own address.
    own: String,
    own_keys: OwnKeys,
    /// Number of bytes of addresses that may still be read.
    bytes_left: usize,
    /// For each hash of a key: the index of the candidate. Two addresses share a hash only on a malicious page; then
    /// only the first is followed.
    places: BTreeMap<u64, u32>,
    resolver: Resolver,
    /// Buffer for the key of the current address.
    key: String,
}

/// Writes the key that distinguishes the addresses of one host: what `tsugi_page::address::page_key` has after the
/// host.
fn write_key(key: &mut String, path: &str, query: Option<&str>) {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let is_default = matches!(file, "index.html" | "index.htm" | "index.php" | "");
    key.clear();
    key.push_str(if is_default { folder } else { path }.trim_end_matches('/'));
    if let Some(query) = query.filter(|query| !query.is_empty()) {
        key.push('?');
        key.push_str(query);
    }
    upper_escapes(key);
}

impl LinkItem {
    /// Returns `true` if text or hint contains one of these words.
    pub(crate) fn says(&self, words: Words) -> bool {
        self.text.words.intersects(words) || self.hint.words.intersects(words) || self.lead.intersects(words)
    }

    /// Returns `true` if the item represents the page itself in a pager.
    pub(crate) fn is_current(&self) -> bool {
        self.currency() > 0
    }

    /// Returns how strongly the item represents the page itself in a pager: 2 if it is marked so or links to the
    /// page, 1 if it is a number that leads nowhere, 0 otherwise.
    pub(crate) fn currency(&self) -> u8 {
        match self.target {
            Target::Own => 2,
            _ if self.current => 2,
            Target::Text | Target::Dead => u8::from(self.text.number().is_some()),
            _ => 0,
        }
    }
}

/// Places of possible items in document order, and the `noscript` elements of a tree.
#[derive(Debug, Default)]
struct Places {
    items: Vec<NodeId>,
    noscripts: Vec<NodeId>,
    landmarks: Landmarks,
}

/// Elements that indicate the kind of a page, in document order.
#[derive(Debug, Default)]
pub(crate) struct Landmarks {
    pub(crate) paragraphs: Vec<NodeId>,
    /// Headings of the first four levels.
    pub(crate) headings: Vec<NodeId>,
    /// `article`, `time`, `textarea`, `meta`, `body`.
    pub(crate) others: Vec<NodeId>,
    /// Number of characters in the longest text outside links.
    pub(crate) longest_text: u32,
}

/// Records the marks of all nodes and the places of items, in one pass over a tree.
fn marks(page: &Page) -> (Vec<Mark>, Places) {
    let mut marks: Vec<Mark> = Vec::with_capacity(page.node_count());
    let mut places = Places::default();
    let mut known = names::NameMemo::new();
    let (mut characters, mut plain_characters, mut comments) = (0_u32, 0_u32, 0_u32);
    for node in page.subtree(NodeId::DOCUMENT) {
        let parent = page.parent(node).map(|parent| marks[parent.index()]).unwrap_or_default();
        let mut mark = Mark {
            names: Names::empty(),
            around: parent.around.union(parent.names),
            within: parent.within,
            characters,
            plain_characters,
            comments,
        };
        match page.kind(node) {
            NodeKind::Element => {
                mark.names = known.of_element(page, node);
                mark.within |= Within::of_tag(page, node);
                comments += u32::from(mark.names.intersects(Names::COMMENT));
                let is_html = || page.namespace(node) == Namespace::Html;
                match page.known_tag(node) {
                    Tag::A | Tag::Button | Tag::Link if is_html() => places.items.push(node),
                    Tag::Noscript if is_html() => places.noscripts.push(node),
                    Tag::P => places.landmarks.paragraphs.push(node),
                    Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 => places.landmarks.headings.push(node),
                    Tag::Article | Tag::Time | Tag::Textarea | Tag::Meta | Tag::Body => {
                        places.landmarks.others.push(node);
                    }
                    _ => {}
                }
            }
            NodeKind::Text => {
                let totals = page.totals(node);
                let plain = totals.characters - totals.link_characters;
                places.landmarks.longest_text = places.landmarks.longest_text.max(plain);
                characters += totals.characters;
                plain_characters += plain;
                // A text has at least as many bytes as visible characters.
                let may_be_item = totals.characters > 0 && totals.characters as usize <= MAX_PLAIN;
                if may_be_item && !mark.within.intersects(Within::LINK.union(Within::HIDDEN)) {
                    places.items.push(node);
                }
            }
            _ => {}
        }
        marks.push(mark);
    }
    (marks, places)
}

/// Counts the items before each node of a tree, and before its end; `from` is the number of items in previous trees.
fn items_before(page: &Page, items: &[LinkItem], from: usize) -> ItemsBefore {
    let count = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let mut before = Vec::with_capacity(page.node_count() + 1);
    for (item, at) in items.iter().zip(from..) {
        before.resize(item.node.index() + 1, count(at));
    }
    before.resize(page.node_count() + 1, count(from + items.len()));
    before
}

fn blank_item(tree: u16, node: NodeId, target: Target) -> LinkItem {
    LinkItem {
        tree,
        node,
        target,
        text: Reading::default(),
        hint: Reading::default(),
        lead: Words::default(),
        names: Names::empty(),
        rel: Rel::default(),
        current: false,
        disabled: false,
        has_picture: false,
        in_head: false,
        text_digest: 0,
        look: 0,
    }
}

/// Returns `true` if an address leads nowhere that can be followed.
fn is_dead(href: &str) -> bool {
    let href = trim(href);
    href.is_empty()
        || href == "#"
        || href.get(..11).is_some_and(|scheme| scheme.eq_ignore_ascii_case("javascript:"))
}

/// Returns the address that a script of the element opens: `onclick="location.href='/2'"`.
fn scripted(page: &Page, node: NodeId) -> Option<&str> {
    let script = page.value(node, Attr::Onclick).or_else(|| page.value(node, Attr::Href))?;
    let script = words::cut(script, MAX_SCRIPT);
    let (_, after) = script.split_once("location")?;
    let quote = after.find(['\'', '"'])?;
    // Between the word and the address, allow only `.href =`, `.assign(` and the like.
    let between = &after[..quote];
    let is_plain = between.bytes().all(|b| b.is_ascii_alphabetic() || matches!(b, b'.' | b'=' | b'(' | b' '));
    if !is_plain || !between.contains(['=', '(']) {
        return None;
    }
    let rest = &after[quote + 1..];
    let address = &rest[..rest.find(&after[quote..=quote])?];
    // A concatenated string is not an address.
    let is_whole = !rest[address.len() + 1..].trim_start().starts_with('+');
    (is_whole && !address.is_empty()).then_some(address)
}

/// Reads the links of a tree.
struct LinkReader<'a> {
    page: &'a Page,
    marks: &'a [Mark],
    tree: u16,
    /// Buffers for the texts and the hints of the current link.
    text: String,
    hint: String,
    digester: Digester,
    /// The parent of the last link, with its meaning: the links of a list share one.
    parent: Option<(NodeId, Parent)>,
}

/// What the element around a link says.
#[derive(Debug, Clone, Copy, Default)]
struct Parent {
    names: Names,
    current: bool,
    disabled: bool,
    look: u32,
}

impl<'a> LinkReader<'a> {
    fn of(page: &'a Page, marks: &'a [Mark], tree: u16) -> LinkReader<'a> {
        let (text, hint, digester) = (String::new(), String::new(), Digester::default());
        LinkReader { page, marks, tree, text, hint, digester, parent: None }
    }

    /// Reads a link: its text, its hints, its names, and those of the elements inside it.
    fn link_item(&mut self, node: NodeId, target: Target) -> LinkItem {
        let (page, marks) = (self.page, self.marks);
        let around = self.parent(node);
        self.text.clear();
        self.hint.clear();
        let mut item = LinkItem {
            current: around.current,
            disabled: around.disabled,
            ..blank_item(self.tree, node, target)
        };
        let mut class = "";
        for (name, value) in page.known_attributes(node) {
            match name {
                Attr::Class => class = value,
                Attr::Rel => item.rel = Rel::of(value),
                Attr::AriaCurrent => item.current |= is_set(value),
                Attr::AriaDisabled => item.disabled |= is_set(value),
                Attr::Disabled => item.disabled = true,
                _ => {}
            }
        }
        for inner in page.subtree(node).take(MAX_LINK_NODES) {
            match page.kind(inner) {
                NodeKind::Text
                    if self.text.len() < MAX_TEXT
                        && !marks[inner.index()].within.intersects(Within::HIDDEN) =>
                {
                    self.text.push_str(words::cut(page.data(inner), MAX_TEXT));
                    self.text.push(' ');
                }
                NodeKind::Element => {
                    let is_picture = matches!(page.known_tag(inner), Tag::Img | Tag::Svg | Tag::I | Tag::Use);
                    item.has_picture |= is_picture;
                    item.names |= marks[inner.index()].names | self.hints(inner, is_picture);
                }
                _ => {}
            }
        }
        let text = trim(&self.text);
        let names = item.names.union(around.names);
        LinkItem {
            text: words::read(text),
            hint: words::read(&self.hint),
            current: item.current || names.intersects(Names::CURRENT),
            disabled: item.disabled || names.intersects(Names::DISABLED),
            text_digest: self.digester.digest([text]),
            look: self.digester.look(page, node, class).wrapping_mul(0x9e37_79b1) ^ around.look,
            ..item
        }
    }

    /// Reads the hints of an element; returns the meaning of a picture's file name.
    fn hints(&mut self, inner: NodeId, is_picture: bool) -> Names {
        let page = self.page;
        let mut names = Names::empty();
        for (at, (name, value)) in page.known_attributes(inner).enumerate() {
            let (is_hint, is_source) = match name {
                Attr::Title | Attr::AriaLabel | Attr::Alt | Attr::Value => (true, false),
                Attr::Src | Attr::Href => (false, true),
                Attr::Other => match page.attribute_name(inner, at) {
                    "data-title" | "data-original-title" | "data-icon" => (true, false),
                    "xlink:href" => (false, true),
                    "d" | "points" if page.namespace(inner) == Namespace::Svg => {
                        names |= arrow::direction(value);
                        continue;
                    }
                    _ => continue,
                },
                _ => continue,
            };
            if is_hint && self.hint.len() < MAX_TEXT {
                self.hint.push_str(words::cut(value, MAX_TEXT));
                self.hint.push(' ');
            }
            if is_source && is_picture {
                let before = value.bytes().rposition(|byte| matches!(byte, b'/' | b'#'));
                names |= names::meaning(&value[before.map_or(0, |at| at + 1)..]);
            }
        }
        names
    }

    /// Returns the item for a text outside links that may be part of a pager.
    fn text_item(&self, node: NodeId, text: Reading) -> LinkItem {
        let page = self.page;
        let parent = page.parent(node);
        let names = parent.map(|parent| self.marks[parent.index()].names).unwrap_or_default();
        LinkItem {
            text,
            names,
            current: names.intersects(Names::CURRENT)
                || parent.is_some_and(|id| matches!(page.known_tag(id), Tag::B | Tag::Strong | Tag::Em)),
            disabled: names.intersects(Names::DISABLED),
            ..blank_item(self.tree, node, Target::Text)
        }
    }

    /// Returns what the element around a link says.
    fn parent(&mut self, node: NodeId) -> Parent {
        let page = self.page;
        let parent = page.parent(node).unwrap_or(node);
        if let Some((last, known)) = self.parent
            && last == parent
        {
            return known;
        }
        let (mut known, mut class) = (Parent::default(), "");
        for (name, value) in page.known_attributes(parent) {
            match name {
                Attr::Class => class = value,
                Attr::AriaCurrent => known.current = is_set(value),
                Attr::AriaDisabled => known.disabled = is_set(value),
                _ => {}
            }
        }
        known.look = self.digester.look(page, parent, class);
        known.names = self.marks[parent.index()].names;
        self.parent = Some((parent, known));
        known
    }
}

/// Returns `true` if the value of an ARIA state means "set".
fn is_set(value: &str) -> bool {
    !matches!(value.trim(), "" | "false")
}

/// Returns `true` if a text outside links may be part of a pager, such as a disabled "next".
fn is_pager_text(reading: &Reading) -> bool {
    let words = Words::NEXT
        .union(Words::PREVIOUS)
        .union(Words::FIRST)
        .union(Words::LAST)
        .union(Words::ARROW_RIGHT)
        .union(Words::DOUBLE_RIGHT);
    reading.words.intersects(words.union(Words::ARROW_LEFT).union(Words::DOUBLE_LEFT))
        && reading.tokens <= 3
        && reading.number_count == 0
}

/// Reads "Page 2 of 7" or `2/7`: the page number and the number of pages.
fn counted(text: &str, reading: &Reading) -> Option<(u32, u32)> {
    let (first, last) = reading.numbers?;
    let is_pair =
        reading.number_count == 2 && 0 < first && first <= last && last < 100_000 && reading.tokens <= 3;
    let says_page = reading.words.intersects(Words::PAGE);
    let is_fraction = reading.tokens == 0 && text.contains('/');
    (is_pair && (says_page || is_fraction)).then_some((first, last))
}

/// Computes digests of strings without ASCII digits.
#[derive(Debug, Default)]
struct Digester {
    /// Buffer for a string without its digits.
    plain: Vec<u8>,
}

impl Digester {
    /// Returns a digest of some strings. It is 0, the digest of an item without text of its own, only by chance.
    fn digest<const N: usize>(&mut self, parts: [&str; N]) -> u32 {
        let mut digest = 1_u32;
        for part in parts {
            let part = part.as_bytes();
            let hash =
                if has_digit(part) { text::digest(self.without_digits(part)) } else { text::digest(part) };
            digest = digest.rotate_left(1) ^ (hash >> 32) as u32;
        }
        digest
    }

    /// Returns a digest of an element's names.
    fn look(&mut self, page: &Page, node: NodeId, class: &str) -> u32 {
        self.digest([page.tag(node), words::cut(class, MAX_CLASS)])
    }

    fn without_digits(&mut self, part: &[u8]) -> &[u8] {
        self.plain.resize(part.len(), 0);
        let mut kept = 0;
        // Write every byte, and overwrite it with the next one if it is a digit.
        for byte in part {
            self.plain[kept] = *byte;
            kept += usize::from(!byte.is_ascii_digit());
        }
        &self.plain[..kept]
    }
}
