//! Walks through a page: enters and leaves nodes in document order.

use crate::node::NodeId;
use crate::page::Page;
use crate::size::u32_of;

/// A step of a [`Walk`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A node begins.
    Enter(NodeId),
    /// A node ends.
    Leave(NodeId),
}

/// An iterator that enters and leaves every node of a subtree, without recursion.
#[derive(Debug)]
pub struct Walk<'a> {
    page: &'a Page,
    root: NodeId,
    last: Option<Step>,
    next: Option<Step>,
}

impl Page {
    /// Walks the subtree of a node.
    pub fn walk(&self, from: NodeId) -> Walk<'_> {
        Walk { page: self, root: from, last: None, next: Some(Step::Enter(from)) }
    }
}

impl Walk<'_> {
    /// Skips what is inside the node entered last.
    pub fn skip_children(&mut self) {
        if let Some(Step::Enter(id)) = self.last {
            self.next = Some(Step::Leave(id));
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = Step;

    #[inline]
    fn next(&mut self) -> Option<Step> {
        let step = self.next?;
        self.last = Some(step);
        self.next = match step {
            Step::Enter(id) => {
                let first = NodeId(id.0 + 1);
                let has_children = first.index() < self.page.subtree_end(id);
                Some(if has_children { Step::Enter(first) } else { Step::Leave(id) })
            }
            Step::Leave(id) if id == self.root => None,
            Step::Leave(id) => self.page.parent(id).map(|parent| {
                let next = NodeId(u32_of(self.page.subtree_end(id)));
                let is_sibling = next.index() < self.page.subtree_end(parent);
                if is_sibling { Step::Enter(next) } else { Step::Leave(parent) }
            }),
        };
        Some(step)
    }
}
