//! Captions of pictures outside of a `figure`: blocks whose name says so, and what holds them and the picture, or the picture before
//! them.

use crate::addresses::image_address;
use tsugi_page::{Attr, NodeId, NodeKind, Page, Tag};

/// The longest caption, in characters.
const LONGEST: u32 = 600;
/// How far the picture may be inside of what holds it, and how far a `figure` around it is looked for, in elements.
const NEAR: usize = 32;

/// Returns the element that is a figure around a caption: it holds the block, a picture, and no other words.
pub(super) fn figure_of(page: &Page, id: NodeId) -> Option<NodeId> {
    let characters = page.totals(id).characters;
    let around = page.parent(id)?;
    let is_figure = matches!(page.known_tag(around), Tag::Div | Tag::Section)
        && page.totals(around).characters == characters
        && has_picture(page, around);
    // Only the first or the last part of a figure may be its caption.
    let is_at_edge = || {
        let mut parts = page.child_elements(around);
        parts.next() == Some(id) || parts.last() == Some(id)
    };
    (is_figure && is_at_edge()).then_some(around)
}

/// Returns the picture right before a caption among other words, and the element beside it that is the caption or holds it alone.
pub(super) fn picture_before(page: &Page, id: NodeId) -> Option<(NodeId, NodeId)> {
    let characters = page.totals(id).characters;
    let is_alone = |above: &NodeId| {
        page.is_tag(*above, Tag::Div)
            && page.totals(*above).characters == characters
            && !has_picture(page, *above)
    };
    let caption = page.ancestors(id).take_while(is_alone).last().unwrap_or(id);
    let around = page.known_tag(page.parent(caption)?);
    let holds_figures = matches!(
        around,
        Tag::Article
            | Tag::Blockquote
            | Tag::Body
            | Tag::Dd
            | Tag::Div
            | Tag::Li
            | Tag::Main
            | Tag::Section
            | Tag::Td
    );
    let before = std::iter::successors(page.previous_sibling(caption), |id| page.previous_sibling(*id));
    let mut shown = before.take(NEAR).filter(|id| match page.kind(*id) {
        NodeKind::Element => !page.is_tag(*id, Tag::Br),
        NodeKind::Text => !page.data(*id).trim().is_empty(),
        _ => false,
    });
    let is_picture = |id: &NodeId| {
        page.totals(*id).characters == 0
            && page.subtree(*id).take(NEAR).any(|below| image_address(page, below).is_some())
    };
    let picture = shown.next().filter(|id| holds_figures && is_picture(id))?;
    Some((picture, caption))
}

/// Returns `true` for a block that says that it is a caption, and is in no `figure` or other caption.
pub(super) fn is_caption(page: &Page, id: NodeId) -> bool {
    matches!(page.known_tag(id), Tag::P | Tag::Div | Tag::Figcaption)
        && page.is_html(id)
        && (1..=LONGEST).contains(&page.totals(id).characters)
        && says_caption(page, id)
        && !has_picture(page, id)
        && !page
            .ancestors(id)
            .take(NEAR)
            .any(|above| matches!(page.known_tag(above), Tag::Figure | Tag::Figcaption))
}

fn has_picture(page: &Page, id: NodeId) -> bool {
    page.subtree(id).take(NEAR).any(|below| page.is_tag(below, Tag::Img))
}

fn says_caption(page: &Page, id: NodeId) -> bool {
    let says = |name: &str| {
        let mut words = name.as_bytes().split(|byte| !byte.is_ascii_alphanumeric());
        words.any(|word| {
            word.last_chunk::<7>().is_some_and(|end| end.eq_ignore_ascii_case(b"caption"))
                || word.first_chunk::<11>().is_some_and(|start| start.eq_ignore_ascii_case(b"captiontext"))
                || word.eq_ignore_ascii_case(b"cutline")
        })
    };
    page.is_tag(id, Tag::Figcaption)
        || [Attr::Class, Attr::Itemprop].into_iter().filter_map(|name| page.value(id, name)).any(says)
}
