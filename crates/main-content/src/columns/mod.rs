//! The columns of a text block, declared once: name, unit, range, meaning, and how to compute them.

mod container;
mod own;
mod page;
mod place;
mod view;

pub use view::LinearScores;

use super::context::PageContext;
use container::Entries;
use std::sync::LazyLock;
use tsugi_learning::{Column, Matrix, MatrixError, Schema};
use view::BlockView;

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
