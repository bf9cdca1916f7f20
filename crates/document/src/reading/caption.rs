//! Captions of pictures outside of a `figure`: blocks whose name says so, and what holds them and the picture.

use tsugi_page::{Attr, NodeId, Page, Tag};

/// The longest caption, in characters.
const LONGEST: u32 = 600;
/// How far the picture may be inside of what holds it, and how far a `figure` around it is looked for, in elements.
const NEAR: usize = 32;

/// Returns the element that is a figure if a block is its caption: it holds the block, a picture, and no other words.
pub(super) fn figure_of(page: &Page, id: NodeId) -> Option<NodeId> {
    let is_block = matches!(page.known_tag(id), Tag::P | Tag::Div | Tag::Figcaption) && page.is_html(id);
    if !is_block || !says_caption(page, id) {
        return None;
    }
    let characters = page.totals(id).characters;
    let has_picture = |id: NodeId| page.subtree(id).take(NEAR).any(|below| page.is_tag(below, Tag::Img));
    let around = page.parent(id)?;
    let is_figure = (1..=LONGEST).contains(&characters)
        && matches!(page.known_tag(around), Tag::Div | Tag::Section)
        && page.totals(around).characters == characters
        && !has_picture(id)
        && has_picture(around)
        && !page.ancestors(id).take(NEAR).any(|above| page.is_tag(above, Tag::Figure));
    // Only the first or the last part of a figure may be its caption.
    let is_at_edge = || {
        let mut parts = page.child_elements(around);
        parts.next() == Some(id) || parts.last() == Some(id)
    };
    (is_figure && is_at_edge()).then_some(around)
}

fn says_caption(page: &Page, id: NodeId) -> bool {
    let says = |name: &str| {
        let name = name.to_ascii_lowercase();
        name.split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| word.ends_with("caption") || word.starts_with("captiontext") || word == "cutline")
    };
    page.is_tag(id, Tag::Figcaption)
        || [Attr::Class, Attr::Itemprop].into_iter().filter_map(|name| page.value(id, name)).any(says)
}
