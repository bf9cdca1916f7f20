//! The blocks of a page's content: the lines of its text, and their places.

use super::pager;
use crate::addresses::image_address;
use crate::part::Part;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use tsugi_page::text::{self, weight};
use tsugi_page::walk::Step;
use tsugi_page::{Attr, NodeId, NodeKind, Page, Recurrence, Tag, TextForm, TextForms, Url, address};

bitflags::bitflags! {
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub(super) struct LineRole: u8 {
        const HEADING = 1;
        const ITEM = 1 << 1;
        const CAPTION = 1 << 2;
        const PRE = 1 << 3;
        const QUOTE = 1 << 4;
        const HEAD_CELL = 1 << 5;
        const CELL = 1 << 6;
        /// Text that is set off from the paragraphs on purpose.
        const MOTTO = 1 << 7;
    }
}

impl LineRole {
    fn and(self, page: &Page, id: NodeId) -> LineRole {
        let motto = if is_motto(page, id) { LineRole::MOTTO } else { LineRole::default() };
        if page.is_html(id) { self | LineRole::of(page.tag(id)) | motto } else { self }
    }

    fn of(tag: &str) -> LineRole {
        match tag {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => LineRole::HEADING,
            "li" | "dt" | "dd" => LineRole::ITEM,
            "figcaption" | "caption" | "figure" => LineRole::CAPTION,
            "pre" | "listing" | "xmp" | "plaintext" => LineRole::PRE,
            "blockquote" => LineRole::QUOTE,
            "th" => LineRole::HEAD_CELL,
            "td" => LineRole::CELL,
            _ => LineRole::default(),
        }
    }
}

/// Words that name such text in a class.
const MOTTOS: [&str; 10] = [
    "epigraph", "epigraphe", "motto", "refrain", "verse", "stanza", "poem", "poetry", "salutation",
    "greeting",
];

fn is_motto(page: &Page, id: NodeId) -> bool {
    let classes = page.attribute(id, "class").unwrap_or_default();
    let mut words = classes.split(|c: char| !c.is_ascii_alphabetic());
    words.any(|word| MOTTOS.iter().any(|motto| word.eq_ignore_ascii_case(motto)))
}

/// Returns the level of a heading, from 1 to 6; `None` for other nodes.
pub(super) fn level_of(page: &Page, id: NodeId) -> Option<u8> {
    match page.tag(id).as_bytes() {
        [b'h', level @ b'1'..=b'6'] if page.is_html(id) => Some(level - b'0'),
        _ => None,
    }
}

#[derive(Debug)]
pub(super) struct BlockLine {
    pub(super) text: String,
    /// The number of characters; those of scripts without spaces count twice.
    pub(super) weight: usize,
    /// A digest of the blocks around the line, by name and class. Equal for the same place on other pages.
    pub(super) place: u64,
    /// The place of what holds the line's block; a quotation around it does not count.
    pub(super) around: u64,
    pub(super) block: NodeId,
    /// The level of the heading around the line, from 1 to 6; 0 if there is none.
    pub(super) level: u8,
    pub(super) within: LineRole,
    pub(super) leads_to_page: bool,
    /// The index of the page that the line's first link into the sequence leads to.
    pub(super) led_to: Option<usize>,
    /// The list or table around the line, and the item or row.
    pub(super) row: Option<(NodeId, NodeId)>,
    pub(super) is_linked: bool,
    /// Targets of the line's links outside the sequence, one per line.
    pub(super) targets: String,
}

#[derive(Debug)]
pub(super) struct PartBlocks {
    /// The index of the page in the sequence.
    own: usize,
    pub(super) lines: Vec<BlockLine>,
    pub(super) texts: Vec<(NodeId, Range<usize>)>,
    pub(super) images: BTreeSet<String>,
    /// The place with most of the text: that of the paragraphs.
    pub(super) body: u64,
    /// What is around most of the text: the flow of the content.
    pub(super) flow: u64,
}

#[derive(Debug, Clone, Copy)]
struct OpenPlace {
    id: NodeId,
    place: u64,
    around: u64,
    level: u8,
    within: LineRole,
    list: Option<NodeId>,
    row: Option<NodeId>,
}

impl OpenPlace {
    fn at(id: NodeId) -> OpenPlace {
        OpenPlace { id, place: 0, around: 0, level: 0, within: LineRole::default(), list: None, row: None }
    }
}

impl PartBlocks {
    /// Returns the blocks of a part. `forms` are the forms of its text, `pages` the [`address::page_key`]s of the sequence;
    /// without these, links and images are not read.
    pub(super) fn of(part: &Part, forms: &TextForms, pages: Option<&BTreeMap<String, usize>>) -> PartBlocks {
        let page = &part.page;
        let own =
            pages.and_then(|pages| pages.get(&address::page_key(page.url())).copied()).unwrap_or_default();
        let mut reader = BlocksPass {
            page,
            forms,
            pages,
            lines: Vec::new(),
            texts: Vec::new(),
            images: BTreeSet::new(),
            open: Vec::new(),
            breaks: true,
            in_link: false,
            link: None,
            target: None,
        };
        let mut above: Option<(NodeId, OpenPlace)> = None;
        for root in &part.content.nodes {
            let parent = page.parent(*root).unwrap_or(NodeId::DOCUMENT);
            let base = match above {
                Some((last, base)) if last == parent => base,
                _ => reader.above(parent),
            };
            above = Some((parent, base));
            reader.read(*root, &part.content.without, base);
        }
        let BlocksPass { mut lines, texts, images, .. } = reader;
        let text = page.text_in_forms(&part.content.nodes, &part.content.without, forms);
        let written: Vec<&str> = text.split('\n').filter(|line| !line.is_empty()).collect();
        lines.truncate(written.len());
        let mut weights: BTreeMap<u64, usize> = BTreeMap::new();
        let mut around: BTreeMap<u64, usize> = BTreeMap::new();
        for (line, text) in lines.iter_mut().zip(written) {
            text.clone_into(&mut line.text);
            line.weight = weight(text);
            if !line.within.intersects(LineRole::HEADING | LineRole::CAPTION) {
                *weights.entry(line.place).or_default() += line.weight;
                *around.entry(line.around).or_default() += line.weight;
            }
        }
        PartBlocks { own, lines, texts, images, body: heaviest(&weights), flow: heaviest(&around) }
    }

    pub(super) fn is_body(&self, line: usize) -> bool {
        self.lines[line].place == self.body
    }

    /// Returns `true` if a line leads to a later page, or beside others to one of several pages, as tables of contents do.
    pub(super) fn leads_on(&self, line: usize) -> bool {
        let block = &self.lines[line];
        let Some(page) = block.led_to else { return false };
        let leads_elsewhere = |other: Option<usize>| {
            let other = other.and_then(|other| self.lines.get(other));
            other.is_some_and(|other| {
                other.place == block.place && other.led_to.is_some_and(|other| other != page)
            })
        };
        page > self.own || leads_elsewhere(line.checked_sub(1)) || leads_elsewhere(Some(line + 1))
    }

    pub(super) fn is_verse(&self, line: usize) -> bool {
        let block = self.lines[line].block;
        let shares = |other: Option<usize>| {
            other.and_then(|other| self.lines.get(other)).is_some_and(|other| other.block == block)
        };
        self.is_body(line) && (shares(line.checked_sub(1)) || shares(Some(line + 1)))
    }
}

fn keeps_lines(page: &Page, id: NodeId) -> bool {
    page.class(id).pre || page.class(id).lines
}

fn heaviest(weights: &BTreeMap<u64, usize>) -> u64 {
    let most = weights.iter().max_by_key(|(place, weight)| (**weight, **place));
    most.map(|(place, _)| *place).unwrap_or_default()
}

pub(super) fn pages_with_images(pages: &[PartBlocks]) -> Recurrence<&str> {
    let images = pages.iter().enumerate();
    images.flat_map(|(page, blocks)| blocks.images.iter().map(move |image| (page, image.as_str()))).collect()
}

#[derive(Debug)]
struct BlocksPass<'a> {
    page: &'a Page,
    forms: &'a TextForms,
    pages: Option<&'a BTreeMap<String, usize>>,
    lines: Vec<BlockLine>,
    texts: Vec<(NodeId, Range<usize>)>,
    images: BTreeSet<String>,
    open: Vec<OpenPlace>,
    breaks: bool,
    in_link: bool,
    /// The index of the page that the open link leads to.
    link: Option<usize>,
    /// The target of the open link, until its first line takes it.
    target: Option<String>,
}

impl BlocksPass<'_> {
    fn above(&self, id: NodeId) -> OpenPlace {
        let mut path: Vec<NodeId> = self.page.ancestors(id).collect();
        path.reverse();
        path.push(id);
        let mut open = OpenPlace::at(NodeId::DOCUMENT);
        for id in path {
            if self.is_place(id) {
                open = self.enter(open, id);
            }
        }
        open
    }

    fn is_place(&self, id: NodeId) -> bool {
        let class = self.page.class(id);
        class.line || class.cell
    }

    fn enter(&self, outer: OpenPlace, id: NodeId) -> OpenPlace {
        let page = self.page;
        // Places are compared within one run only, so the standard hasher may change between versions.
        let mut hasher = DefaultHasher::new();
        outer.place.hash(&mut hasher);
        page.tag(id).hash(&mut hasher);
        for class in page.attribute(id, "class").unwrap_or_default().split_whitespace() {
            // Skip names with numbers, which count pages and posts.
            if !class.bytes().any(|byte| byte.is_ascii_digit()) {
                class.hash(&mut hasher);
            }
        }
        let block = if page.class(id).line { id } else { outer.id };
        let (list, row) = match page.tag(id) {
            "ul" | "ol" | "dl" | "menu" | "table" => (Some(id), None),
            "li" | "dt" | "dd" | "tr" => (outer.list, Some(id)),
            // A table whose cells hold blocks is a layout.
            _ if page.class(id).line
                && !page.class(id).cell
                && outer.row.is_some_and(|row| page.is(row, "tr")) =>
            {
                (None, None)
            }
            _ => (outer.list, outer.row),
        };
        let around = if page.is(outer.id, "blockquote") { outer.around } else { outer.place };
        let level = level_of(page, id).unwrap_or(outer.level);
        let within = outer.within.and(page, id);
        OpenPlace { id: block, place: hasher.finish(), around, level, within, list, row }
    }

    fn read(&mut self, root: NodeId, without: &[NodeId], base: OpenPlace) {
        let page = self.page;
        // Lines begin as in the text of a page: at line elements and `br`, once text follows.
        self.breaks = true;
        self.open = vec![base];
        let mut verbatim = usize::from(page.ancestors(root).any(|above| keeps_lines(page, above)));
        let mut walk = page.walk(root);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) if without.binary_search(&id).is_ok() => {
                    self.breaks |= page.class(id).line;
                    walk.skip_children();
                }
                Step::Enter(id) if let Some(TextForm::Instead(text)) = self.forms.get(&id) => {
                    self.breaks |= page.class(id).line;
                    self.image(id);
                    self.text(id, text, false);
                    walk.skip_children();
                }
                Step::Enter(id) if page.class(id).hidden => walk.skip_children(),
                Step::Enter(id) if page.kind(id) == NodeKind::Text => {
                    self.text(id, page.data(id), verbatim > 0);
                }
                Step::Enter(id) => {
                    verbatim += usize::from(keeps_lines(page, id));
                    self.breaks |= page.class(id).line || page.is_tag(id, Tag::Br);
                    self.image(id);
                    if self.is_place(id) {
                        let outer = self.open.last().copied().unwrap_or(base);
                        let inner = self.enter(outer, id);
                        self.open.push(inner);
                    }
                    if page.is_tag(id, Tag::A) {
                        self.in_link = true;
                        (self.link, self.target) = self.where_to(id);
                    }
                }
                Step::Leave(id) => {
                    // Skipped nodes were not entered: left out, hidden, or in another form.
                    let entered = !page.class(id).hidden
                        && without.binary_search(&id).is_err()
                        && !matches!(self.forms.get(&id), Some(TextForm::Instead(_)));
                    verbatim -= usize::from(entered && keeps_lines(page, id));
                    self.breaks |= page.class(id).line;
                    if entered && self.is_place(id) {
                        self.open.pop();
                    }
                    if page.is_tag(id, Tag::A) {
                        (self.in_link, self.link, self.target) = (false, None, None);
                    }
                }
            }
        }
    }

    fn image(&mut self, id: NodeId) {
        if self.pages.is_some() {
            self.images.extend(image_address(self.page, id));
        }
    }

    fn text(&mut self, id: NodeId, text: &str, verbatim: bool) {
        if !verbatim {
            self.text_in_line(id, text);
            return;
        }
        for (at, text) in text.split('\n').enumerate() {
            self.breaks |= at > 0;
            self.text_in_line(id, text);
        }
    }

    fn text_in_line(&mut self, id: NodeId, text: &str) {
        if text::trim(text).is_empty() {
            return;
        }
        if std::mem::take(&mut self.breaks) || self.lines.is_empty() {
            let open = self.open.last().copied().unwrap_or(OpenPlace::at(id));
            self.lines.push(BlockLine {
                text: String::new(),
                weight: 0,
                place: open.place,
                around: open.around,
                block: open.id,
                level: open.level,
                within: open.within,
                leads_to_page: false,
                led_to: None,
                row: open.list.zip(open.row),
                is_linked: true,
                targets: String::new(),
            });
        }
        let end = self.lines.len();
        if let Some(line) = self.lines.last_mut() {
            line.leads_to_page |= self.link.is_some();
            line.led_to = line.led_to.or(self.link);
            line.is_linked &= self.in_link;
            if let Some(target) = self.target.take() {
                line.targets.push('\n');
                line.targets.push_str(&target);
            }
        }
        match self.texts.last_mut() {
            Some((last, lines)) if *last == id => lines.end = end,
            _ => self.texts.push((id, end - 1..end)),
        }
    }

    /// Returns the index of the page of the sequence that a link leads to, or else its target as [`target`](Self::target) does;
    /// nothing without a sequence.
    fn where_to(&self, link: NodeId) -> (Option<usize>, Option<String>) {
        let Some(pages) = self.pages else { return (None, None) };
        let href = self.page.value(link, Attr::Href);
        let Some((href, url)) = href.and_then(|href| Some((href, self.page.resolve(href)?))) else {
            return (None, None);
        };
        let key = address::page_key(&url);
        let Some(number) = pages.get(&key).copied() else { return (None, self.target(url)) };
        // A place on the same page does not count: notes lead back to their text.
        let is_place = href.contains('#') && key == address::page_key(self.page.url());
        (Some(number).filter(|_| !is_place), None)
    }

    /// Returns the target of a link that leads to no page of the sequence, unless it is a view of the page itself (`/print/2`).
    /// For links that share the page, only the host counts.
    fn target(&self, target: Url) -> Option<String> {
        let own = self.page.url();
        let (here, there) = (address::bare_host(own), address::bare_host(&target));
        if there != here {
            let rest = &target[url::Position::BeforePath..];
            let shares = !here.is_empty() && rest.contains(here);
            return Some(if shares { there.to_owned() } else { target.into() });
        }
        let query = own.query().unwrap_or_default();
        let is_view = if target.path() == own.path() {
            target.query().unwrap_or_default().contains(query)
        } else {
            let name = own.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            query.is_empty() && !name.is_empty() && target.path().split('/').any(|part| part == name)
        };
        (!is_view).then(|| target.into())
    }
}

/// The weight from which a block is neither a refrain nor a label, so that the targets of its links no longer matter.
pub(super) const LONG: usize = 200;

/// Numbers for the lines of all pages. Two lines have the same number if they are equal but for a page number, and link to the
/// same places.
#[derive(Debug, Default)]
pub(super) struct Sayings {
    numbers: BTreeMap<String, u32>,
}

impl Sayings {
    pub(super) fn number(&mut self, line: &BlockLine) -> u32 {
        let mut key = pager::without_page_number(&line.text);
        if line.weight < LONG && !pager::could_be_pager(&line.text) {
            key.push_str(&line.targets);
        }
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(key).or_insert(next)
    }
}
