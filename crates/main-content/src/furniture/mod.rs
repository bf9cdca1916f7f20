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

/// Returns content without its furniture. If less than a third of its text would be left, not counting comments, only those go.
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
        return without(page, content, out, Vec::new());
    };
    out.extend(ends::ends(page, &texts, &out, around.next));
    let sections = comments_in(page, &content, around.comments);
    without(page, content, out, sections)
}

/// Returns a number of characters that [`without_furniture`] leaves of the content at least, whatever furniture it has.
/// `comments` are those of its [`Surroundings`].
///
/// # Cost
///
/// No pass over the nodes of the content.
///
/// # Examples
///
/// ```
/// use tsugi_main_content::least_left;
/// use tsugi_page::{Content, Evidence, Page};
/// let page = Page::from_text("<main><p>Thirty characters in one line.</main>", &"https://a.test/".parse().unwrap());
/// let nodes = vec![page.first("main").unwrap()];
/// let content = Content { nodes, ..Content::nothing(Evidence::Model) };
/// assert_eq!(least_left(&page, &content, None), 10);
/// ```
pub fn least_left(page: &Page, content: &Content, comments: Option<&Content>) -> u32 {
    let article = take(page, content, comments_in(page, content, comments));
    // Without any furniture content stays as it is, also if it leaves out what it does not hold.
    characters(page, &article).div_ceil(SHARE).min(characters(page, content))
}

/// If less than one part in so many of the text would be left, or fewer than so many characters, furniture stays.
const SHARE: u32 = 3;
const LEAST: u32 = 20;

/// Removes nodes and comment sections from the content, unless too little of its text would be left.
fn without(page: &Page, content: Content, out: Vec<NodeId>, sections: Vec<NodeId>) -> Content {
    if out.is_empty() && sections.is_empty() {
        return content;
    }
    // Count comments apart: there may be far more of them than content.
    let article = take(page, &content, sections);
    let rest = take(page, &article, out);
    let left = characters(page, &rest);
    if left < LEAST || SHARE * left < characters(page, &article) { article } else { rest }
}

/// Returns the sections of comments that content contains or is inside.
fn comments_in(page: &Page, content: &Content, comments: Option<&Content>) -> Vec<NodeId> {
    let is_in = |id: &NodeId| {
        let after = content.nodes.partition_point(|node| node < id);
        lies_in(page, &content.nodes, *id)
            || content.nodes.get(after).is_some_and(|node| page.contains(*id, *node))
    };
    comments.into_iter().flat_map(|comments| &comments.nodes).copied().filter(is_in).collect()
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
