//! What of a page is written, and how: its content less what is taken out, with the places that links lead to.

use crate::addresses::{image_address, link_address};
use crate::images::ImageSources;
use crate::reading::{Media, Reading};
use crate::shown::Shown;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use tsugi_page::walk::Step;
use tsugi_page::{NodeId, Page};

/// What stands between the two halves of a cut paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Glue {
    /// One space.
    Space,
    /// Nothing, as in scripts without spaces, and behind a hyphen that belongs to the word.
    Nothing,
    /// Nothing, and the hyphen before it goes: `exam-` `ple`.
    Hyphen,
}

/// The two halves of a paragraph that a page break cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seam {
    pub(crate) glue: Glue,
    /// The block of the page before that goes on, and the text node that it ends with.
    pub(crate) before: NodeId,
    pub(crate) last_text: NodeId,
    /// What of this page is its rest, and the text node that it begins with.
    pub(crate) after: Moved,
    pub(crate) first_text: NodeId,
}

/// What a page gives to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moved {
    /// What a block holds; the block goes.
    Block(NodeId),
    /// Siblings from one to another one; what stands behind them up to a third goes, too.
    Run { first: NodeId, last: NodeId, end: NodeId },
}

impl Moved {
    /// Returns the nodes that are written on the page before.
    pub(crate) fn nodes(self, page: &Page) -> impl Iterator<Item = NodeId> + '_ {
        let (first, last) = match self {
            Moved::Block(block) => (page.children(block).next(), None),
            Moved::Run { first, last, .. } => (Some(first), Some(last)),
        };
        std::iter::successors(first, move |id| page.next_sibling(*id).filter(|_| Some(*id) != last))
    }

    /// Returns the block that is moved, if it is one.
    pub(crate) fn block(self) -> Option<NodeId> {
        match self {
            Moved::Block(block) => Some(block),
            Moved::Run { .. } => None,
        }
    }

    /// Says whether a node goes from its page, those aside that lie in one which goes.
    fn takes(self, id: NodeId) -> bool {
        match self {
            Moved::Block(block) => id == block,
            Moved::Run { first, end, .. } => first <= id && id <= end,
        }
    }

    /// Says whether a node is one of those that are moved.
    pub(crate) fn has(self, page: &Page, id: NodeId) -> bool {
        self.block() == Some(id) || self.nodes(page).any(|moved| moved == id)
    }
}

/// The notes of a page, as Markdown writes them: `[^1]`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notes {
    /// The links to notes of the document, with the numbers of the notes.
    pub(crate) links: BTreeMap<NodeId, usize>,
    /// The blocks that are notes.
    pub(crate) blocks: BTreeMap<NodeId, usize>,
    /// The links from notes back to the text.
    pub(crate) backs: BTreeSet<NodeId>,
    /// The places that no other links lead to.
    pub(crate) names: BTreeSet<NodeId>,
}

/// What of a page is written. It borrows nothing: a document keeps it beside the page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cut {
    /// What is written: these nodes, or what they hold.
    pub(crate) nodes: Vec<NodeId>,
    /// Whether the nodes themselves are left out, not what they hold.
    pub(crate) inner: bool,
    pub(crate) left_out: BTreeSet<NodeId>,
    /// What is not written as its own text.
    pub(crate) reading: Reading,
    /// The `id`s that elements get, and the addresses within the document that links get.
    pub(crate) ids: BTreeMap<NodeId, String>,
    pub(crate) links: BTreeMap<NodeId, String>,
    pub(crate) notes: Notes,
    pub(crate) shown: Shown,
    /// How the next page goes on.
    rest: Option<Seam>,
    /// What the page before has taken over.
    given: Option<Seam>,
}

impl Cut {
    pub(crate) fn new(nodes: Vec<NodeId>, left_out: BTreeSet<NodeId>, reading: Reading) -> Cut {
        Cut { nodes, left_out, reading, ..Cut::default() }
    }

    /// All that a page's `body` holds.
    pub(crate) fn of_body(page: &Page) -> Cut {
        let body = page.first("body").unwrap_or(NodeId::DOCUMENT);
        Cut { nodes: vec![body], inner: true, ..Cut::default() }
    }

    /// Takes note of how the next page goes on.
    pub(crate) fn goes_on(&mut self, seam: &Seam) {
        self.rest = Some(*seam);
    }

    /// Takes note of what the page before took over.
    pub(crate) fn gives(&mut self, seam: &Seam) {
        self.given = Some(*seam);
    }
}

/// A page, as the writers see it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape<'a> {
    pub(crate) page: &'a Page,
    pub(crate) cut: &'a Cut,
    /// Where the images are, if not where they were.
    pub(crate) images: Option<&'a ImageSources>,
    /// Whether what the page gives to the one before it is what is written.
    pub(crate) is_rest: bool,
}

/// How a page goes on: the rest of its last paragraph stands on the next one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rest<'a> {
    pub(crate) seam: Seam,
    pub(crate) shape: Shape<'a>,
}

impl Deref for Shape<'_> {
    type Target = Cut;

    fn deref(&self) -> &Cut {
        self.cut
    }
}

impl<'a> Shape<'a> {
    /// A page with its images where they were.
    pub(crate) fn of(page: &'a Page, cut: &'a Cut) -> Shape<'a> {
        Shape { page, cut, images: None, is_rest: false }
    }

    /// Returns the rest of the last paragraph, which stands on the next page.
    pub(crate) fn rest(self, next: Shape<'a>) -> Option<Rest<'a>> {
        Some(Rest { seam: self.cut.rest?, shape: Shape { is_rest: true, ..next } })
    }

    /// Says whether a node, with all below it, is not written.
    pub(crate) fn leaves_out(&self, id: NodeId) -> bool {
        self.takes_out(id) || !self.is_rest && self.given.is_some_and(|seam| seam.after.takes(id))
    }

    /// Says whether a node, with all below it, is written on no page.
    pub(crate) fn takes_out(&self, id: NodeId) -> bool {
        let is_hidden = self.page.class(id).hidden && !self.reading.forms.contains_key(&id);
        is_hidden || self.left_out.contains(&id)
    }

    /// Visits the elements that are written, and says whether they are in a `pre`.
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

    /// Returns where a link leads: to a place in the document, or to another page.
    pub(crate) fn link(&self, id: NodeId) -> Option<String> {
        if !self.shown.links {
            return None;
        }
        self.links.get(&id).cloned().or_else(|| link_address(self.page, id))
    }

    /// Returns the words of a link to a frame or player: never an address where links are not shown.
    pub(crate) fn label<'m>(&self, media: &'m Media) -> &'m str {
        if self.shown.links { media.label() } else { media.title.as_deref().unwrap_or_default() }
    }

    /// Returns where an image is.
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

    /// Returns the text of a text node.
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

/// Drops a hyphen at the end.
pub(crate) fn without_hyphen(text: &str) -> &str {
    text.strip_suffix(['-', '\u{2010}', '\u{ad}']).unwrap_or(text)
}
