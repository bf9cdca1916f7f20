//! The parts of a page to write, and the targets of links.

use crate::addresses::{image_address, link_address};
use crate::images::ImageSources;
use crate::reading::{EmbeddedMedia, PageReading};
use crate::shown::Shown;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use tsugi_page::{NodeId, Page, Tag};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Glue {
    Space,
    /// Nothing, as in scripts without spaces, and after a hyphen that belongs to the word.
    Nothing,
    /// Nothing, and the hyphen before it is removed: `exam-` `ple`.
    Hyphen,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seam {
    pub(crate) glue: Glue,
    /// The block of the previous page that continues, and its last text node.
    pub(crate) before: NodeId,
    pub(crate) last_text: NodeId,
    pub(crate) after: Moved,
    pub(crate) first_text: NodeId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moved {
    /// The contents of a block; the block itself is removed.
    Block(NodeId),
    /// Siblings from `first` to `last`; those after them up to `end` are removed.
    Run { first: NodeId, last: NodeId, end: NodeId },
}

impl Moved {
    pub(crate) fn nodes(self, page: &Page) -> impl Iterator<Item = NodeId> + '_ {
        let (first, last) = match self {
            Moved::Block(block) => (page.children(block).next(), None),
            Moved::Run { first, last, .. } => (Some(first), Some(last)),
        };
        std::iter::successors(first, move |id| page.next_sibling(*id).filter(|_| Some(*id) != last))
    }

    pub(crate) fn block(self) -> Option<NodeId> {
        match self {
            Moved::Block(block) => Some(block),
            Moved::Run { .. } => None,
        }
    }

    fn takes(self, id: NodeId) -> bool {
        match self {
            Moved::Block(block) => id == block,
            Moved::Run { first, end, .. } => first <= id && id <= end,
        }
    }

    pub(crate) fn has(self, page: &Page, id: NodeId) -> bool {
        self.block() == Some(id) || self.nodes(page).any(|moved| moved == id)
    }
}

/// The notes of a page, as Markdown writes them: `[^1]`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes {
    pub(crate) links: BTreeMap<NodeId, usize>,
    pub(crate) blocks: BTreeMap<NodeId, usize>,
    pub(crate) backs: BTreeSet<NodeId>,
    /// How many bytes at the beginning of a text only give the mark of a note.
    pub(crate) labels: BTreeMap<NodeId, usize>,
    /// Notes that stand in the running text.
    pub(crate) sides: BTreeMap<NodeId, usize>,
    pub(crate) names: BTreeSet<NodeId>,
}

/// The parts of a page to write. It borrows nothing, so that a document can keep it beside the page.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageCut {
    pub(crate) nodes: Vec<NodeId>,
    pub(crate) inner: bool,
    pub(crate) left_out: BTreeSet<NodeId>,
    pub(crate) reading: PageReading,
    pub(crate) ids: BTreeMap<NodeId, String>,
    pub(crate) links: BTreeMap<NodeId, String>,
    pub(crate) notes: Notes,
    pub(crate) shown: Shown,
    /// How the last paragraph continues on the next page, and the part that the previous page has taken over.
    pub(crate) rest: Option<Seam>,
    pub(crate) given: Option<Seam>,
}

impl PageCut {
    pub(crate) fn new(nodes: Vec<NodeId>, left_out: BTreeSet<NodeId>, reading: PageReading) -> PageCut {
        PageCut { nodes, left_out, reading, ..PageCut::default() }
    }

    pub(crate) fn of_body(page: &Page) -> PageCut {
        let body = page.first("body").unwrap_or(NodeId::DOCUMENT);
        PageCut { nodes: vec![body], inner: true, ..PageCut::default() }
    }

    pub(crate) fn apart(&self) -> PageCut {
        PageCut { rest: None, given: None, ..self.clone() }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct PageShape<'a> {
    pub(crate) page: &'a Page,
    pub(crate) cut: &'a PageCut,
    pub(crate) images: Option<&'a ImageSources>,
    pub(crate) is_rest: bool,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct ParagraphRest<'a> {
    pub(crate) seam: Seam,
    pub(crate) shape: PageShape<'a>,
}

impl Deref for PageShape<'_> {
    type Target = PageCut;

    fn deref(&self) -> &PageCut {
        self.cut
    }
}

impl<'a> PageShape<'a> {
    /// Returns what an element is called, or would be if it were not only its role or name that says so.
    pub(crate) fn tag(self, id: NodeId) -> &'a str {
        let reading = &self.cut.reading;
        let named = reading.table_parts.get(&id).or_else(|| reading.named.get(&id));
        named.copied().unwrap_or_else(|| self.page.tag(id))
    }

    pub(crate) fn of(page: &'a Page, cut: &'a PageCut) -> PageShape<'a> {
        PageShape { page, cut, images: None, is_rest: false }
    }

    pub(crate) fn rest(self, next: PageShape<'a>) -> Option<ParagraphRest<'a>> {
        Some(ParagraphRest { seam: self.cut.rest?, shape: PageShape { is_rest: true, ..next } })
    }

    pub(crate) fn leaves_out(&self, id: NodeId) -> bool {
        self.takes_out(id) || !self.is_rest && self.given.is_some_and(|seam| seam.after.takes(id))
    }

    pub(crate) fn takes_out(&self, id: NodeId) -> bool {
        let is_hidden = self.page.class(id).hidden && !self.reading.forms.contains_key(&id);
        is_hidden || self.left_out.contains(&id)
    }

    /// Calls `visit` for each element that is written, with whether it is in a `pre`.
    pub(crate) fn each_written(&self, mut visit: impl FnMut(NodeId, bool)) {
        let page = self.page;
        for root in &self.nodes {
            let is_in_pre = page.ancestors(*root).any(|above| page.is_tag(above, Tag::Pre));
            let (mut pre_end, mut end_of_left_out) = (if is_in_pre { usize::MAX } else { 0 }, 0);
            for id in page.subtree(*root) {
                if id.index() < end_of_left_out {
                    continue;
                }
                if self.takes_out(id) {
                    end_of_left_out = page.subtree_end(id);
                    continue;
                }
                if page.is_element(id) {
                    visit(id, id.index() < pre_end);
                }
                if page.is_tag(id, Tag::Pre) {
                    pre_end = pre_end.max(page.subtree_end(id));
                }
            }
        }
    }

    pub(crate) fn link(&self, id: NodeId) -> Option<String> {
        if !self.shown.links {
            return None;
        }
        self.links.get(&id).cloned().or_else(|| link_address(self.page, id))
    }

    /// Returns the words of a link to a frame or player. They contain no address if links are not shown.
    pub(crate) fn label<'m>(&self, media: &'m EmbeddedMedia) -> &'m str {
        if self.shown.links { media.label() } else { media.title.as_deref().unwrap_or_default() }
    }

    pub(crate) fn image(&self, id: NodeId) -> Option<String> {
        if !self.shown.images {
            return None;
        }
        let address = image_address(self.page, id)?;
        match self.images {
            Some(images) => images.of(&address),
            None => Some(address),
        }
    }

    pub(crate) fn text(&self, id: NodeId) -> &'a str {
        if let Some(text) = self.cut.reading.code_texts.get(&id) {
            return text;
        }
        let mut text = self.page.data(id);
        if self.given.is_some_and(|seam| seam.first_text == id) {
            text = text.trim_start();
        }
        if let Some(seam) = self.cut.rest
            && seam.last_text == id
        {
            text = text.trim_end();
            if seam.glue == Glue::Hyphen {
                text = without_hyphen(text);
            }
        }
        text
    }
}

pub(crate) fn without_hyphen(text: &str) -> &str {
    text.strip_suffix(['-', '\u{2010}', '\u{ad}']).unwrap_or(text)
}
