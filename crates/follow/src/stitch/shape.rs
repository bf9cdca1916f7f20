//! What the writers see of a page: its content, less what is taken out, with the places that links lead to.

use super::seam::{Glue, Seam};
use crate::write::html;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_page::{NodeId, Page};

/// The content of a page as it is written.
#[derive(Debug)]
pub(crate) struct Shape<'a> {
    pub(crate) page: &'a Page,
    /// What is written: these nodes, or what they hold.
    pub(crate) nodes: Cow<'a, [NodeId]>,
    /// Whether the nodes themselves are left out, not what they hold.
    pub(crate) inner: bool,
    left_out: BTreeSet<NodeId>,
    /// The `id`s that elements get, and the addresses within the document that links get.
    pub(crate) ids: BTreeMap<NodeId, String>,
    pub(crate) links: BTreeMap<NodeId, String>,
    /// Where the images are, if not where they were; those that are nowhere give their words.
    pub(crate) images: Option<BTreeMap<NodeId, String>>,
    /// The block that the page before has taken over.
    moved: Option<NodeId>,
    /// Text nodes that lose white space, or a hyphen.
    first_text: Option<NodeId>,
    last_text: Option<(NodeId, Glue)>,
}

/// How a page goes on: the rest of its last paragraph stands on the next one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rest<'a> {
    pub(crate) seam: Seam,
    pub(crate) shape: &'a Shape<'a>,
}

impl<'a> Shape<'a> {
    pub(crate) fn new(page: &'a Page, nodes: &'a [NodeId], left_out: BTreeSet<NodeId>) -> Shape<'a> {
        Shape {
            page,
            nodes: Cow::Borrowed(nodes),
            inner: false,
            left_out,
            ids: BTreeMap::new(),
            links: BTreeMap::new(),
            images: None,
            moved: None,
            first_text: None,
            last_text: None,
        }
    }

    /// All that a page's `body` holds.
    pub(crate) fn of_body(page: &'a Page) -> Shape<'a> {
        let body = page.first("body").unwrap_or(NodeId::DOCUMENT);
        Shape { nodes: Cow::Owned(vec![body]), inner: true, ..Shape::new(page, &[], BTreeSet::new()) }
    }

    /// Takes note of how the next page goes on.
    pub(super) fn goes_on(&mut self, seam: &Seam) {
        self.last_text = Some((seam.last_text, seam.glue));
    }

    /// Takes note of what the page before took over.
    pub(super) fn gives(&mut self, seam: &Seam) {
        self.moved = Some(seam.after);
        self.first_text = Some(seam.first_text);
    }

    /// Says whether a node, with all below it, is not written.
    pub(crate) fn leaves_out(&self, id: NodeId) -> bool {
        self.takes_out(id) || self.moved == Some(id)
    }

    /// Says whether a node, with all below it, is written on no page.
    pub(super) fn takes_out(&self, id: NodeId) -> bool {
        self.page.class(id).hidden || self.left_out.contains(&id)
    }

    /// Returns where an image is.
    pub(crate) fn image(&self, id: NodeId) -> Option<String> {
        match &self.images {
            Some(images) => images.get(&id).cloned(),
            None => html::image_address(self.page, id),
        }
    }

    /// Returns the text of a text node.
    pub(crate) fn text(&self, id: NodeId) -> &'a str {
        let mut text = self.page.data(id);
        if self.first_text == Some(id) {
            text = text.trim_start();
        }
        if let Some((last, glue)) = self.last_text
            && last == id
        {
            text = text.trim_end();
            if glue == Glue::Hyphen {
                text = without_hyphen(text);
            }
        }
        text
    }
}

/// Drops a hyphen at the end.
pub(super) fn without_hyphen(text: &str) -> &str {
    text.strip_suffix(['-', '\u{2010}', '\u{ad}']).unwrap_or(text)
}
