//! The columns of a text block, declared once: name, unit, range, meaning, and how to compute them.

mod container;
pub(super) mod kinds;
mod level;
mod own;
mod page;
mod place;
mod tail;
mod view;

pub use view::LinearScores;

use super::context::{PageContext, ends_of};
use container::Entries;
use std::sync::LazyLock;
use tsugi_scoring::{Column, Matrix, MatrixError, Schema};
use view::BlockView;

/// The columns of a text block.
// Columns of the neighbours' linear scores were tried, and a second model over the scores of blocks: neither gained
// anything that a second seed confirmed.
#[derive(Debug, Clone, Copy)]
pub struct BlockColumns;

impl Schema for BlockColumns {
    const NAME: &'static str = "main-content/blocks";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
            let lists = [own::COLUMNS, place::COLUMNS, tail::COLUMNS, page::COLUMNS].into_iter();
            let lists = lists.chain(level::COLUMNS.iter().copied()).chain([container::COLUMNS]);
            lists.flatten().copied().collect()
        });
        &COLUMNS
    }
}

impl BlockColumns {
    /// Sets the linear scores in a row that was computed without them.
    pub fn set_scores(row: &mut [f32], scores: LinearScores) {
        static PLACES: LazyLock<[Option<usize>; 7]> = LazyLock::new(|| {
            [
                "words_score", "markup_score", "linear_score", "heading_words_score", "heading_score",
                "lowest_since_prose", "lowest_since_title",
            ]
            .map(tsugi_scoring::column_index::<BlockColumns>)
        });
        let values = [
            scores.words,
            scores.markup,
            scores.words + scores.markup,
            scores.heading_words,
            scores.heading,
            scores.lowest_since_prose,
            scores.lowest_since_title,
        ];
        for (place, value) in PLACES.iter().zip(values) {
            if let Some(cell) = place.and_then(|place| row.get_mut(place)) {
                *cell = value;
            }
        }
    }
}

/// Computes the columns of all blocks of a page; `scores` has one value per block.
///
/// # Errors
///
/// [`MatrixError`] if a value is not finite, which no page can cause.
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

pub(super) fn rows_of(
    context: &PageContext<'_>,
    scores: &[LinearScores],
    blocks: std::ops::Range<usize>,
) -> Result<Matrix<BlockColumns>, MatrixError> {
    let mut rows = Matrix::with_capacity(blocks.len());
    let mut row = Vec::with_capacity(BlockColumns::columns().len());
    // These are the same for all blocks.
    let mut of_page = Vec::with_capacity(page::COLUMNS.len());
    for at in blocks {
        let scores = scores.get(at).copied().unwrap_or_default();
        let levels = context.levels(at);
        let sums = levels.map(|level| context.inside(level));
        let groups = levels.map(|level| context.level_group(level));
        let entries = Entries::of(&groups);
        let blocks = context.blocks();
        let [first, last] = ends_of(context.page(), blocks.texts_of(&blocks.blocks[at]));
        let facts = context.facts(at);
        let view = BlockView { context, at, levels, sums, groups, entries, scores, first, last, facts };
        if of_page.is_empty() {
            page::fill(&view, &mut of_page);
        }
        row.clear();
        own::fill(&view, &mut row);
        place::fill(&view, &mut row);
        tail::fill(&view, &mut row);
        row.extend_from_slice(&of_page);
        level::fill(&view, &mut row);
        container::fill(&view, &mut row);
        rows.push(&row)?;
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::CandidateColumns;
    use crate::paper::PaperContent;
    use tsugi_scoring::{check_columns, column_index, fingerprint};

    fn rows(html: &str) -> Matrix<BlockColumns> {
        let page = tsugi_page::Page::from_text(html, &"https://a.test/x/1.html".parse().unwrap());
        let next = page.first("a");
        block_rows(&PageContext::new(&page, next), &[]).unwrap()
    }

    #[test]
    fn columns_explain_themselves_in_the_words_of_the_card() {
        let card = include_str!("../../../../models/content.md");
        let (_, blocks) = card.split_once("## Text blocks").unwrap();
        let (blocks, candidates) = blocks.split_once("## Candidates").unwrap();
        assert_eq!(check_columns::<BlockColumns>(blocks), Ok(()));
        assert_eq!(check_columns::<CandidateColumns>(candidates), Ok(()));
        let paper = include_str!("../../../../models/paper/content.md");
        assert_eq!(check_columns::<PaperContent>(paper), Ok(()));
        let column = |name| &BlockColumns::columns()[column_index::<BlockColumns>(name).unwrap()];
        assert_eq!(column("page_tokens").phrase(558.0), "words on the page: 558");
        assert_eq!(column("markup_score").phrase(-2.0), "class names: unlike main content");
    }

    #[test]
    fn fingerprints_are_those_of_the_models() {
        let found =
            [fingerprint::<BlockColumns>(), fingerprint::<CandidateColumns>(), fingerprint::<PaperContent>()];
        assert_eq!(found, [0x1414_32d9_3704_4d7d, 0x1ca6_3bcf_0b62_929b, 0x4a97_599a_5926_d0b6]);
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
