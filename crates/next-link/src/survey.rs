//! One pass over a page: reads its links and the texts between them, with their positions.

use super::address::{Bare, Difference, Keys, OwnKeys, Paged, PagedBeside};
use super::arrow;
use super::names::{self, NameFlags};
use super::ordinals;
use super::refresh;
use super::resolve::{LinkResolver, Resolved};
use super::runs::NumberRows;
use super::ways::{self, LinkWay, PageForms};
use super::words::{self, LabelReading, LabelWords};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use tsugi_page::address::{self, push_page_key};
use tsugi_page::lexicon::Memo;
use tsugi_page::text::{self, has_digit, trim};
use tsugi_page::{Attr, Namespace, NodeId, NodeKind, Page, Tag, Url};

/// Maximum number of nodes examined in a link; a link around a whole section has more.
const MAX_LINK_NODES: usize = 64;
const MAX_TEXT: usize = 160; // Maximum number of bytes kept of a link's text.
const MAX_PLAIN: usize = 40; // Maximum length of a text outside links that may be part of a pager, in bytes.
/// Maximum number of bytes of a `class` that define a link's look; all links of a list include the class of the list.
pub(crate) const MAX_CLASS: usize = 512;

/// Maximum total length of the addresses of a page, in bytes. A long `base` with short links expands to more than the
/// page; further links count as leading elsewhere.
const MAX_ADDRESSES: usize = 1 << 26;
const MAX_LEAD_GAP: u32 = 4; // Maximum number of characters between a pager text and the link after it.
const MAX_FRAGMENTS: usize = 64; // Maximum number of `noscript` elements with links that are parsed.
const CLIMB: usize = 8; // Number of levels above a link that are searched for the pager around it.
/// Maximum number of characters, and of items, in a pager.
const PAGER_CHARACTERS: u32 = 240;
const PAGER_ITEMS: usize = 60;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkTarget {
    Candidate(u32),
    Own,
    /// To a place on the page: `#top`.
    Fragment,
    Elsewhere,
    /// To nothing that can be followed: `#`, `javascript:`, a button, an anchor without an address.
    Dead,
    /// It is not a link: a number or a word of a pager in the text.
    Text,
}

flags! { Rel: u8;
    NEXT = 0, PREVIOUS = 1, NOFOLLOW = 2, BOOKMARK = 3, TAG = 4,
}

const REL_VALUES: [(&str, Rel); 7] = [
    ("next", Rel::NEXT),
    ("prev", Rel::PREVIOUS),
    ("previous", Rel::PREVIOUS),
    ("nofollow", Rel::NOFOLLOW),
    ("bookmark", Rel::BOOKMARK),
    ("tag", Rel::TAG),
    ("category", Rel::TAG),
];

impl Rel {
    fn of(value: &str) -> Rel {
        let known = value.split_ascii_whitespace().filter_map(|token| {
            REL_VALUES.iter().find(|(value, _)| token.eq_ignore_ascii_case(value)).map(|(_, rel)| *rel)
        });
        known.collect()
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
    pub(crate) target: LinkTarget,
    pub(crate) text: LabelReading,
    /// Its title, `aria-label`, `alt` and the like.
    pub(crate) hint: LabelReading,
    /// Meaning of a pager text just before it: "Next: " and then the link.
    pub(crate) lead: LabelWords,
    /// Meanings of `class`, `id` and the like, including those of elements and pictures inside it.
    pub(crate) names: NameFlags,
    pub(crate) rel: Rel,
    /// `true` if it, or the element around it, is marked as the current item of a pager.
    pub(crate) current: bool,
    /// `true` if it, or the element around it, is marked as disabled.
    pub(crate) disabled: bool,
    pub(crate) has_picture: bool,
    pub(crate) in_head: bool,
    pub(crate) way: LinkWay,
    /// Digests of a link's text, and of its classes and its parent's.
    pub(crate) text_digest: u32,
    pub(crate) look: u32,
}

flags! { Enclosing: u16;
    NAV = 0, HEADER = 1, FOOTER = 2, ASIDE = 3, ARTICLE = 4, MAIN = 5, LIST = 6, TABLE = 7, HEADING = 8,
    PARAGRAPH = 9, FORM = 10, LINK = 11, HIDDEN = 12,
}

impl Enclosing {
    fn of_tag(page: &Page, node: NodeId) -> Enclosing {
        match page.known_tag(node) {
            Tag::Nav => Enclosing::NAV,
            Tag::Header => Enclosing::HEADER,
            Tag::Footer => Enclosing::FOOTER,
            Tag::Aside => Enclosing::ASIDE,
            Tag::Article => Enclosing::ARTICLE,
            Tag::Main => Enclosing::MAIN,
            Tag::Ul | Tag::Ol | Tag::Dl => Enclosing::LIST,
            Tag::Table => Enclosing::TABLE,
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => Enclosing::HEADING,
            Tag::P => Enclosing::PARAGRAPH,
            Tag::Form => Enclosing::FORM,
            Tag::A | Tag::Button => Enclosing::LINK,
            Tag::Script | Tag::Style | Tag::Noscript | Tag::Template => Enclosing::HIDDEN,
            _ => Enclosing::empty(),
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NodeMark {
    pub(crate) names: NameFlags,
    pub(crate) around: NameFlags,
    /// The elements around it, including itself.
    pub(crate) within: Enclosing,
    /// Number of characters before it, and number of those outside links.
    pub(crate) characters: u32,
    pub(crate) plain_characters: u32,
    /// Number of elements before it that are named "comments".
    pub(crate) comments: u32,
}

/// A tree with links: the page, or the contents of a `noscript`.
#[derive(Debug)]
struct Fragment {
    place: NodeId,
    page: Page,
    marks: Vec<NodeMark>,
    items: ItemsBefore,
}

/// For each node, and for the end of the tree: number of items before it.
type ItemsBefore = Vec<u32>;

#[derive(Debug, Clone, Copy)]
pub(crate) struct ItemsAround {
    pub(crate) node: NodeId,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

#[derive(Debug)]
pub(crate) struct LinkCandidate {
    text: String,
    pub(crate) bare: Bare,
    pub(crate) difference: Difference,
    pub(crate) keys: Keys,
    pub(crate) paged: PagedBeside,
    pub(crate) items: Vec<u32>,
}

impl LinkCandidate {
    /// Parses the address: few candidates are asked for it.
    pub(crate) fn url(&self) -> Url {
        self.text.parse().expect("a resolved address can be read again")
    }
}

/// Counts of items before an item, so that the counts of a range are differences.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ItemCounts {
    pub(crate) links: u32,
    pub(crate) numbers: u32,
    pub(crate) nexts: u32,
    pub(crate) previous: u32,
    pub(crate) currents: u32,
    pub(crate) characters: u32,
}

#[derive(Debug)]
pub(crate) struct Trees<'p> {
    page: &'p Page,
    marks: Vec<NodeMark>,
    items_before: ItemsBefore,
    fragments: Vec<Fragment>,
}

#[derive(Debug)]
pub(crate) struct SurveyedPage<'p> {
    pub(crate) page: &'p Page,
    pub(crate) trees: Trees<'p>,
    pub(crate) landmarks: Landmarks,
    pub(crate) own: Bare,
    pub(crate) own_paged: Paged,
    /// Links and pager texts: those of the page in document order, then those of fragments.
    pub(crate) items: Vec<LinkItem>,
    pub(crate) candidates: Vec<LinkCandidate>,
    pub(crate) counts: Vec<ItemCounts>,
    pub(crate) runs: NumberRows,
    pub(crate) declared: Declared,
    pub(super) forms: PageForms,
}

#[derive(Debug, Default)]
pub(crate) struct Declared {
    /// Targets of `<link rel=next>` and `rel=prev` in the head.
    pub(crate) next: Option<LinkTarget>,
    pub(crate) previous: Option<LinkTarget>,
    /// "Page 2 of 7" outside links: the first such pair.
    pub(crate) counter: Option<(u32, u32)>,
}

impl<'p> SurveyedPage<'p> {
    pub(crate) fn of(page: &'p Page) -> SurveyedPage<'p> {
        let (marks, places) = marks(page);
        let (items, addresses, declared) = (Vec::new(), AddressBook::of(page), Declared::default());
        let mut gathered = GatheredItems { items, addresses, declared };
        gathered.read_headers(page);
        let items_before = gathered.read_tree(page, &marks, 0, &places);
        let fragments = gathered.read_fragments(page, &places.noscripts);
        let trees = Trees { page, marks, items_before, fragments };
        let GatheredItems { mut items, mut addresses, declared } = gathered;
        addresses.leave_out_session();
        trees.lead(&mut items);
        let counts = counts(&items);
        SurveyedPage {
            page,
            landmarks: places.landmarks,
            own: addresses.own,
            own_paged: addresses.own_paged,
            candidates: addresses.candidates,
            runs: NumberRows::of(&trees, &items, &counts),
            trees,
            items,
            counts,
            declared,
            forms: places.forms,
        }
    }

    /// Returns `true` if an item leads to the page itself, as `/guide` and `/guide.html` often do.
    pub(crate) fn is_own_entry(&self, item: &LinkItem) -> bool {
        match item.target {
            LinkTarget::Own => true,
            // What a select shows is the page itself, whatever its address.
            _ if item.way == LinkWay::Option && item.current => true,
            LinkTarget::Candidate(candidate) => {
                let bare = &self.candidates[candidate as usize].bare;
                // Paths differ nearly always, so they come first: two empty queries take glibc some 100 ns with AVX-512, since it
                // reads, behind a mask, at the address of nothing.
                bare.without_extension() == self.own.without_extension() && bare.query() == self.own.query()
            }
            _ => false,
        }
    }

    /// Returns `true` if an element of the page leads somewhere.
    pub(super) fn is_followed(&self, node: NodeId) -> bool {
        let (from, to) = self.trees.items_in(0, node);
        let is_it = |item: &LinkItem| item.node == node && matches!(item.target, LinkTarget::Candidate(_));
        self.items.get(from..to).is_some_and(|items| items.iter().any(is_it))
    }

    pub(crate) fn counts_of(&self, from: usize, to: usize) -> ItemCounts {
        let (a, b) = (self.counts[from], self.counts[to]);
        ItemCounts {
            links: b.links - a.links,
            numbers: b.numbers - a.numbers,
            nexts: b.nexts - a.nexts,
            previous: b.previous - a.previous,
            currents: b.currents - a.currents,
            characters: b.characters - a.characters,
        }
    }

    /// Returns the smallest element that contains another item, and the largest that may be a pager.
    pub(crate) fn around(&self, at: usize) -> (ItemsAround, ItemsAround) {
        let item = &self.items[at];
        let page = self.trees.tree(item.tree).0;
        let alone = ItemsAround { node: item.node, from: at, to: at + 1 };
        let (mut near, mut pager) = (None, alone);
        for node in page.ancestors(item.node).take(CLIMB) {
            let characters = page.totals(node).characters;
            let (from, to) = self.trees.items_in(item.tree, node);
            // If an element is too large for a pager, so are its ancestors.
            if near.is_some() && (characters > PAGER_CHARACTERS || to - from > PAGER_ITEMS) {
                break;
            }
            let around = ItemsAround { node, from, to };
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

impl Trees<'_> {
    pub(crate) fn tree(&self, tree: u16) -> (&Page, &[NodeMark]) {
        match self.fragment(tree) {
            None => (self.page, &self.marks),
            Some(fragment) => (&fragment.page, &fragment.marks),
        }
    }

    fn fragment(&self, tree: u16) -> Option<&Fragment> {
        tree.checked_sub(1).map(|at| &self.fragments[usize::from(at)])
    }

    pub(crate) fn mark(&self, item: &LinkItem) -> &NodeMark {
        &self.tree(item.tree).1[item.node.index()]
    }

    /// Its place in the page itself.
    pub(crate) fn place(&self, item: &LinkItem) -> NodeId {
        self.fragment(item.tree).map_or(item.node, |fragment| fragment.place)
    }

    pub(crate) fn page_mark(&self, item: &LinkItem) -> &NodeMark {
        &self.marks[self.place(item).index()]
    }

    pub(crate) fn items_in(&self, tree: u16, node: NodeId) -> (usize, usize) {
        let before = self.fragment(tree).map_or(&self.items_before, |fragment| &fragment.items);
        let end = self.tree(tree).0.subtree_end(node);
        (before[node.index()] as usize, before[end] as usize)
    }

    /// Passes the meaning of a pager text to the link right after it, unless the link has such a meaning itself.
    fn lead(&self, items: &mut [LinkItem]) {
        for at in 1..items.len() {
            let (text, link) = (&items[at - 1], &items[at]);
            let is_lead =
                text.target == LinkTarget::Text && text.tree == link.tree && text.text.number_count == 0;
            let speaks = link.says(words::DIRECTIONS) || link.text.is_bare_number();
            if !is_lead || speaks || link.target == LinkTarget::Text || link.in_head {
                continue;
            }
            let between = self.mark(link).characters.saturating_sub(self.mark(text).characters);
            // Nothing but the text itself, and punctuation.
            let own = self.tree(text.tree).0.totals(text.node).characters;
            if between <= own + MAX_LEAD_GAP {
                items[at].lead = text.text.words;
            }
        }
    }
}

fn counts(items: &[LinkItem]) -> Vec<ItemCounts> {
    let mut sum = ItemCounts::default();
    let mut counts = Vec::with_capacity(items.len() + 1);
    counts.push(sum);
    for item in items {
        sum.links += u32::from(item.target != LinkTarget::Text);
        sum.numbers += u32::from(item.text.is_bare_number());
        sum.nexts += u32::from(item.says(LabelWords::NEXT));
        sum.previous += u32::from(item.says(LabelWords::PREVIOUS));
        sum.currents += u32::from(item.is_current());
        sum.characters += u32::from(item.text.characters);
        counts.push(sum);
    }
    counts
}

struct GatheredItems<'p> {
    items: Vec<LinkItem>,
    addresses: AddressBook<'p>,
    declared: Declared,
}

impl GatheredItems<'_> {
    fn read_fragments(&mut self, page: &Page, noscripts: &[NodeId]) -> Vec<Fragment> {
        let mut fragments = Vec::new();
        for place in
            noscripts.iter().copied().filter(|id| holds_links(page.string_value(*id))).take(MAX_FRAGMENTS)
        {
            let page = Page::from_text(page.string_value(place), page.base());
            let (marks, places) = marks(&page);
            let tree = u16::try_from(fragments.len() + 1).unwrap_or(u16::MAX);
            let items = self.read_tree(&page, &marks, tree, &places);
            fragments.push(Fragment { place, page, marks, items });
        }
        fragments
    }

    /// Reads the targets of the `Link` header, which are told like those of links in the head.
    fn read_headers(&mut self, page: &Page) {
        let GatheredItems { items, addresses, declared } = self;
        let place = page.first("head").unwrap_or(NodeId::DOCUMENT);
        for link in page.header_links() {
            let rel = Rel::of(&link.rel);
            let target = addresses.target(&link.href);
            if rel.intersects(Rel::PREVIOUS) {
                declared.previous = declared.previous.or(Some(target));
            }
            if rel.intersects(Rel::NEXT) {
                declared.next = declared.next.or(Some(target));
                if matches!(target, LinkTarget::Candidate(_)) {
                    let way = LinkWay::Header;
                    items.push(LinkItem { in_head: true, rel, way, ..blank_item(0, place, target) });
                }
            }
        }
    }

    fn read_tree(&mut self, page: &Page, marks: &[NodeMark], tree: u16, places: &ItemPlaces) -> ItemsBefore {
        let GatheredItems { items, addresses, declared } = self;
        // Items of headers come before those of the page.
        let first = if tree == 0 { 0 } else { items.len() };
        items.reserve(places.items.len());
        // Menus appear twice on a page, and all entries of a list link to it.
        let mut targets = Memo::new();
        let (text, hint, digester) = (String::new(), String::new(), Digester::default());
        let mut reader = LinkReader { page, marks, tree, text, hint, digester, parent: None };
        let ordinals = ordinals::rows(page, |node| marks[node.index()].characters, &places.items);
        for node in places.items.iter().copied() {
            match page.kind(node) {
                NodeKind::Element if page.known_tag(node) == Tag::Link => {
                    let rel = page.value(node, Attr::Rel).map_or(Rel::default(), Rel::of);
                    if !rel.intersects(Rel::NEXT | Rel::PREVIOUS) {
                        continue;
                    }
                    let href = page.value(node, Attr::Href);
                    let target = href
                        .map_or(LinkTarget::Dead, |href| targets.get(href, |href| addresses.target(href)));
                    if !rel.intersects(Rel::NEXT) {
                        declared.previous = declared.previous.or(Some(target));
                        continue;
                    }
                    declared.next = declared.next.or(Some(target));
                    if matches!(target, LinkTarget::Candidate(_)) {
                        let way = LinkWay::Head;
                        items.push(LinkItem { in_head: true, rel, way, ..blank_item(tree, node, target) });
                    }
                }
                NodeKind::Element if page.known_tag(node) == Tag::Meta => {
                    let target = refresh::of(page, node).and_then(|(_, href)| addresses.page_after(href));
                    if let Some(target) = target {
                        let (rel, way) = (Rel::NEXT, LinkWay::Head);
                        declared.next = declared.next.or(Some(target));
                        items.push(LinkItem { in_head: true, rel, way, ..blank_item(tree, node, target) });
                    }
                }
                NodeKind::Element if page.known_tag(node) == Tag::Option => {
                    let address = ways::address_of_option(page, &places.forms, node);
                    if let Some(address) = address {
                        items.push(reader.option_item(node, addresses.target(&address)));
                    }
                }
                NodeKind::Element if page.known_tag(node) == Tag::Input => {
                    let target = addresses.target_of_button(page, &places.forms, node);
                    // Other inputs are controls, not links.
                    if matches!(target, LinkTarget::Candidate(_) | LinkTarget::Own) {
                        let mut item = reader.input_item(node, target);
                        item.fill_in(&places.forms);
                        items.push(item);
                    }
                }
                NodeKind::Element => {
                    let href = page.value(node, Attr::Href).filter(|_| page.class(node).link);
                    let href = href.filter(|href| !is_dead(href)).or_else(|| scripted(page, node)).or(href);
                    let target = href
                        .map_or(LinkTarget::Dead, |href| targets.get(href, |href| addresses.target(href)));
                    let mut item = reader.link_item(node, target);
                    if let Some(number) = ordinals.get(&node) {
                        item.text = LabelReading::of_number(*number, item.text.characters);
                    }
                    if target == LinkTarget::Dead && page.known_tag(node) == Tag::Button {
                        let target = addresses.target_of_button(page, &places.forms, node);
                        // A form without fields often has a script.
                        let is_scripted = target == LinkTarget::Own && item.text.number().is_none();
                        item.target = if is_scripted { LinkTarget::Dead } else { target };
                        item.way = LinkWay::Button;
                        item.fill_in(&places.forms);
                    }
                    items.push(item);
                }
                _ => {
                    let text = last_entry(trim(page.data(node)));
                    let is_ordinal = ordinals.contains_key(&node);
                    if text.is_empty() || text.len() > MAX_PLAIN || (words::is_plain(text) && !is_ordinal) {
                        continue;
                    }
                    let reading = match ordinals.get(&node) {
                        Some(number) => LabelReading::of_number(*number, 1),
                        None => words::read(text),
                    };
                    declared.counter = declared.counter.or_else(|| counted(text, &reading));
                    if reading.number().is_some() || is_pager_text(&reading) {
                        items.push(reader.text_item(node, reading));
                    }
                }
            }
        }
        for (item, index) in items.iter().zip(0..).skip(first) {
            if let LinkTarget::Candidate(candidate) = item.target {
                addresses.candidates[candidate as usize].items.push(index);
            }
        }
        items_before(page, &items[first..], first)
    }
}

fn holds_links(markup: &str) -> bool {
    let mut tags = markup.split('<').skip(1);
    tags.any(|tag| matches!(tag.as_bytes(), [b'a' | b'A', b' ', ..]))
}

struct AddressBook<'p> {
    page: &'p Page,
    own: Bare,
    own_paged: Paged,
    own_keys: OwnKeys,
    own_key: String,
    candidates: Vec<LinkCandidate>,
    bytes_left: usize,
    /// For each hash of a key: the index of the candidate. Two addresses share a hash only on a malicious page; then
    /// only the first is followed.
    places: BTreeMap<u64, u32>,
    resolver: LinkResolver,
    key: String,
}

impl<'p> AddressBook<'p> {
    fn of(page: &'p Page) -> AddressBook<'p> {
        let own = Bare::of(page.url());
        let mut own_key = String::new();
        push_page_key(&mut own_key, page.url().path(), page.url().query());
        AddressBook {
            page,
            own_paged: Paged::of(&own),
            own_keys: OwnKeys::of(&own),
            own,
            own_key,
            candidates: Vec::new(),
            bytes_left: MAX_ADDRESSES,
            places: BTreeMap::new(),
            resolver: LinkResolver::of(page),
            key: String::new(),
        }
    }

    /// Leaves out a query key that has one long random value on most links of the page: a session id.
    fn leave_out_session(&mut self) {
        let mut pairs: BTreeMap<&str, usize> = BTreeMap::new();
        for candidate in &self.candidates {
            for pair in candidate.bare.query().split('&').filter(|pair| is_random(pair)).take(MAX_PAIRS) {
                *pairs.entry(pair).or_default() += 1;
            }
        }
        let least = FEWEST_WITH_SESSION.max(self.candidates.len() * 4 / 5);
        let Some((pair, _)) = pairs.into_iter().find(|(_, count)| *count >= least) else { return };
        let key = pair.split_once('=').map_or(pair, |(key, _)| key).to_owned();
        self.own = self.own.without_key(&key);
        self.own_paged = Paged::of(&self.own);
        self.own_keys = OwnKeys::of(&self.own);
        for candidate in &mut self.candidates {
            candidate.bare = candidate.bare.without_key(&key);
            candidate.difference = Difference::of(&self.own, &candidate.bare);
            candidate.keys = self.own_keys.beside(&candidate.bare);
            candidate.paged = PagedBeside::of(&candidate.bare, &self.own_paged);
        }
    }

    fn target_of_button(&mut self, page: &Page, forms: &PageForms, node: NodeId) -> LinkTarget {
        let form = forms.around(node).filter(|_| ways::is_submit(page, node));
        let url = form.and_then(|form| form.address_of_button(page, node));
        match url.map(|url| self.target(url.as_str())) {
            // A form to another host is no link to it: logins and payments go there.
            None | Some(LinkTarget::Elsewhere) => LinkTarget::Dead,
            Some(target) => target,
        }
    }

    /// Returns the target of what turns the page by itself: a show of slides goes to the next number. Other pages load
    /// themselves again, or leave.
    fn page_after(&mut self, href: &str) -> Option<LinkTarget> {
        let url = self.page.resolve(href)?;
        let is_after = PagedBeside::of(&Bare::of(&url), &self.own_paged).is_after(&self.own_paged);
        let target = is_after.then(|| self.target(href))?;
        matches!(target, LinkTarget::Candidate(_)).then_some(target)
    }

    /// A new address becomes a candidate.
    fn target(&mut self, href: &str) -> LinkTarget {
        let href = trim(href);
        if let Some(fragment) = href.strip_prefix('#') {
            return if fragment.is_empty() { LinkTarget::Dead } else { LinkTarget::Fragment };
        }
        if self.bytes_left == 0 {
            return LinkTarget::Elsewhere;
        }
        match self.resolver.resolve(self.page, href) {
            Resolved::Nowhere => return LinkTarget::Dead,
            Resolved::Elsewhere => return LinkTarget::Elsewhere,
            Resolved::Here => {}
        }
        let (text, path, query) = self.resolver.found();
        self.bytes_left = self.bytes_left.saturating_sub(text.len());
        self.key.clear();
        push_page_key(&mut self.key, path, query);
        if self.key == self.own_key {
            return LinkTarget::Own;
        }
        let place = u32::try_from(self.candidates.len()).unwrap_or(u32::MAX);
        match self.places.entry(text::digest(self.key.as_bytes())) {
            Entry::Occupied(held) => return LinkTarget::Candidate(*held.get()),
            Entry::Vacant(free) => free.insert(place),
        };
        let bare = Bare::of_parts(path, query);
        self.candidates.push(LinkCandidate {
            difference: Difference::of(&self.own, &bare),
            keys: self.own_keys.beside(&bare),
            paged: PagedBeside::of(&bare, &self.own_paged),
            bare,
            text: text.to_owned(),
            items: Vec::new(),
        });
        LinkTarget::Candidate(place)
    }
}

const MAX_PAIRS: usize = 8; // Maximum number of random values of an address that are compared.
const FEWEST_WITH_SESSION: usize = 5; // Minimum number of links with the same session id.

fn is_random(pair: &str) -> bool {
    pair.split_once('=').is_some_and(|(_, value)| address::is_id(value))
}

impl LinkItem {
    pub(crate) fn says(&self, words: LabelWords) -> bool {
        self.text.words.intersects(words) || self.hint.words.intersects(words) || self.lead.intersects(words)
    }

    /// A button beside a field for the number of a page is a link with the number that is filled in.
    fn fill_in(&mut self, forms: &PageForms) {
        let form = forms.around(self.node).filter(|_| matches!(self.target, LinkTarget::Candidate(_)));
        if let Some(number) = form.and_then(|form| form.next_number) {
            self.text = LabelReading::of_number(number, self.text.characters);
        }
    }

    pub(crate) fn leads_nowhere(&self) -> bool {
        matches!(self.target, LinkTarget::Dead | LinkTarget::Text)
    }

    pub(crate) fn is_current(&self) -> bool {
        self.currency() > 0
    }

    /// Whether it stands for the page itself in a pager: 2 if marked or linked so, 1 for a number that leads nowhere.
    pub(crate) fn currency(&self) -> u8 {
        match self.target {
            LinkTarget::Own => 2,
            _ if self.current => 2,
            LinkTarget::Text | LinkTarget::Dead => u8::from(self.text.number().is_some()),
            _ => 0,
        }
    }
}

#[derive(Debug, Default)]
struct ItemPlaces {
    items: Vec<NodeId>,
    noscripts: Vec<NodeId>,
    forms: PageForms,
    landmarks: Landmarks,
}

/// Elements that indicate the kind of a page, in document order.
#[derive(Debug, Default)]
pub(crate) struct Landmarks {
    pub(crate) paragraphs: Vec<NodeId>,
    pub(crate) headings: Vec<NodeId>,
    /// `article`, `time`, `textarea`, `meta`, `body`.
    pub(crate) others: Vec<NodeId>,
    pub(crate) longest_text: u32,
}

fn marks(page: &Page) -> (Vec<NodeMark>, ItemPlaces) {
    let mut marks: Vec<NodeMark> = Vec::with_capacity(page.node_count());
    let mut places = ItemPlaces::default();
    let mut known = names::NameMemo::new();
    let (mut characters, mut plain_characters, mut comments) = (0_u32, 0_u32, 0_u32);
    let mut select_end = 0; // The end of the last select whose options lead on.
    for node in page.subtree(NodeId::DOCUMENT) {
        let parent = page.parent(node).map(|parent| marks[parent.index()]).unwrap_or_default();
        let mut mark = NodeMark {
            names: NameFlags::empty(),
            around: parent.around.union(parent.names),
            within: parent.within,
            characters,
            plain_characters,
            comments,
        };
        match page.kind(node) {
            NodeKind::Element => {
                mark.names = known.of_element(page, node);
                mark.within |= Enclosing::of_tag(page, node);
                comments += u32::from(mark.names.intersects(NameFlags::COMMENT));
                match page.known_tag(node) {
                    Tag::A | Tag::Button | Tag::Link if page.is_html(node) => places.items.push(node),
                    Tag::Input if parent.within.intersects(Enclosing::FORM) => places.items.push(node),
                    Tag::Meta if refresh::of(page, node).is_some() => places.items.push(node),
                    Tag::Form if page.is_html(node) => places.forms.push(page, node),
                    Tag::Select if ways::leads_on(page, &places.forms, node) => {
                        select_end = page.subtree_end(node);
                        places.items.extend(ways::options(page, node));
                    }
                    Tag::Noscript if page.is_html(node) => places.noscripts.push(node),
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
                let may_be_item = totals.characters > 0
                    && totals.characters as usize <= MAX_PLAIN
                    && node.index() >= select_end;
                if may_be_item && !mark.within.intersects(Enclosing::LINK.union(Enclosing::HIDDEN)) {
                    places.items.push(node);
                }
            }
            _ => {}
        }
        marks.push(mark);
    }
    if select_end > 0 {
        // Options come before what else a select holds.
        places.items.sort_unstable();
    }
    (marks, places)
}

/// `from` is the number of items in previous trees.
fn items_before(page: &Page, items: &[LinkItem], from: usize) -> ItemsBefore {
    let mut before = Vec::with_capacity(page.node_count() + 1);
    let mut count = u32::try_from(from).unwrap_or(u32::MAX);
    for item in items {
        before.resize(item.node.index() + 1, count);
        count += 1;
    }
    before.resize(page.node_count() + 1, count);
    before
}

fn blank_item(tree: u16, node: NodeId, target: LinkTarget) -> LinkItem {
    LinkItem {
        tree,
        node,
        target,
        text: LabelReading::default(),
        hint: LabelReading::default(),
        lead: LabelWords::default(),
        names: NameFlags::empty(),
        rel: Rel::default(),
        current: false,
        disabled: false,
        has_picture: false,
        in_head: false,
        way: LinkWay::Anchor,
        text_digest: 0,
        look: 0,
    }
}

fn is_dead(href: &str) -> bool {
    let href = trim(href);
    href.is_empty()
        || href == "#"
        || href.get(..11).is_some_and(|scheme| scheme.eq_ignore_ascii_case("javascript:"))
}

/// Returns the address that a script of the element opens: `onclick="location.href='/2'"`.
fn scripted(page: &Page, node: NodeId) -> Option<&str> {
    let script = page.value(node, Attr::Onclick).or_else(|| page.value(node, Attr::Href))?;
    let (address, rest) = ways::opened(script)?;
    // A concatenated string is not an address.
    let is_whole = !rest.trim_start().starts_with('+');
    (is_whole && !address.is_empty()).then_some(address)
}

struct LinkReader<'a> {
    page: &'a Page,
    marks: &'a [NodeMark],
    tree: u16,
    text: String,
    hint: String,
    digester: Digester,
    /// The parent of the last link, with its meaning: the links of a list share one.
    parent: Option<(NodeId, Parent)>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Parent {
    names: NameFlags,
    current: bool,
    disabled: bool,
    look: u32,
}

impl LinkReader<'_> {
    fn link_item(&mut self, node: NodeId, target: LinkTarget) -> LinkItem {
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
                        && !marks[inner.index()].within.intersects(Enclosing::HIDDEN) =>
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
            current: item.current || names.intersects(NameFlags::CURRENT),
            disabled: item.disabled || names.intersects(NameFlags::DISABLED),
            text_digest: self.digester.digest([text]),
            look: self.digester.look(page, node, class).wrapping_mul(0x9e37_79b1) ^ around.look,
            ..item
        }
    }

    fn option_item(&mut self, node: NodeId, target: LinkTarget) -> LinkItem {
        let label = ways::label_of_option(self.page, node);
        let item = self.labelled_item(node, target, &label);
        let current = self.page.attribute(node, "selected").is_some();
        LinkItem { way: LinkWay::Option, current, ..item }
    }

    fn input_item(&mut self, node: NodeId, target: LinkTarget) -> LinkItem {
        let item = self.labelled_item(node, target, ways::label_of_input(self.page, node));
        LinkItem { way: LinkWay::Button, ..item }
    }

    /// Returns the item of an element whose label is not its text.
    fn labelled_item(&mut self, node: NodeId, target: LinkTarget, label: &str) -> LinkItem {
        let (page, around) = (self.page, self.parent(node));
        let label = words::cut(trim(label), MAX_TEXT);
        let hint = page.value(node, Attr::Title).or_else(|| page.value(node, Attr::AriaLabel));
        let disabled = page.value(node, Attr::Disabled).is_some();
        LinkItem {
            text: words::read(label),
            hint: words::read(hint.unwrap_or_default()),
            names: self.marks[node.index()].names,
            disabled,
            text_digest: self.digester.digest([label]),
            look: self.digester.look(page, node, page.value(node, Attr::Class).unwrap_or_default())
                ^ around.look,
            ..blank_item(self.tree, node, target)
        }
    }

    /// Returns the meaning of a picture's file name.
    fn hints(&mut self, inner: NodeId, is_picture: bool) -> NameFlags {
        let page = self.page;
        let mut names = NameFlags::empty();
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

    fn text_item(&self, node: NodeId, text: LabelReading) -> LinkItem {
        let page = self.page;
        let parent = page.parent(node);
        let names = parent.map(|parent| self.marks[parent.index()].names).unwrap_or_default();
        LinkItem {
            text,
            names,
            current: names.intersects(NameFlags::CURRENT)
                || parent.is_some_and(|id| matches!(page.known_tag(id), Tag::B | Tag::Strong | Tag::Em)),
            disabled: names.intersects(NameFlags::DISABLED),
            ..blank_item(self.tree, node, LinkTarget::Text)
        }
    }

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

fn is_set(value: &str) -> bool {
    !matches!(value.trim(), "" | "false")
}

/// Returns what stands right before the next link: of "[Thread Prev][Thread Next: ", the last entry.
fn last_entry(text: &str) -> &str {
    let entry = text.rsplit_once(['[', ']', '|']).map_or(text, |(_, entry)| trim(entry));
    if entry.is_empty() { text } else { entry }
}

fn is_pager_text(reading: &LabelReading) -> bool {
    let words = words::DIRECTIONS - (LabelWords::OLDER | LabelWords::NEWER);
    reading.words.intersects(words) && reading.tokens <= 3 && reading.number_count == 0
}

/// Reads "Page 2 of 7" or `2/7`.
fn counted(text: &str, reading: &LabelReading) -> Option<(u32, u32)> {
    let (first, last) = reading.numbers?;
    let is_pair =
        reading.number_count == 2 && 0 < first && first <= last && last < 100_000 && reading.tokens <= 3;
    let says_page = reading.words.intersects(LabelWords::PAGE);
    let is_fraction = reading.tokens == 0 && text.contains('/');
    (is_pair && (says_page || is_fraction)).then_some((first, last))
}

#[derive(Debug, Default)]
struct Digester {
    plain: Vec<u8>,
}

impl Digester {
    /// It is 0, the digest of an item without text of its own, only by chance.
    fn digest<const N: usize>(&mut self, parts: [&str; N]) -> u32 {
        parts.iter().map(|part| part.as_bytes()).fold(1_u32, |digest, part| {
            let plain = if has_digit(part) { self.without_digits(part) } else { part };
            digest.rotate_left(1) ^ (text::digest(plain) >> 32) as u32
        })
    }

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
