//! The columns of a text block, declared once: name, unit, range, meaning, and how to compute them.

mod container;
mod own;
mod page;
mod place;

use self::container::Entries;
use super::block::TextBlock;
use super::context::{BlockFacts, LEVELS, PageContext, TextSums};
use super::groups::Group;
use super::regions::Regions;
use std::sync::LazyLock;
use tsugi_learning::{Column, Matrix, MatrixError, Schema};
use tsugi_page::{NodeId, Tag};

/// The columns of a text block.
#[derive(Debug, Clone, Copy)]
pub struct BlockColumns;

impl Schema for BlockColumns {
    const NAME: &'static str = "main-content/blocks";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
            let lists = [own::COLUMNS, place::COLUMNS, page::COLUMNS].into_iter();
            lists.chain(container::COLUMNS.iter().copied()).flatten().copied().collect()
        });
        &COLUMNS
    }
}

const OWN: &str = "tsugi";

/// Declares the columns of a module, and how they are computed: `name: Unit, range, "meaning", |block| value;`.
///
/// All values of a block are computed in one function, without a call for each.
macro_rules! features {
    ($($name:expr, $unit:ident, $range:expr, $doc:expr, $of:expr;)*) => {
        pub(super) static COLUMNS: &[tsugi_learning::Column] = &[$(
            tsugi_learning::Column::new(
                $name, tsugi_learning::Unit::$unit, $range, $doc, $crate::columns::OWN,
            )
        ),*];

        /// Adds the values of a block to its row.
        pub(super) fn fill(block: &$crate::columns::BlockView<'_>, row: &mut Vec<f32>) {
            row.extend([$({
                let of: fn(&$crate::columns::BlockView<'_>) -> f32 = $of;
                of(block)
            }),*]);
        }
    };
}
use features;

/// A block of a page, as its columns see it.
struct BlockView<'a> {
    context: &'a PageContext<'a>,
    at: usize,
    levels: [NodeId; LEVELS],
    /// By level: its sums; the largest group of similar siblings, and the place in it.
    sums: [TextSums; LEVELS],
    groups: [(Group, u32); LEVELS],
    entries: Entries,
    scores: LinearScores,
}

impl BlockColumns {
    /// Puts linear scores into a row that was computed without them.
    pub fn set_scores(row: &mut [f32], scores: LinearScores) {
        static PLACES: LazyLock<[Option<usize>; 3]> = LazyLock::new(|| {
            ["words_score", "markup_score", "linear_score"].map(tsugi_learning::column_index::<BlockColumns>)
        });
        let values = [scores.words, scores.markup, scores.words + scores.markup];
        for (place, value) in PLACES.iter().zip(values) {
            if let Some(cell) = place.and_then(|place| row.get_mut(place)) {
                *cell = value;
            }
        }
    }
}

/// Linear scores of a block's tokens, in log-odds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LinearScores {
    /// Of its words; see [`word_tokens`](super::words::word_tokens).
    pub words: f32,
    /// Of the names around it; see [`markup_tokens`](super::markup_tokens).
    pub markup: f32,
}

impl<'a> BlockView<'a> {
    fn block(&self) -> &'a TextBlock {
        &self.context.blocks().blocks[self.at]
    }

    fn facts(&self) -> &BlockFacts {
        self.context.facts(self.at)
    }

    fn regions(&self) -> Regions {
        self.context.regions(self.block().inner)
    }

    fn is_in(&self, regions: Regions) -> f32 {
        flag(self.regions() & regions != 0)
    }

    fn owner_is(&self, tags: &[Tag]) -> f32 {
        flag(tags.contains(&self.context.page().known_tag(self.block().owner)))
    }

    fn per_token(&self, part: u32) -> f32 {
        ratio(part, self.block().counts.tokens)
    }

    /// The block at a distance, if there is one.
    fn neighbour(&self, distance: isize) -> Option<&'a TextBlock> {
        self.context.blocks().blocks.get(self.at.checked_add_signed(distance)?)
    }

    /// Sums over the blocks at distances up to `reach` before and after, the block itself left out: tokens, and
    /// tokens in links.
    fn around(&self, reach: usize) -> (u32, u32) {
        let blocks = &self.context.blocks().blocks;
        let from = blocks[self.at.saturating_sub(reach)].texts.start;
        let to = blocks[(self.at + reach).min(blocks.len() - 1)].texts.end;
        let sums = self.context.sums_between(from, to);
        let block = self.block();
        (sums.tokens - block.counts.tokens, sums.link_tokens - block.link_tokens)
    }

    fn level(&self, level: usize) -> TextSums {
        self.sums[level]
    }

    fn whole(&self) -> TextSums {
        self.context.whole
    }

    /// The sums over the text before the block.
    fn before(&self) -> TextSums {
        self.context.sums_between(0, self.block().texts.start)
    }

    fn first_text(&self) -> NodeId {
        self.context.blocks().texts[self.block().texts.start]
    }
}

fn flag(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// A part of a whole that may be more than it.
fn ratio(part: u32, whole: u32) -> f32 {
    part as f32 / whole.max(1) as f32
}

/// Computes the columns of all blocks of a page; `scores` are by block.
///
/// # Errors
///
/// [`MatrixError`] where a value is not finite, which no page brings about.
///
/// # Cost
///
/// Constant for each block.
pub fn block_rows(
    context: &PageContext<'_>,
    scores: &[LinearScores],
) -> Result<Matrix<BlockColumns>, MatrixError> {
    rows_of(context, scores, 0..context.blocks().blocks.len())
}

/// Computes the columns of some of the blocks; `scores` are those of all.
pub(super) fn rows_of(
    context: &PageContext<'_>,
    scores: &[LinearScores],
    blocks: std::ops::Range<usize>,
) -> Result<Matrix<BlockColumns>, MatrixError> {
    let mut rows = Matrix::with_capacity(blocks.len());
    let mut row = Vec::with_capacity(BlockColumns::columns().len());
    // The same for all blocks.
    let mut of_page = Vec::with_capacity(page::COLUMNS.len());
    for at in blocks {
        let scores = scores.get(at).copied().unwrap_or_default();
        let levels = context.levels(at);
        let sums = levels.map(|level| context.inside(level));
        let groups = levels.map(|level| context.level_group(level));
        let entries = Entries::of(&groups);
        let view = BlockView { context, at, levels, sums, groups, entries, scores };
        if of_page.is_empty() {
            page::fill(&view, &mut of_page);
        }
        row.clear();
        own::fill(&view, &mut row);
        place::fill(&view, &mut row);
        row.extend_from_slice(&of_page);
        container::fill(&view, &mut row);
        rows.push(&row)?;
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(html: &str) -> Matrix<BlockColumns> {
        let page = tsugi_page::Page::from_text(html, &"https://a.test/x/1.html".parse().unwrap());
        let next = page.first("a");
        block_rows(&PageContext::new(&page, next), &[]).unwrap()
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = BlockColumns::columns().iter().map(|column| column.name).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    proptest::proptest! {
        #[test]
        fn values_lie_in_their_ranges(
            html in "(<div class=\"a b1\">|<ul>|<li>|<a href=/2>|</a>|</div>|<h1>|</h1>|<br>|<p hidden>|<table><td>|<nav>|<noscript>|Some words, and more. |次の頁。|19 ){0,40}",
        ) {
            let rows = rows(&html);
            proptest::prop_assert_eq!(rows.check_ranges(), Ok(()));
        }
    }
}
