//! The columns of a text block, declared once: name, unit, range, meaning, and how to compute them.

mod container;
mod own;
mod page;
mod place;

use self::container::Entries;
use super::block::TextBlock;
use super::context::{BlockFacts, LEVELS, PageContext, Sums};
use super::regions::Regions;
use std::sync::LazyLock;
use tsugi_learning::{Column, Matrix, MatrixError, Schema};
use tsugi_page::NodeId;

/// The columns of a text block.
#[derive(Debug, Clone, Copy)]
pub struct BlockColumns;

impl Schema for BlockColumns {
    const NAME: &'static str = "main-content/blocks";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> =
            LazyLock::new(|| all().map(|feature| feature.column).collect());
        &COLUMNS
    }
}

const OWN: &str = "tsugi";

/// A column, and how it is computed.
struct Feature {
    column: Column,
    of: fn(&BlockView<'_>) -> f32,
}

/// Declares features: `name: Unit, range, "meaning", |block| value;`.
macro_rules! features {
    ($($name:expr, $unit:ident, $range:expr, $doc:expr, $of:expr;)*) => {
        &[$(super::Feature {
            column: tsugi_learning::Column::new($name, tsugi_learning::Unit::$unit, $range, $doc, super::OWN),
            of: $of,
        }),*]
    };
}
use features;

fn all() -> impl Iterator<Item = &'static Feature> {
    let lists = [own::FEATURES, place::FEATURES, page::FEATURES].into_iter();
    lists.chain(container::FEATURES.iter().copied()).flatten()
}

/// A block of a page, as its columns see it.
struct BlockView<'a> {
    context: &'a PageContext<'a>,
    at: usize,
    levels: [NodeId; LEVELS],
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
    /// Of the names around it; see [`markup_tokens`](super::words::markup_tokens).
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

    fn owner_is(&self, tags: &[&str]) -> f32 {
        flag(tags.contains(&self.context.page().tag(self.block().owner)))
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
        let window = self.at.saturating_sub(reach)..(self.at + reach + 1).min(blocks.len());
        let mut sum = (0, 0);
        for at in window.filter(|at| *at != self.at) {
            sum.0 += blocks[at].counts.tokens;
            sum.1 += blocks[at].link_tokens;
        }
        sum
    }

    fn level(&self, level: usize) -> Sums {
        self.context.inside(self.levels[level])
    }

    fn whole(&self) -> Sums {
        self.context.whole
    }

    /// The sums over the text before the block.
    fn before(&self) -> Sums {
        let first = self.block().texts.start;
        self.context.before(self.context.blocks().texts[first])
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
    let count = context.blocks().blocks.len();
    let mut rows = Matrix::with_capacity(count);
    let mut row = Vec::with_capacity(BlockColumns::columns().len());
    for at in 0..count {
        let scores = scores.get(at).copied().unwrap_or_default();
        let levels = context.levels(at);
        let entries = Entries::of(context, &levels);
        let view = BlockView { context, at, levels, entries, scores };
        row.clear();
        row.extend(all().map(|feature| (feature.of)(&view)));
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
