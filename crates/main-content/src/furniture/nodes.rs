//! Nodes that do not lie in each other.

use tsugi_page::{Content, NodeId, Page};

/// Says whether a node is one of some, or lies in one; they are outermost nodes in document order.
pub(super) fn lies_in(page: &Page, nodes: &[NodeId], id: NodeId) -> bool {
    let before = nodes.partition_point(|node| *node <= id);
    before.checked_sub(1).and_then(|at| nodes.get(at)).is_some_and(|node| page.contains(*node, id))
}

/// Counts the characters of content.
pub(super) fn characters(page: &Page, content: &Content) -> u32 {
    let of = |nodes: &[NodeId]| nodes.iter().map(|id| page.totals(*id).characters).sum::<u32>();
    of(&content.nodes).saturating_sub(of(&content.without))
}
