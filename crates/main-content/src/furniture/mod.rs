//! Page furniture: what stands inside the content that was chosen, and is none.
//!
//! Models and rules choose nodes; what is hidden in them, the marks at headings, share bars, buttons of posts, and what
//! is left of a pager go afterwards, so that what the models read stays as it is. Comments of an article are found here,
//! too, and are a part of their own.

mod comments;
mod ends;
mod hidden;
mod nodes;
mod pass;
mod words;

pub use comments::{comments, has_comments};

use nodes::{characters, lies_in};
use pass::Pass;
use tsugi_page::{Content, NodeId, Page, Url};

/// What is taken out of content.
#[derive(Debug, Clone, Copy)]
pub enum Furniture<'a> {
    /// Hidden text, and marks at headings: what no author of a rule means to choose.
    Unseen,
    /// That, what is left of a pager at the ends, and the comments.
    Page(Around<'a>),
    /// That, and what readers of a document have no use for: share bars, buttons of posts, figures about their authors,
    /// signatures. Whoever labels pages counts much of it as content.
    Document(Around<'a>),
}

/// What is known of a page besides its content.
#[derive(Debug, Clone, Copy, Default)]
pub struct Around<'a> {
    /// Where its next link leads.
    pub next: Option<&'a Url>,
    /// Its comments.
    pub comments: Option<&'a Content>,
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
    // Comments are counted apart: there may be far more of them than there is content.
    let sections = around.comments.map(|comments| &comments.nodes[..]).unwrap_or_default();
    without(page, content, out, sections)
}

/// Where fewer characters would be left, nothing goes.
const LEAST: u32 = 20;

/// Takes nodes out of content, and sections of comments, unless less than a third of its text would be left.
fn without(page: &Page, content: Content, out: Vec<NodeId>, sections: &[NodeId]) -> Content {
    // Content may hold sections, and lie in them.
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

/// Takes nodes out of content.
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
