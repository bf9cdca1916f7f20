//! The share of each block of a page that is kept.

use crate::kept::{Kept, each_leaf};
use tsugi_page::{NodeId, NodeKind, Page};

/// A visible block, and how much of it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockShare {
    /// The block-level element.
    pub block: NodeId,
    /// Number of characters in the block's own texts; an image counts as one. At least 1.
    pub characters: u64,
    /// Number of those characters that are kept.
    pub kept: u64,
}

impl BlockShare {
    /// Returns `true` if the block as a whole is kept: more than half of its characters are.
    pub fn is_kept(self) -> bool {
        2 * self.kept > self.characters
    }
}

impl Kept {
    /// Returns the visible blocks of a page, in the order in which they begin, and how much of each is kept.
    ///
    /// Only a block's own contents count, without the blocks inside it. White space at the ends of a text does not
    /// count, and runs of it count once. Leaves outside any block (the page has no `body`) are ignored.
    ///
    /// CHOICE: an image counts as one character, so that a block with only images can be kept, and text decides for
    /// any block that has text.
    ///
    /// # Cost
    ///
    /// One pass over the page.
    pub fn shares(&self, page: &Page) -> Vec<BlockShare> {
        let mut by_node = vec![(0_u64, 0_u64); page.node_count()];
        each_leaf(page, |leaf| {
            let Some(block) = leaf.block else { return };
            let (characters, kept) = &mut by_node[block.index()];
            let weight = leaf_characters(page, leaf.node).max(1);
            *characters += weight;
            *kept += if self.contains(leaf.node) { weight } else { 0 };
        });
        let shown = page.elements().filter(|id| by_node[id.index()].0 > 0);
        shown
            .map(|block| {
                let (characters, kept) = by_node[block.index()];
                BlockShare { block, characters, kept }
            })
            .collect()
    }

    /// Returns the number of characters in the kept texts; images have none.
    pub fn characters(&self, page: &Page) -> u64 {
        self.leaves().iter().map(|leaf| leaf_characters(page, *leaf)).sum()
    }

    /// Returns the number of characters in the texts that both keep.
    pub fn common_characters(&self, other: &Kept, page: &Page) -> u64 {
        let common = self.leaves().iter().filter(|leaf| other.contains(**leaf));
        common.map(|leaf| leaf_characters(page, *leaf)).sum()
    }
}

fn leaf_characters(page: &Page, leaf: NodeId) -> u64 {
    if page.kind(leaf) == NodeKind::Text { u64::from(page.totals(leaf).characters) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::page;
    use tsugi_page::{Content, Evidence};

    fn named(page: &Page, tag: &str) -> Kept {
        let nodes = page.elements().filter(|id| page.is(*id, tag)).collect();
        Kept::of_content(
            page,
            &Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Markup },
        )
    }

    #[test]
    fn more_than_half_of_the_own_characters_make_a_block_kept() {
        // The first `p` has 3 + 4 characters, the second 4 + 4, the third 5 + 4.
        let page = page("<p>abc<b>1234</b><p>abcd<b>1234</b><p>abcde<b>1234</b>");
        let shares = named(&page, "b").shares(&page);
        let told: Vec<_> =
            shares.iter().map(|share| (share.characters, share.kept, share.is_kept())).collect();
        assert_eq!(told, [(7, 4, true), (8, 4, false), (9, 4, false)]);
    }

    #[test]
    fn images_count_where_there_is_no_text() {
        let page = page("<p><img><p>a <img><p><p> ");
        let shares = named(&page, "img").shares(&page);
        let told: Vec<_> =
            shares.iter().map(|share| (share.characters, share.kept, share.is_kept())).collect();
        assert_eq!(told, [(1, 1, true), (2, 1, false)], "half is not enough; blank blocks are in neither");
        assert_eq!(named(&page, "img").characters(&page), 0);
    }

    #[test]
    fn characters_are_those_of_texts() {
        let page = page("<p> one  two <b>three</b><p>four");
        assert_eq!(Kept::all(&page).characters(&page), 7 + 5 + 4);
        assert_eq!(Kept::all(&page).common_characters(&named(&page, "b"), &page), 5);
        assert_eq!(named(&page, "i").common_characters(&Kept::all(&page), &page), 0);
    }

    const MARKUP: &str = "(<p>|<div>|</div>|<ul>|<li>|<b>|</b>|<table><td>|</table>|a|b c|<img>){0,30}";

    proptest::proptest! {
        #[test]
        fn what_blocks_keep_is_kept_whole_or_not_at_all(html in MARKUP, mask in 0_u64..) {
            let page = page(&html);
            let blocks: Vec<NodeId> = crate::blocks(&page).iter().map(crate::Block::node).collect();
            let taken: Vec<NodeId> =
                blocks.iter().enumerate().filter(|(at, _)| mask >> (at % 64) & 1 == 1).map(|(_, id)| *id).collect();
            for share in Kept::of_blocks(&page, &taken).shares(&page) {
                let is_taken = taken.contains(&share.block);
                proptest::prop_assert_eq!(share.kept, if is_taken { share.characters } else { 0 });
                proptest::prop_assert_eq!(share.is_kept(), is_taken);
            }
        }
    }
}
