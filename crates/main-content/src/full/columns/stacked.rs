//! Columns of the second stage: a block's own, and what the first stage says of it and of those around it.

use super::super::context::{LEVELS, PageContext};
use super::super::expected::{Weighed, best_expected};
use super::BlockColumns;
use std::sync::LazyLock;
use tsugi_learning::{Column, Matrix, MatrixError, Range, Schema, Unit};
use tsugi_page::NodeId;

/// The columns of a text block in the second stage.
#[derive(Debug, Clone, Copy)]
pub struct StackedColumns;

impl Schema for StackedColumns {
    const NAME: &'static str = "main-content/blocks-stacked";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
            let own = BlockColumns::columns().iter().copied();
            own.chain(FEATURES.iter().map(|feature| feature.column)).collect()
        });
        &COLUMNS
    }
}

/// Sums over first-stage scores.
#[derive(Debug, Clone, Copy, Default)]
struct Mass {
    /// Tokens times score.
    content: f64,
    tokens: f64,
}

impl Mass {
    fn plus(self, other: Mass) -> Mass {
        Mass { content: self.content + other.content, tokens: self.tokens + other.tokens }
    }

    fn minus(self, other: Mass) -> Mass {
        Mass { content: self.content - other.content, tokens: self.tokens - other.tokens }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a ratio of sums, between 0 and 1")]
    fn mean(self) -> f32 {
        if self.tokens <= 0.0 { 0.0 } else { (self.content / self.tokens).clamp(0.0, 1.0) as f32 }
    }

    #[expect(clippy::cast_possible_truncation, reason = "a share, between 0 and 1")]
    fn share_of(self, whole: Mass) -> f32 {
        if whole.content <= 0.0 { 0.0 } else { (self.content / whole.content).clamp(0.0, 1.0) as f32 }
    }
}

/// First-stage scores of a page, summed up.
struct Scores<'a> {
    context: &'a PageContext<'a>,
    scores: &'a [f32],
    /// By block, and one more: masses before it.
    before: Vec<Mass>,
    /// By text node, and one more: masses before it.
    texts_before: Vec<Mass>,
    groups: Vec<Mass>,
    looks: Vec<Mass>,
    /// By block: the mass of its section, from heading to heading.
    sections: Vec<Mass>,
    /// What the best choice of blocks is expected to be worth, and the score it begins at.
    expected_f: f32,
    cut: f32,
}

struct Stacked<'a> {
    page: &'a Scores<'a>,
    at: usize,
    levels: [NodeId; LEVELS],
}

struct Feature {
    column: Column,
    of: fn(&Stacked<'_>) -> f32,
}

impl<'a> Scores<'a> {
    fn of(context: &'a PageContext<'a>, scores: &'a [f32]) -> Scores<'a> {
        let blocks = context.blocks();
        let count = blocks.blocks.len();
        let (mut before, mut texts_before) = (Vec::with_capacity(count + 1), Vec::new());
        let mut groups = vec![Mass::default(); context.groups().len()];
        let mut looks = vec![Mass::default(); count];
        let (mut sum, mut text_sum) = (Mass::default(), Mass::default());
        let mut weighed = Vec::with_capacity(count);
        for (at, block) in blocks.blocks.iter().enumerate() {
            before.push(sum);
            let score = f64::from(scores[at]);
            let mass = |tokens: u32| Mass { content: f64::from(tokens) * score, tokens: f64::from(tokens) };
            for text in block.texts.clone() {
                texts_before.push(text_sum);
                text_sum = text_sum.plus(mass(blocks.tokens[text]));
            }
            let own = mass(block.counts.tokens);
            sum = sum.plus(own);
            let look = &mut looks[context.facts(at).look];
            *look = look.plus(own);
            weighed.push(Weighed { tokens: f64::from(block.counts.tokens), score });
            let mut last = None;
            for level in context.levels(at) {
                let number = context.level_group_number(level);
                if let Some(number) = number.filter(|_| last != number) {
                    groups[number] = groups[number].plus(own);
                    last = Some(number);
                }
            }
        }
        before.push(sum);
        texts_before.push(text_sum);
        let best = best_expected(&weighed);
        let mut page = Scores {
            context,
            scores,
            before,
            texts_before,
            groups,
            looks,
            sections: Vec::new(),
            expected_f: 0.0,
            cut: 0.5,
        };
        #[expect(clippy::cast_possible_truncation, reason = "between 0 and 1")]
        {
            page.expected_f = best.f as f32;
            page.cut = best.cut as f32;
        }
        page.sections = page.find_sections();
        page
    }

    /// Sections begin at blocks that stand in headings.
    fn find_sections(&self) -> Vec<Mass> {
        let count = self.scores.len();
        let mut sections = vec![Mass::default(); count];
        let mut from = 0;
        for at in 1..=count {
            if at == count || self.context.is_heading(at) {
                let mass = self.before[at].minus(self.before[from]);
                sections[from..at].fill(mass);
                from = at;
            }
        }
        sections
    }

    fn whole(&self) -> Mass {
        self.before[self.scores.len()]
    }

    /// The mass of a subtree.
    fn inside(&self, id: NodeId) -> Mass {
        let (from, to) = self.context.texts_inside(id);
        self.texts_before[to].minus(self.texts_before[from])
    }
}

impl Stacked<'_> {
    fn own(&self) -> Mass {
        self.page.before[self.at + 1].minus(self.page.before[self.at])
    }

    fn score(&self) -> f32 {
        self.page.scores[self.at]
    }

    /// The score of the block at a distance; 0 beyond the ends.
    fn near(&self, distance: isize) -> f32 {
        let at = self.at.checked_add_signed(distance);
        at.and_then(|at| self.page.scores.get(at)).copied().unwrap_or(0.0)
    }

    /// The mass of the blocks from `from` to `to` from here.
    fn window(&self, from: isize, to: isize) -> Mass {
        let count = self.page.scores.len();
        let place = |distance: isize| self.at.saturating_add_signed(distance).min(count);
        self.page.before[place(to + 1)].minus(self.page.before[place(from)])
    }

    /// What is around, the block itself left out.
    fn around(&self, reach: isize) -> Mass {
        self.window(-reach, reach).minus(self.own())
    }

    fn level(&self, level: usize) -> Mass {
        self.page.inside(self.levels[level])
    }

    /// A level without the block itself.
    fn rest_of_level(&self, level: usize) -> Mass {
        self.level(level).minus(self.own())
    }

    fn siblings(&self, level: usize) -> Mass {
        let number = self.page.context.level_group_number(self.levels[level]);
        number.map_or_else(Mass::default, |number| self.page.groups[number])
    }
}

macro_rules! stacked {
    ($($name:expr, $doc:expr, $of:expr;)*) => {
        &[$(Feature { column: Column::new($name, Unit::Score, Range { low: -1.0, high: 1.0 }, $doc, "tsugi"), of: $of }),*]
    };
}

static FEATURES: &[Feature] = stacked! {
    "score", "the first stage's score of the block", |b| b.score();
    "score_over_cut", "what it is above the score at which the best choice of blocks begins",
        |b| b.score() - b.page.cut;
    "score_previous", "score of the block before", |b| b.near(-1);
    "score_next", "score of the block after", |b| b.near(1);
    "score_previous_2", "score of the second block before", |b| b.near(-2);
    "score_next_2", "score of the second block after", |b| b.near(2);
    "score_before_4", "mean score of four blocks before", |b| b.window(-4, -1).mean();
    "score_after_4", "mean score of four blocks after", |b| b.window(1, 4).mean();
    "score_around_2", "mean score of two blocks before and after", |b| b.around(2).mean();
    "score_around_10", "mean score of ten blocks before and after", |b| b.around(10).mean();
    "score_section", "mean score of its section, from heading to heading",
        |b| b.page.sections[b.at].minus(b.own()).mean();
    "score_look_alikes", "mean score of the blocks whose elements look the same",
        |b| b.page.looks[b.page.context.facts(b.at).look].mean();
    "content_before", "share of the page's content before it", |b| b.page.before[b.at].share_of(b.page.whole());
    "content_after", "share of the page's content after it",
        |b| b.page.whole().minus(b.page.before[b.at + 1]).share_of(b.page.whole());
    "content_share", "share of the page's content in it", |b| b.own().share_of(b.page.whole());
    "page_score", "mean score of the page", |b| b.page.whole().mean();
    "page_expected_f", "what the best choice of blocks is expected to be worth", |b| b.page.expected_f;
    "page_cut", "the score at which that choice begins", |b| b.page.cut;
    "level0_score", "mean score of level 0 without the block", |b| b.rest_of_level(0).mean();
    "level1_score", "mean score of level 1 without the block", |b| b.rest_of_level(1).mean();
    "level2_score", "mean score of level 2 without the block", |b| b.rest_of_level(2).mean();
    "level3_score", "mean score of level 3 without the block", |b| b.rest_of_level(3).mean();
    "level4_score", "mean score of level 4 without the block", |b| b.rest_of_level(4).mean();
    "level0_content", "share of the page's content in level 0", |b| b.level(0).share_of(b.page.whole());
    "level1_content", "share of the page's content in level 1", |b| b.level(1).share_of(b.page.whole());
    "level2_content", "share of the page's content in level 2", |b| b.level(2).share_of(b.page.whole());
    "level3_content", "share of the page's content in level 3", |b| b.level(3).share_of(b.page.whole());
    "level4_content", "share of the page's content in level 4", |b| b.level(4).share_of(b.page.whole());
    "siblings0_score", "mean score of similar siblings at level 0", |b| b.siblings(0).mean();
    "siblings1_score", "mean score of similar siblings at level 1", |b| b.siblings(1).mean();
    "siblings2_score", "mean score of similar siblings at level 2", |b| b.siblings(2).mean();
    "siblings3_score", "mean score of similar siblings at level 3", |b| b.siblings(3).mean();
    "siblings1_content", "share of the page's content in similar siblings at level 1",
        |b| b.siblings(1).share_of(b.page.whole());
    "siblings2_content", "share of the page's content in similar siblings at level 2",
        |b| b.siblings(2).share_of(b.page.whole());
    "siblings3_content", "share of the page's content in similar siblings at level 3",
        |b| b.siblings(3).share_of(b.page.whole());
};

/// Computes the second stage's columns of all blocks of a page from those of the first and its scores.
///
/// # Errors
///
/// [`MatrixError`] where a value is not finite, which no page brings about.
pub fn stacked_rows(
    context: &PageContext<'_>,
    own: &Matrix<BlockColumns>,
    scores: &[f32],
) -> Result<Matrix<StackedColumns>, MatrixError> {
    let page = Scores::of(context, scores);
    let mut rows = Matrix::with_capacity(own.rows());
    let mut row = Vec::with_capacity(StackedColumns::columns().len());
    for (at, values) in own.iter().enumerate() {
        let block = Stacked { page: &page, at, levels: context.levels(at) };
        row.clear();
        row.extend_from_slice(values);
        row.extend(FEATURES.iter().map(|feature| (feature.of)(&block)));
        rows.push(&row)?;
    }
    Ok(rows)
}
