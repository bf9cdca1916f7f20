//! The parts of a page to write, and the targets of links.

use crate::addresses::{image_address, link_address};
use crate::images::ImageSources;
use crate::reading::{EmbeddedMedia, PageReading};
use crate::shown::Shown;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use tsugi_page::walk::Step;
use tsugi_page::{NodeId, Page};

/// How the two halves of a cut paragraph are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Glue {
    Space,
    /// Nothing, as in scripts without spaces, and after a hyphen that belongs to the word.
    Nothing,
    /// Nothing, and the hyphen before it is removed: `exam-` `ple`.
    Hyphen,
}

/// The two halves of a paragraph cut by a page break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seam {
    pub(crate) glue: Glue,
    /// The block of the previous page that continues, and its last text node.
    pub(crate) before: NodeId,
    pub(crate) last_text: NodeId,
    /// The rest of it on this page, and its first text node.
    pub(crate) after: Moved,
    pub(crate) first_text: NodeId,
}

/// The part of a page that moves to the previous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moved {
    /// The contents of a block; the block itself is removed.
    Block(NodeId),
    /// Siblings from `first` to `last`; those after them up to `end` are removed.
    Run { first: NodeId, last: NodeId, end: NodeId },
}

impl Moved {
    /// Returns the nodes to write on the previous page.
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

    /// Returns `true` if a node moves, not counting nodes inside one that does.
    fn takes(self, id: NodeId) -> bool {
        match self {
            Moved::Block(block) => id == block,
            Moved::Run { first, end, .. } => first <= id && id <= end,
        }
    }

    /// Returns `true` if a node is one of those that move.
    pub(crate) fn has(self, page: &Page, id: NodeId) -> bool {
        self.block() == Some(id) || self.nodes(page).any(|moved| moved == id)
    }
}

/// The notes of a page, as Markdown writes them: `[^1]`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes {
    pub(crate) links: BTreeMap<NodeId, usize>,
    pub(crate) blocks: BTreeMap<NodeId, usize>,
    /// The links from notes back to the text.
    pub(crate) backs: BTreeSet<NodeId>,
    /// The places to which no other links lead.
    pub(crate) names: BTreeSet<NodeId>,
}

/// The parts of a page to write. It borrows nothing, so that a document can keep it beside the page.
#[derive(Debug, Clone, Default)]
pub(crate) struct PageCut {
    /// The nodes to write, or whose contents to write.
    pub(crate) nodes: Vec<NodeId>,
    /// Whether to write only the contents of the nodes.
    pub(crate) inner: bool,
    pub(crate) left_out: BTreeSet<NodeId>,
    pub(crate) reading: PageReading,
    /// New `id`s of elements, and addresses of links within the document.
    pub(crate) ids: BTreeMap<NodeId, String>,
    pub(crate) links: BTreeMap<NodeId, String>,
    pub(crate) notes: Notes,
    pub(crate) shown: Shown,
    /// How the last paragraph continues on the next page.
    rest: Option<Seam>,
    /// The part that the previous page has taken over.
    given: Option<Seam>,
}

impl PageCut {
    pub(crate) fn new(nodes: Vec<NodeId>, left_out: BTreeSet<NodeId>, reading: PageReading) -> PageCut {
        PageCut { nodes, left_out, reading, ..PageCut::default() }
    }

    /// Returns the cut of everything in a page's `body`.
    pub(crate) fn of_body(page: &Page) -> PageCut {
        let body = page.first("body").unwrap_or(NodeId::DOCUMENT);
        PageCut { nodes: vec![body], inner: true, ..PageCut::default() }
    }

    /// Returns the cut of a page that gives nothing to its neighbours and takes nothing from them.
    pub(crate) fn apart(&self) -> PageCut {
        PageCut { rest: None, given: None, ..self.clone() }
    }

    pub(crate) fn goes_on(&mut self, seam: &Seam) {
        self.rest = Some(*seam);
    }

    pub(crate) fn gives(&mut self, seam: &Seam) {
        self.given = Some(*seam);
    }
}

/// A page as the writers see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageShape<'a> {
    pub(crate) page: &'a Page,
    pub(crate) cut: &'a PageCut,
    /// New places of the images, if they have moved.
    pub(crate) images: Option<&'a ImageSources>,
    /// Whether to write the part that moves to the previous page.
    pub(crate) is_rest: bool,
}

/// The rest of a page's last paragraph, on the next page.
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
    /// Returns the shape of a page whose images have not moved.
    pub(crate) fn of(page: &'a Page, cut: &'a PageCut) -> PageShape<'a> {
        PageShape { page, cut, images: None, is_rest: false }
    }

    /// Returns the rest of the last paragraph, if the next page has it.
    pub(crate) fn rest(self, next: PageShape<'a>) -> Option<ParagraphRest<'a>> {
        Some(ParagraphRest { seam: self.cut.rest?, shape: PageShape { is_rest: true, ..next } })
    }

    /// Returns `true` if a node and all below it are not written here.
    pub(crate) fn leaves_out(&self, id: NodeId) -> bool {
        self.takes_out(id) || !self.is_rest && self.given.is_some_and(|seam| seam.after.takes(id))
    }

    /// Returns `true` if a node and all below it are written nowhere.
    pub(crate) fn takes_out(&self, id: NodeId) -> bool {
        let is_hidden = self.page.class(id).hidden && !self.reading.forms.contains_key(&id);
        is_hidden || self.left_out.contains(&id)
    }

    /// Calls `visit` for each element that is written, with whether it is in a `pre`.
    pub(crate) fn each_written(&self, mut visit: impl FnMut(NodeId, bool)) {
        let page = self.page;
        for root in &self.nodes {
            let mut pre = usize::from(page.ancestors(*root).any(|above| page.is(above, "pre")));
            let mut walk = page.walk(*root);
            while let Some(step) = walk.next() {
                match step {
                    Step::Enter(id) if self.takes_out(id) => walk.skip_children(),
                    Step::Enter(id) => {
                        if page.is_element(id) {
                            visit(id, pre > 0);
                        }
                        pre += usize::from(page.is(id, "pre"));
                    }
                    Step::Leave(id) if !self.takes_out(id) => pre -= usize::from(page.is(id, "pre")),
                    Step::Leave(_) => {}
                }
            }
        }
    }

    /// Returns the address of a link, within the document or absolute; `None` if it has none, or if links are not shown.
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

    /// Returns the address of an image; `None` if images are not shown.
    pub(crate) fn image(&self, id: NodeId) -> Option<String> {
        if !self.shown.images {
            return None;
        }
        let address = image_address(self.page, id)?;
        match self.images {
            Some(images) => images.of(address),
            None => Some(address),
        }
    }

    pub(crate) fn text(&self, id: NodeId) -> &'a str {
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
