//! The columns of a text block whose role is asked for.

use super::role::SCORED;
use crate::columns::{BlockColumns, LinearScores, kinds};
use crate::context::Standing;
use std::sync::LazyLock;
use tsugi_scoring::{Column, Matrix, MatrixError, Schema};

/// The columns of a block whose role is asked for: those of [`BlockColumns`], and what surrounds it.
#[derive(Debug, Clone, Copy)]
pub struct RoleColumns;

static AROUND: &[Column] = &[
    kinds::probability("body_score", "probability that the block is text of the article"),
    kinds::probability("body_score_before_2", "the same, of the block before the one before"),
    kinds::probability("body_score_before", "the same, of the block before"),
    kinds::probability("body_score_after", "the same, of the block after"),
    kinds::probability("body_score_after_2", "the same, of the block after the one after"),
    kinds::score("words_score_before", "wording of the block before: {like|unlike} main content"),
    kinds::score("words_score_after", "wording of the block after: {like|unlike} main content"),
    kinds::score("markup_score_before", "class names of the block before: {like|unlike} main content"),
    kinds::score("markup_score_after", "class names of the block after: {like|unlike} main content"),
    kinds::difference("from_first_body", "blocks since the first that is likely text of the article"),
    kinds::difference("to_last_body", "blocks until the last that is likely text of the article"),
    kinds::difference(
        "from_first_prose",
        "blocks since the first long one that is likely text of the article",
    ),
    kinds::difference("to_last_prose", "blocks until the last long one that is likely text of the article"),
    kinds::share("body_share", "share of the words of the block's page that are likely text of the article"),
];

/// Declares for each role what the words and names of a block say for it, and those of the heading before the block.
macro_rules! by_tokens {
    ($($role:literal $what:literal,)*) => {
        [
            $(kinds::score(
                concat!($role, "_tokens"),
                concat!("words and names of the block: {like|unlike} ", $what),
            ),)*
            $(kinds::score(
                concat!($role, "_tokens_of_heading"),
                concat!("words and names of the heading before the block: {like|unlike} ", $what),
            ),)*
        ]
    };
}

// In the order of `BlockRole::ALL`. Columns of the blocks beside a block gained nothing.
static BY_TOKENS: &[Column] = &by_tokens![
    "title" "a headline",
    "meta" "a byline",
    "lead" "a standfirst",
    "body" "text of the article",
    "caption" "a caption",
    "related" "links to other articles",
    "share" "links to share or subscribe",
    "author" "words about the author",
    "tags" "tags",
    "comments" "comments of readers",
];

impl Schema for RoleColumns {
    const NAME: &'static str = "main-content/roles";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
            BlockColumns::columns().iter().chain(AROUND).chain(BY_TOKENS).copied().collect()
        });
        &COLUMNS
    }
}

/// The fewest words of a long block.
const LONG: u32 = 20;

/// What the columns of a block say of the blocks around it, for all blocks of a page.
#[derive(Debug)]
pub struct BlocksAround<'a> {
    linear: &'a [LinearScores],
    body: &'a [f32],
    by_tokens: &'a [RoleLogOdds],
    standings: &'a [Standing],
    /// The first and the last block that is likely text; and of those that are long.
    likely: [Option<usize>; 2],
    long: [Option<usize>; 2],
    share: f32,
}

impl<'a> BlocksAround<'a> {
    /// Looks at the blocks of a page: their linear scores, the probability of each that it is text of the article, their
    /// numbers of words, what their words and names say for each role, and where they stand.
    pub fn new(
        linear: &'a [LinearScores],
        body: &'a [f32],
        tokens: &[u32],
        by_tokens: &'a [RoleLogOdds],
        standings: &'a [Standing],
    ) -> Self {
        let ends = |is_one: &dyn Fn(usize) -> bool| {
            let mut found = (0..body.len()).filter(|at| is_one(*at));
            let first = found.next();
            [first, found.next_back().or(first)]
        };
        let of_body: f32 = body.iter().zip(tokens).map(|(score, tokens)| score * *tokens as f32).sum();
        let all = tokens.iter().map(|tokens| *tokens as f32).sum::<f32>().max(1.0);
        BlocksAround {
            linear,
            body,
            by_tokens,
            standings,
            likely: ends(&|at| body[at] > 0.5),
            long: ends(&|at| body[at] > 0.5 && tokens[at] >= LONG),
            share: (of_body / all).min(1.0),
        }
    }

    /// Adds its columns to those of the blocks from `from` on.
    ///
    /// # Errors
    ///
    /// [`MatrixError`] if a value is not finite.
    pub fn rows(&self, own: &Matrix<BlockColumns>, from: usize) -> Result<Matrix<RoleColumns>, MatrixError> {
        let mut found = Matrix::with_capacity(own.rows());
        let mut row = Vec::with_capacity(RoleColumns::columns().len());
        for (at, own) in (from..).zip(own.iter()) {
            let beside = |distance: isize| at.checked_add_signed(distance);
            let score =
                |distance| beside(distance).and_then(|at| self.body.get(at)).copied().unwrap_or_default();
            let scores =
                |distance| beside(distance).and_then(|at| self.linear.get(at)).copied().unwrap_or_default();
            let since = |place: Option<usize>| place.map_or(-FAR, |place| at as f32 - place as f32);
            let until = |place: Option<usize>| place.map_or(-FAR, |place| place as f32 - at as f32);
            row.clear();
            row.extend_from_slice(own);
            row.extend([score(0), score(-2), score(-1), score(1), score(2)]);
            row.extend([scores(-1).words, scores(1).words, scores(-1).markup, scores(1).markup]);
            row.extend([since(self.likely[0]), until(self.likely[1])]);
            row.extend([since(self.long[0]), until(self.long[1]), self.share]);
            let by_tokens = |at: usize| self.by_tokens.get(at).copied().unwrap_or_default();
            row.extend(by_tokens(at));
            let heading = self.standings.get(at).and_then(|standing| standing.heading);
            row.extend(heading.map(|heading| by_tokens(heading as usize)).unwrap_or_default());
            found.push(&row)?;
        }
        Ok(found)
    }
}

/// For each role but [`BlockRole::Site`](super::role::BlockRole::Site), in the order of [`BlockRole::ALL`](super::role::BlockRole::ALL): the log-odds of a block by its words and names.
pub type RoleLogOdds = [f32; SCORED];

/// Stands for a distance to a block that does not exist.
const FAR: f32 = 500.0;
