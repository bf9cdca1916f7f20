//! The data for the features of all elements of a page, gathered in one pass.

use tsugi_page::text::is_punctuation;
use tsugi_page::{NodeId, NodeKind, Page, Totals};

#[derive(Debug, Clone, Copy, Default)]
struct Children {
    count: u32,
    characters: u32,
    punctuation: u32,
    elements: u32,
}

/// A page with the sums that its elements' features need.
///
/// # Cost
///
/// One pass over the nodes; every feature is then O(1).
#[derive(Debug)]
pub struct ElementContext<'a> {
    page: &'a Page,
    children: Vec<Children>,
    /// For each node: the depth of its lowest common ancestor with the next-link tag; empty without one.
    ancestor_depths: Vec<u32>,
    next_link_depth: u32,
    totals: Totals,
    /// Before each node, and at the end: the punctuation marks in text.
    marks: Vec<u32>,
}

impl<'a> ElementContext<'a> {
    /// Gathers the sums; `next` is the tag of the page's next-page link.
    pub fn new(page: &'a Page, next: Option<NodeId>) -> Self {
        let marks = marks(page);
        let mut children = vec![Children::default(); page.node_count()];
        for id in page.elements() {
            let Some(parent) = page.parent(id) else { continue };
            let totals = page.totals(id);
            let sum = &mut children[parent.index()];
            sum.count += 1;
            sum.characters += totals.characters;
            sum.punctuation += sum_inside(page, &marks, id);
            sum.elements += totals.elements;
        }
        let ancestor_depths = next.map_or_else(Vec::new, |next| ancestor_depths(page, next));
        let next_link_depth = next.map_or(0, |next| page.depth(next));
        let totals = page.totals(NodeId::DOCUMENT);
        ElementContext { page, children, ancestor_depths, next_link_depth, totals, marks }
    }

    pub(crate) fn page(&self) -> &'a Page {
        self.page
    }

    pub(crate) fn page_totals(&self) -> Totals {
        self.totals
    }

    /// Returns the number of punctuation marks in the text of a node.
    pub(crate) fn punctuation(&self, id: NodeId) -> u32 {
        sum_inside(self.page, &self.marks, id)
    }

    fn of_parent(&self, id: NodeId) -> Children {
        self.page.parent(id).map_or_else(Children::default, |parent| self.children[parent.index()])
    }

    pub(crate) fn siblings(&self, id: NodeId) -> u32 {
        self.of_parent(id).count.saturating_sub(1)
    }

    pub(crate) fn child_count(&self, id: NodeId) -> u32 {
        self.children[id.index()].count
    }

    pub(crate) fn sibling_characters(&self, id: NodeId) -> u32 {
        self.of_parent(id).characters.saturating_sub(self.page.totals(id).characters)
    }

    pub(crate) fn sibling_punctuation(&self, id: NodeId) -> u32 {
        self.of_parent(id).punctuation.saturating_sub(self.punctuation(id))
    }

    /// The siblings themselves do not count.
    pub(crate) fn sibling_elements(&self, id: NodeId) -> u32 {
        let all = self.of_parent(id).elements.saturating_sub(self.page.totals(id).elements);
        all.saturating_sub(self.siblings(id))
    }

    /// Returns the number of edges between an element and the next-link tag, through their lowest common ancestor;
    /// `None` if the page has no next link.
    ///
    /// ```text
    /// distance(v) = depth(v) + depth(link) − 2 · depth(lca(v, link))
    /// ```
    pub fn next_link_distance(&self, id: NodeId) -> Option<u32> {
        let common = *self.ancestor_depths.get(id.index())?;
        Some(self.page.depth(id) + self.next_link_depth - 2 * common)
    }
}

fn sum_inside(page: &Page, before: &[u32], id: NodeId) -> u32 {
    before[page.subtree_end(id)] - before[id.index()]
}

fn marks(page: &Page) -> Vec<u32> {
    let mut sum = 0;
    let mut marks = vec![sum];
    for id in page.subtree(NodeId::DOCUMENT) {
        // Hidden text does not count, as in the totals.
        if page.kind(id) == NodeKind::Text && page.totals(id).characters > 0 {
            sum += page.data(id).chars().map(|c| u32::from(is_punctuation(c))).sum::<u32>();
        }
        marks.push(sum);
    }
    marks
}

fn ancestor_depths(page: &Page, next: NodeId) -> Vec<u32> {
    let mut depths: Vec<u32> = Vec::with_capacity(page.node_count());
    for id in page.subtree(NodeId::DOCUMENT) {
        let inherited = page.parent(id).map_or(0, |parent| depths[parent.index()]);
        depths.push(if page.contains(id, next) { page.depth(id) } else { inherited });
    }
    depths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_of;

    #[test]
    fn distances_go_through_the_lowest_common_ancestor() {
        let html = "<div><ul><li>1<li><a href=2>n</a></ul><p>x<b>y</b></p></div>";
        let page = page_of(html);
        let first = |tag: &str| page.first(tag).unwrap();
        let context = ElementContext::new(&page, Some(first("a")));
        let distance = |tag: &str| context.next_link_distance(first(tag)).unwrap();
        // a – li – ul – div – p – b: 5 edges; html – body – div – ul – li – a: 5.
        assert_eq!((distance("a"), distance("ul"), distance("b"), distance("html")), (0, 2, 5, 5));
        // This is not the link's own `li`: li – ul – li – a.
        assert_eq!(distance("li"), 3);
        assert_eq!(ElementContext::new(&page, None).next_link_distance(first("b")), None);
    }
}
