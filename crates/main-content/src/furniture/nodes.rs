//! Sets of nodes that do not contain each other.

use tsugi_page::{Content, NodeId, Page};

/// Returns `true` if a node is in `nodes` or inside one of them; `nodes` are outermost nodes in document order.
pub(crate) fn lies_in(page: &Page, nodes: &[NodeId], id: NodeId) -> bool {
    let before = nodes.partition_point(|node| *node <= id);
    before.checked_sub(1).and_then(|at| nodes.get(at)).is_some_and(|node| page.contains(*node, id))
}

/// Returns `true` for an element that is laid out on lines of its own, or a cell of a table.
pub(super) fn is_block(page: &Page, id: NodeId) -> bool {
    page.class(id).line || page.class(id).cell
}

pub(super) fn characters(page: &Page, content: &Content) -> u32 {
    let of = |nodes: &[NodeId]| nodes.iter().map(|id| page.totals(*id).characters).sum::<u32>();
    of(&content.nodes).saturating_sub(of(&content.without))
}
