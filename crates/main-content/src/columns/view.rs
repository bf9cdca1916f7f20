//! A block as its columns see it, and how columns are declared.

use super::container::Entries;
use crate::block::TextBlock;
use crate::context::{BlockFacts, LEVELS, PageContext, Standing, TextSums};
use crate::groups::SiblingGroup;
use crate::regions::Regions;
use tsugi_page::{NodeId, Tag};

/// Declares the columns of a module and how they are computed: `kind "name", "doc", |block| value;`.
macro_rules! features {
    ($($kind:ident $name:expr, $doc:expr, |$block:ident| $value:expr;)*) => {
        pub(super) static COLUMNS: &[tsugi_scoring::Column] =
            &[$($crate::columns::kinds::$kind($name, $doc)),*];

        // All values of a block are computed in one function, without a call for each.
        pub(super) fn fill(block: &$crate::columns::view::BlockView<'_>, row: &mut Vec<f32>) {
            row.extend([$({
                let $block = block;
                $crate::columns::kinds::Measure::measure($value)
            }),*]);
        }
    };
}
pub(super) use features;

pub(super) struct BlockView<'a> {
    pub(super) context: &'a PageContext<'a>,
    pub(super) at: usize,
    pub(super) levels: [NodeId; LEVELS],
    /// For each level: its sums; its largest group of similar siblings, and the position in it.
    pub(super) sums: [TextSums; LEVELS],
    pub(super) groups: [(SiblingGroup, u32); LEVELS],
    pub(super) entries: Entries,
    pub(super) scores: LinearScores,
    /// The first and the last character of the block.
    pub(super) first: char,
    pub(super) last: char,
    pub(super) facts: &'a BlockFacts,
}

/// Linear scores of a block's tokens, in log-odds, and of the blocks before it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LinearScores {
    /// Of its words; see [`word_tokens`](crate::word_tokens).
    pub words: f32,
    /// Of the names around it; see [`markup_tokens`](crate::markup_tokens).
    pub markup: f32,
    /// Of the words of the last heading; 0 without one.
    pub heading_words: f32,
    /// Of its words and names together.
    pub heading: f32,
    /// The lowest of words and names together since the last prose, 0 at most.
    pub lowest_since_prose: f32,
    /// The lowest of words since the main heading, 0 at most.
    pub lowest_since_title: f32,
}

impl LinearScores {
    /// Looks at the blocks before each block; all of a page have their own scores.
    pub fn look_around(scores: &mut [LinearScores], standings: impl IntoIterator<Item = Standing>) {
        let (mut since_prose, mut since_title) = (0.0_f32, 0.0_f32);
        for (at, standing) in standings.into_iter().enumerate() {
            let of = |at: usize| scores.get(at).copied().unwrap_or_default();
            let own = of(at);
            let heading = standing.heading.map(|at| of(at as usize)).unwrap_or_default();
            if let Some(scores) = scores.get_mut(at) {
                scores.heading_words = heading.words;
                scores.heading = heading.words + heading.markup;
                scores.lowest_since_prose = since_prose;
                scores.lowest_since_title = since_title;
            }
            since_prose = if standing.is_prose { 0.0 } else { since_prose.min(own.words + own.markup) };
            if standing.is_below_title {
                since_title = since_title.min(own.words);
            }
        }
    }
}

impl<'a> BlockView<'a> {
    pub(super) fn block(&self) -> &'a TextBlock {
        &self.context.blocks().blocks[self.at]
    }

    pub(super) fn is_in(&self, regions: Regions) -> bool {
        self.context.regions(self.block().inner) & regions != 0
    }

    pub(super) fn owner_is(&self, tags: &[Tag]) -> bool {
        tags.contains(&self.context.page().known_tag(self.block().owner))
    }

    pub(super) fn per_token(&self, part: u32) -> f32 {
        ratio(part, self.block().counts.tokens)
    }

    pub(super) fn neighbour(&self, distance: isize) -> Option<&'a TextBlock> {
        self.context.blocks().blocks.get(self.at.checked_add_signed(distance)?)
    }

    /// Returns the tokens, and those in links, of the blocks up to `reach` before and after.
    pub(super) fn around(&self, reach: usize) -> (u32, u32) {
        let blocks = &self.context.blocks().blocks;
        let from = blocks[self.at.saturating_sub(reach)].texts().start;
        let to = blocks[(self.at + reach).min(blocks.len() - 1)].texts().end;
        let sums = self.context.sums_between(from, to);
        let block = self.block();
        (sums.tokens - block.counts.tokens, sums.link_tokens - block.link_tokens)
    }

    pub(super) fn images(&self, level: usize) -> usize {
        self.context.images_inside(self.levels[level])
    }

    pub(super) fn level(&self, level: usize) -> TextSums {
        self.sums[level]
    }

    pub(super) fn whole(&self) -> TextSums {
        self.context.whole
    }

    pub(super) fn before(&self) -> TextSums {
        self.context.sums_between(0, self.block().texts().start)
    }

    pub(super) fn first_text(&self) -> NodeId {
        self.context.blocks().texts[self.block().texts().start]
    }
}

/// Returns a part divided by a whole; the part may be larger.
pub(super) fn ratio(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_blocks_before_are_known() {
        let of = |words, markup| LinearScores { words, markup, ..LinearScores::default() };
        let mut scores = [of(-3.0, 0.0), of(2.0, 1.0), of(-1.0, -2.0), of(1.0, 0.0), of(0.0, 0.0)];
        let standing = |heading, is_prose, is_below_title| Standing { heading, is_prose, is_below_title };
        let standings = [
            standing(None, false, false),
            standing(None, false, true),
            standing(Some(1), false, true),
            standing(Some(1), true, true),
            standing(Some(1), false, true),
        ];
        LinearScores::look_around(&mut scores, standings);
        let headings = scores.map(|scores| (scores.heading_words, scores.heading));
        assert_eq!(headings, [(0.0, 0.0), (0.0, 0.0), (2.0, 3.0), (2.0, 3.0), (2.0, 3.0)]);
        assert_eq!(scores.map(|scores| scores.lowest_since_prose), [0.0, -3.0, -3.0, -3.0, 0.0]);
        assert_eq!(scores.map(|scores| scores.lowest_since_title), [0.0, 0.0, 0.0, -1.0, -1.0]);
    }
}
