//! Page furniture: what stands inside the content that was chosen, and is none.
//!
//! Models and rules choose nodes; what is hidden in them, the marks at headings, share bars, buttons of posts, and what
//! is left of a pager go afterwards, so that what the models read stays as it is. Comments of an article are found here,
//! too, and are a part of their own.

mod comments;
mod ends;
mod hidden;
mod pass;
mod words;

pub use comments::comments;

use pass::Pass;
use tsugi_page::{Content, NodeId, Page, Url};

/// What is taken out of content.
#[derive(Debug, Clone, Copy)]
pub enum Furniture<'a> {
    /// Hidden text, and marks at headings: what no author of a rule means to choose.
    Unseen,
    /// All of it. `next` is where the page's next link leads, if it has one; the comments go, too.
    All {
        /// The next page.
        next: Option<&'a Url>,
        /// The comments of the page.
        comments: Option<&'a Content>,
    },
}

/// Returns content without the furniture in it. Content of which little would be left stays as it is.
///
/// # Cost
///
/// One pass over the nodes of the content.
///
/// # Examples
///
/// ```
/// use tsugi_main_content::{Furniture, without_furniture};
/// use tsugi_page::{Content, Evidence, Page};
/// let html = "<main><h2>Setup<a class=headerlink href=#s>¶</a></h2><p>Run it.<p hidden>Draft";
/// let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
/// let nodes = vec![page.first("main").unwrap()];
/// let content = Content { nodes, ..Content::nothing(Evidence::Model) };
/// let content = without_furniture(&page, content, Furniture::Unseen);
/// assert_eq!(page.text_of_content(&content.nodes, &content.without), "Setup\nRun it.");
/// ```
pub fn without_furniture(page: &Page, content: Content, furniture: Furniture<'_>) -> Content {
    let mut pass = Pass::new(page, &content);
    pass.walk(matches!(furniture, Furniture::All { .. }));
    let mut out = pass.out;
    out.sort_unstable();
    if let Furniture::All { next, comments } = furniture {
        out.extend(ends::ends(page, &pass.texts, &out, next));
        // Comments are counted apart: there may be far more of them than there is content.
        let sections = comments.map(|comments| &comments.nodes[..]).unwrap_or_default();
        return without(page, content, out, sections);
    }
    without(page, content, out, &[])
}

/// Takes nodes out of content, and sections of comments, unless less than a third of its text would be left.
fn without(page: &Page, content: Content, out: Vec<NodeId>, sections: &[NodeId]) -> Content {
    let is_in = |id: &NodeId| lies_in(page, &content.nodes, *id);
    let sections: Vec<NodeId> = sections.iter().copied().filter(is_in).collect();
    if out.is_empty() && sections.is_empty() {
        return content;
    }
    let article = take(page, &content, sections);
    let rest = take(page, &article, out);
    if 3 * characters(page, &rest) < characters(page, &article) { article } else { rest }
}

/// Takes nodes that lie in content out of it.
fn take(page: &Page, content: &Content, mut out: Vec<NodeId>) -> Content {
    out.extend(&content.without);
    out.sort_unstable();
    out.dedup();
    let mut without = page.outermost(out);
    let nodes = content.nodes.iter().copied().filter(|node| without.binary_search(node).is_err()).collect();
    without.retain(|id| content.nodes.binary_search(id).is_err());
    Content { nodes, without, ..content.clone() }
}

/// Says whether a node is one of some, or lies in one; they are outermost nodes in document order.
fn lies_in(page: &Page, nodes: &[NodeId], id: NodeId) -> bool {
    let before = nodes.partition_point(|node| *node <= id);
    before.checked_sub(1).and_then(|at| nodes.get(at)).is_some_and(|node| page.contains(*node, id))
}

/// Counts the characters of content.
fn characters(page: &Page, content: &Content) -> u32 {
    let of = |nodes: &[NodeId]| nodes.iter().map(|id| page.totals(*id).characters).sum::<u32>();
    of(&content.nodes).saturating_sub(of(&content.without))
}

#[cfg(test)]
mod tests;
