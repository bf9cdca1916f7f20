//! The captions of images.

use crate::addresses::image_address;
use std::collections::BTreeSet;
use tsugi_page::{Content, NodeId, NodeKind, Page};

/// How far above what is left out its caption may be, and how many nodes of a figure are looked at.
const NEAR: usize = 4;
const MOST_NODES: usize = 256;

/// Adds the captions of images that are part of the content: a short one may look like the words of a button.
pub(super) fn recall(page: &Page, content: &mut Content) {
    let is_out = |without: &[NodeId], id: NodeId| {
        std::iter::once(id).chain(page.ancestors(id)).any(|id| without.binary_search(&id).is_ok())
    };
    let captions: BTreeSet<NodeId> =
        content.without.iter().filter_map(|out| caption_of(page, *out)).collect();
    for caption in captions {
        let Some(figure) = page.ancestors(caption).find(|id| page.is(*id, "figure")) else { continue };
        let nodes = |of| page.subtree(of).take(MOST_NODES);
        let shows = |id: NodeId| image_address(page, id).is_some() && !is_out(&content.without, id);
        let says = |id: NodeId| {
            page.kind(id) == NodeKind::Text
                && !page.data(id).trim().is_empty()
                && !is_out(&content.without, id)
        };
        if !is_out(&content.without, figure) && nodes(figure).any(shows) && !nodes(caption).any(says) {
            content.without.retain(|out| !page.contains(caption, *out));
        }
    }
}

/// Returns the caption that a node is, or is in.
fn caption_of(page: &Page, id: NodeId) -> Option<NodeId> {
    std::iter::once(id).chain(page.ancestors(id).take(NEAR)).find(|id| page.is(*id, "figcaption"))
}
