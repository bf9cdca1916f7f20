//! Rows of Roman and Han numerals: `I II III`, `一 二 三`.
//!
//! A lone `I` is a word, and a lone 一 is a dash or a one. So such labels count only in a row of at least three.

use super::numerals;
use std::collections::BTreeMap;
use tsugi_page::text::trim;
use tsugi_page::{NodeId, NodeKind, Page};

const LEAST: usize = 3; // Minimum number of numerals in a row.
const MAX_GAP: u32 = 12; // Maximum number of characters from the start of one to the start of the next.
const MAX_BETWEEN: usize = 3; // Maximum number of other items between two of them.
const MAX_LABEL: usize = 64; // Maximum number of bytes of a label with its white space.

/// Returns the numbers of items that are in such rows. `places` are items in document order; `characters` counts those before a
/// node.
pub(super) fn rows(
    page: &Page,
    characters: impl Fn(NodeId) -> u32,
    places: &[NodeId],
) -> BTreeMap<NodeId, u32> {
    let mut found = BTreeMap::new();
    let mut row: Vec<(NodeId, u32)> = Vec::new();
    let mut between = 0;
    for node in places.iter().copied() {
        let Some(number) = number(page, node) else {
            between += 1;
            continue;
        };
        let goes_on = row.last().is_some_and(|(last, before)| {
            let gap = characters(node).saturating_sub(characters(*last));
            number == before + 1 && between <= MAX_BETWEEN && gap <= MAX_GAP
        });
        if !goes_on {
            keep(page, &mut row, &mut found);
        }
        row.push((node, number));
        between = 0;
    }
    keep(page, &mut row, &mut found);
    found
}

fn number(page: &Page, node: NodeId) -> Option<u32> {
    let label = page.string_value(node);
    if label.len() > MAX_LABEL { None } else { numerals::ordinal(trim(label)) }
}

/// Keeps a row if it is long enough and has a link, and empties it.
fn keep(page: &Page, row: &mut Vec<(NodeId, u32)>, found: &mut BTreeMap<NodeId, u32>) {
    let has_link = row.iter().any(|(node, _)| page.kind(*node) == NodeKind::Element);
    if row.len() >= LEAST && has_link {
        found.extend(row.iter().copied());
    }
    row.clear();
}
