//! Walks through a page: enters and leaves nodes in document order.

use crate::page::{NodeId, Page};

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
    state: WalkState,
}

#[derive(Debug, Clone, Copy)]
enum WalkState {
    Before,
    Entered(NodeId),
    Left(NodeId),
    Sibling(NodeId),
    Done,
}

impl Page {
    /// Walks the subtree of a node.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_page::{Page, walk::Step};
    /// let page = Page::from_text("<p><b></b>x", &"https://a.test/".parse().unwrap());
    /// let p = page.first("p").unwrap();
    /// let steps: Vec<String> = page.walk(p).map(|step| match step {
    ///     Step::Enter(id) => format!("+{}", page.tag(id)),
    ///     Step::Leave(id) => format!("-{}", page.tag(id)),
    /// }).collect();
    /// assert_eq!(steps, ["+p", "+b", "-b", "+", "-", "-p"]);
    /// ```
    pub fn walk(&self, from: NodeId) -> Walk<'_> {
        Walk { page: self, root: from, state: WalkState::Before }
    }
}

impl Walk<'_> {
    /// Skips what is inside the node entered last.
    pub fn skip_children(&mut self) {
        if let WalkState::Entered(id) = self.state {
            self.state = WalkState::Left(id);
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let step = match self.state {
            WalkState::Before => Step::Enter(self.root),
            WalkState::Done => return None,
            WalkState::Entered(id) => match self.page.children(id).next() {
                Some(child) => Step::Enter(child),
                None => Step::Leave(id),
            },
            WalkState::Left(id) => Step::Leave(id),
            WalkState::Sibling(id) => Step::Enter(id),
        };
        self.state = match step {
            Step::Enter(id) => WalkState::Entered(id),
            Step::Leave(id) if id == self.root => WalkState::Done,
            Step::Leave(id) => match (self.page.next_sibling(id), self.page.parent(id)) {
                (Some(sibling), _) => WalkState::Sibling(sibling),
                (None, Some(parent)) => WalkState::Left(parent),
                (None, None) => WalkState::Done,
            },
        };
        Some(step)
    }
}
