//! Removes page furniture: parts of the chosen content that are not content.
//!
//! Models and rules choose nodes. Hidden text, marks at headings, share bars, buttons of posts and the rest of a
//! pager are removed afterwards, so that the input of the models, and of the judge of pairs, stays the same. The
//! comments of an article are found here, too: by names, or by a small model below an article, never on pages of
//! forums, questions or products.

mod comments;
mod ends;
mod hidden;
mod nodes;
mod pass;
mod words;

pub(crate) use comments::may_have_comments;
pub use comments::{comment_share, comments, has_comments};

pub(crate) use nodes::lies_in;

use nodes::characters;
use pass::Pass;
use tsugi_page::{Content, NodeId, Page, Url};

/// What to remove from the content.
#[derive(Debug, Clone, Copy)]
pub enum Furniture<'a> {
    /// Hidden text and marks at headings, which no author of a rule means to choose.
    Unseen,
    /// The above, the rest of a pager at both ends, and the comments.
    Page(Surroundings<'a>),
    /// The above, and parts of no use to readers of a document: share bars, buttons of posts, figures about their
    /// authors, signatures. Most labels count much of this as content.
    Document(Surroundings<'a>),
}

/// Facts about a page besides its content.
#[derive(Debug, Clone, Copy, Default)]
pub struct Surroundings<'a> {
    /// Where its next link leads.
    pub next: Option<&'a Url>,
    /// Its comments.
    pub comments: Option<&'a Content>,
}

/// Returns content without its furniture. If little would be left, the content is returned unchanged.
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
/// let html = "<main><h2>Setup<a class=headerlink href=#s>¶</a></h2><p>Run it, and wait for a while.<p hidden>Draft";
/// let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
/// let nodes = vec![page.first("main").unwrap()];
/// let content = Content { nodes, ..Content::nothing(Evidence::Model) };
/// let content = without_furniture(&page, content, Furniture::Unseen);
/// assert_eq!(page.text_of_content(&content.nodes, &content.without), "Setup\nRun it, and wait for a while.");
/// ```
pub fn without_furniture(page: &Page, content: Content, furniture: Furniture<'_>) -> Content {
    let mut pass = Pass::new(page, &content);
    pass.walk(matches!(furniture, Furniture::Document(_)));
    let Pass { mut out, texts, .. } = pass;
    out.sort_unstable();
    let (Furniture::Page(around) | Furniture::Document(around)) = furniture else {
        return without(page, content, out, &[]);
    };
    out.extend(ends::ends(page, &texts, &out, around.next));
    // Count comments apart: there may be far more of them than content.
    let sections = around.comments.map(|comments| &comments.nodes[..]).unwrap_or_default();
    without(page, content, out, sections)
}

const LEAST: u32 = 20;

/// Removes nodes and comment sections from the content, unless less than a third of its text would be left.
fn without(page: &Page, content: Content, out: Vec<NodeId>, sections: &[NodeId]) -> Content {
    // Content may contain comment sections, and be inside them.
    let is_in = |id: &NodeId| {
        let after = content.nodes.partition_point(|node| node < id);
        lies_in(page, &content.nodes, *id)
            || content.nodes.get(after).is_some_and(|node| page.contains(*id, *node))
    };
    let sections: Vec<NodeId> = sections.iter().copied().filter(is_in).collect();
    if out.is_empty() && sections.is_empty() {
        return content;
    }
    let article = take(page, &content, sections);
    let rest = take(page, &article, out);
    let left = characters(page, &rest);
    if left < LEAST || 3 * left < characters(page, &article) { article } else { rest }
}

fn take(page: &Page, content: &Content, mut out: Vec<NodeId>) -> Content {
    out.extend(&content.without);
    let mut without = page.outermost(out);
    let nodes: Vec<NodeId> =
        content.nodes.iter().copied().filter(|node| !lies_in(page, &without, *node)).collect();
    without.retain(|id| lies_in(page, &nodes, *id));
    Content { nodes, without, ..content.clone() }
}

#[cfg(test)]
mod tests;
