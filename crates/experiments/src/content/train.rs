//! Training of the two stages, everything that is learned from learned values out of fold.

use super::pages::ContentPage;
use crate::recipe::TrainError;
use crate::sites::mix;
use tsugi_learning::{BoostedParams, FlatModel, Linear, LinearParams, Matrix, Schema, TokenRows, boost, fit_linear};
use tsugi_main_content::full::{BlockColumns, LinearScores, PageContext, StackedColumns, stacked_rows};

/// How the stages are learned.
#[derive(Debug, Clone)]
pub struct TrainPlan {
    /// The linear models of words and names.
    pub linear: LinearParams,
    /// The first stage.
    pub first: BoostedParams,
    /// The second stage.
    pub second: BoostedParams,
    /// Folds for what must be out of fold.
    pub folds: u64,
    /// The seed.
    pub seed: u64,
    /// Long blocks count more than short ones: by their tokens to this power.
    pub power: f32,
    /// Columns that are switched off.
    pub off: Vec<&'static str>,
}

impl Default for TrainPlan {
    fn default() -> Self {
        let boosted = BoostedParams {
            trees: 150,
            leaves: 31,
            learning_rate: 0.1,
            min_leaf_rows: 40,
            l2: 5.0,
            columns_per_tree: 0.5,
            rows_per_tree: 0.5,
        };
        TrainPlan {
            linear: LinearParams { bits: 18, epochs: 3, learning_rate: 0.1, l1: 1.0, l2: 1.0 },
            first: boosted.clone(),
            second: boosted,
            folds: 3,
            seed: 1,
            power: 0.5,
            off: Vec::new(),
        }
    }
}

/// What was learned, and what it says of the pages it was learned from, out of fold.
#[derive(Debug)]
pub struct Trained {
    /// Scores of words.
    pub words: Linear,
    /// Scores of names.
    pub markup: Linear,
    /// The first stage.
    pub first: FlatModel<BlockColumns>,
    /// The second stage.
    pub second: FlatModel<StackedColumns>,
    /// By page, by block: scores of the first stage, out of fold.
    pub first_scores: Vec<Vec<f32>>,
    /// By page, by block: scores of the second stage, out of fold.
    pub second_scores: Vec<Vec<f32>>,
}

/// Weights of the blocks of a page: together 1 for each page, long blocks more than short ones, but not in
/// proportion. All are multiplied by a number that makes the least leaf meaningful.
fn weights_of(plan: &TrainPlan, page: &ContentPage) -> Vec<f32> {
    let own: Vec<f32> = page.tokens.iter().map(|tokens| (*tokens as f32).powf(plan.power)).collect();
    let sum: f32 = own.iter().sum();
    own.iter().map(|weight| 100.0 * page.trust * weight / sum.max(1.0)).collect()
}

fn fold_of(plan: &TrainPlan, page: &ContentPage) -> u64 {
    mix(plan.seed ^ 0x5eed, page.group) % plan.folds
}

/// Linear models of some pages.
fn fit_words(plan: &TrainPlan, pages: &[&ContentPage], of: fn(&ContentPage) -> &TokenRows) -> Result<Linear, TrainError> {
    let (mut rows, mut targets, mut weights) = (TokenRows::default(), Vec::new(), Vec::new());
    for page in pages {
        rows.append(of(page));
        targets.extend_from_slice(&page.targets);
        weights.extend(weights_of(plan, page));
    }
    Ok(fit_linear(&plan.linear, &rows, &targets, Some(&weights), plan.seed)?)
}

fn linear_scores(words: &Linear, markup: &Linear, page: &ContentPage) -> Vec<LinearScores> {
    (0..page.tokens.len())
        .map(|at| LinearScores {
            words: words.score(page.words.row(at).iter().copied()),
            markup: markup.score(page.markup.row(at).iter().copied()),
        })
        .collect()
}

/// The columns of a page with linear scores put in.
pub(super) fn first_rows(page: &ContentPage, scores: &[LinearScores]) -> Result<Matrix<BlockColumns>, TrainError> {
    let mut rows = Matrix::with_capacity(page.rows.rows());
    for (row, scores) in page.rows.iter().zip(scores) {
        let mut row = row.to_vec();
        BlockColumns::set_scores(&mut row, *scores);
        rows.push(&row)?;
    }
    Ok(rows)
}

/// Fits a model to the rows of pages.
fn fit_rows<S: Schema>(
    plan: &TrainPlan,
    params: &BoostedParams,
    seed: u64,
    pages: &[&ContentPage],
    rows: &[&Matrix<S>],
) -> Result<FlatModel<S>, TrainError> {
    let count = rows.iter().map(|rows| rows.rows()).sum();
    let (mut x, mut targets, mut weights) = (Matrix::with_capacity(count), Vec::new(), Vec::new());
    for (page, rows) in pages.iter().zip(rows) {
        x.append(rows);
        targets.extend_from_slice(&page.targets);
        weights.extend(weights_of(plan, page));
    }
    Ok(boost(params, &x, &targets, Some(&weights), seed)?)
}

/// Fits a model on all folds but one, for each fold, and scores that one.
fn out_of_fold<S: Schema>(
    plan: &TrainPlan,
    params: &BoostedParams,
    pages: &[&ContentPage],
    rows: &[Matrix<S>],
) -> Result<Vec<Vec<f32>>, TrainError> {
    let mut scores = vec![Vec::new(); pages.len()];
    for fold in 0..plan.folds {
        let rest: Vec<usize> = (0..pages.len()).filter(|at| fold_of(plan, pages[*at]) != fold).collect();
        let rest_pages: Vec<&ContentPage> = rest.iter().map(|at| pages[*at]).collect();
        let rest_rows: Vec<&Matrix<S>> = rest.iter().map(|at| &rows[*at]).collect();
        let model = fit_rows(plan, params, mix(plan.seed, 7), &rest_pages, &rest_rows)?;
        for at in (0..pages.len()).filter(|at| fold_of(plan, pages[*at]) == fold) {
            scores[at] = model.score(&rows[at]);
        }
    }
    Ok(scores)
}

impl Trained {
    /// Scores the blocks of a page that was not trained on.
    ///
    /// # Errors
    ///
    /// [`TrainError`] where a column is not finite.
    pub fn score(&self, page: &ContentPage) -> Result<(Vec<f32>, Vec<f32>), TrainError> {
        let rows = first_rows(page, &linear_scores(&self.words, &self.markup, page))?;
        let first = self.first.score(&rows);
        let context = PageContext::new(&page.page, page.next);
        let second = self.second.score(&stacked_rows(&context, &rows, &first)?);
        Ok((first, second))
    }
}

/// Trains both stages; `progress` is told of every step.
///
/// # Errors
///
/// [`TrainError`] where there is nothing to learn from.
pub fn train(plan: &TrainPlan, pages: &[&ContentPage], mut progress: impl FnMut(&str)) -> Result<Trained, TrainError> {
    let words_of: fn(&ContentPage) -> &TokenRows = |page| &page.words;
    let markup_of: fn(&ContentPage) -> &TokenRows = |page| &page.markup;
    let mut first_in = Vec::with_capacity(pages.len());
    first_in.resize_with(pages.len(), Matrix::new);
    for fold in 0..plan.folds {
        let (held, rest): (Vec<usize>, Vec<usize>) =
            (0..pages.len()).partition(|at| fold_of(plan, pages[*at]) == fold);
        let rest: Vec<&ContentPage> = rest.iter().map(|at| pages[*at]).collect();
        let (words, markup) = (fit_words(plan, &rest, words_of)?, fit_words(plan, &rest, markup_of)?);
        for at in held {
            first_in[at] = first_rows(pages[at], &linear_scores(&words, &markup, pages[at]))?;
        }
    }
    progress("linear models out of fold");
    let (words, markup) = (fit_words(plan, pages, words_of)?, fit_words(plan, pages, markup_of)?);
    progress("linear models");
    let first_scores = out_of_fold(plan, &plan.first, pages, &first_in)?;
    progress("first stage out of fold");
    let first = fit_rows(plan, &plan.first, mix(plan.seed, 8), pages, &first_in.iter().collect::<Vec<_>>())?;
    progress("first stage");
    let mut second_in = Vec::with_capacity(pages.len());
    for (at, page) in pages.iter().enumerate() {
        let context = PageContext::new(&page.page, page.next);
        second_in.push(stacked_rows(&context, &first_in[at], &first_scores[at])?);
    }
    drop(first_in);
    progress("columns of the second stage");
    let second_scores = out_of_fold(plan, &plan.second, pages, &second_in)?;
    progress("second stage out of fold");
    let second = fit_rows(plan, &plan.second, mix(plan.seed, 9), pages, &second_in.iter().collect::<Vec<_>>())?;
    progress("second stage");
    Ok(Trained { words, markup, first, second, first_scores, second_scores })
}

/// Only the first stage, out of fold.
pub fn first_only(plan: &TrainPlan, pages: &[&ContentPage]) -> Result<Vec<Vec<f32>>, TrainError> {
    let words_of: fn(&ContentPage) -> &TokenRows = |page| &page.words;
    let markup_of: fn(&ContentPage) -> &TokenRows = |page| &page.markup;
    let mut first_in = Vec::with_capacity(pages.len());
    first_in.resize_with(pages.len(), Matrix::new);
    for fold in 0..plan.folds {
        let (held, rest): (Vec<usize>, Vec<usize>) =
            (0..pages.len()).partition(|at| fold_of(plan, pages[*at]) == fold);
        let rest: Vec<&ContentPage> = rest.iter().map(|at| pages[*at]).collect();
        let (words, markup) = (fit_words(plan, &rest, words_of)?, fit_words(plan, &rest, markup_of)?);
        for at in held {
            first_in[at] = first_rows(pages[at], &linear_scores(&words, &markup, pages[at]))?;
            for name in &plan.off {
                if let Some(c) = tsugi_learning::column_index::<BlockColumns>(name) { first_in[at].neutralise(c, 0.0)?; }
            }
        }
    }
    out_of_fold(plan, &plan.first, pages, &first_in)
}
