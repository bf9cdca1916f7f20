//! Trains the content models. Whatever learns from learned values learns from out-of-fold ones.

use super::pages::ContentPage;
use super::rank::{RankPage, fit_ranker};
use crate::random::mix;
use crate::sites::distinct;
use crate::train_error::TrainError;
use tsugi_learning::{FitError, LinearParams, TokenRows, boost, fit_calibration, fit_linear};
use tsugi_main_content::{BlockColumns, ContentModels, LinearScores};
use tsugi_scoring::{
    BoostedParams, Calibration, FlatModel, Linear, Matrix, ModelFile, ModelHeader, Params, Schema, TrainedOn,
    column_index,
};

/// Parameters of the models.
#[derive(Debug, Clone)]
pub struct TrainPlan {
    /// The linear models of words and names.
    pub linear: LinearParams,
    /// The model of blocks.
    pub blocks: BoostedParams,
    /// The model of candidates.
    pub candidates: BoostedParams,
    /// The model of comments.
    pub comments: BoostedParams,
    /// Columns of blocks and candidates that the models do not learn from.
    pub without: Vec<&'static str>,
    /// The weight of pages that were rendered for a data set; others have 1. Such pages share software and texts, and teach
    /// no words.
    // One page in five of the training data is rendered; with .4 together they count like one in twelve.
    pub rendered: f32,
    /// The weights of kinds of pages; other kinds have 1.
    // More for kinds of which there are few pages, each different from the others, so that articles do not outweigh them.
    pub kinds: Vec<(&'static str, f32)>,
    /// Long blocks count more than short ones: by their tokens to this power.
    pub power: f32,
    /// Number of averaged models of blocks. Out-of-fold values come from a single model, since they are not shipped.
    // One of three scores as well where it is measured, but is surer of pages unlike any it saw: headers that differ from page
    // to page became content.
    pub models: u64,
    /// Number of folds for out-of-fold values.
    pub folds: u64,
    /// The seed.
    pub seed: u64,
}

impl Default for TrainPlan {
    fn default() -> Self {
        TrainPlan {
            linear: LinearParams { bits: 18, epochs: 3, learning_rate: 0.1, l1: 1.6, l2: 1.0 },
            blocks: BoostedParams {
                trees: 120,
                leaves: 31,
                learning_rate: 0.1,
                min_leaf_rows: 40,
                l2: 5.0,
                columns_per_tree: 0.5,
                rows_per_tree: 0.5,
            },
            candidates: BoostedParams {
                trees: 120,
                leaves: 15,
                learning_rate: 0.05,
                min_leaf_rows: 40,
                l2: 10.0,
                columns_per_tree: 0.4,
                rows_per_tree: 0.5,
            },
            comments: BoostedParams {
                trees: 80,
                leaves: 15,
                learning_rate: 0.1,
                min_leaf_rows: 40,
                l2: 5.0,
                columns_per_tree: 0.5,
                rows_per_tree: 0.5,
            },
            without: Vec::new(),
            rendered: 0.4,
            kinds: vec![("product", 2.0), ("collection", 2.0), ("service", 2.0)],
            power: 0.75,
            models: 3,
            folds: 3,
            seed: 1,
        }
    }
}

impl TrainPlan {
    pub(super) fn weight(&self, page: &ContentPage) -> f32 {
        let of_kind = self.kinds.iter().find(|(kind, _)| page.kind.as_deref() == Some(*kind));
        let rendered = if page.is_rendered { self.rendered } else { 1.0 };
        page.trust * rendered * of_kind.map_or(1.0, |(_, weight)| *weight)
    }
}

pub(super) struct LinearModels {
    pub(super) words: Linear,
    pub(super) markup: Linear,
}

/// Weights of the blocks of a page: together the page's weight, long blocks more than short ones, but not in proportion.
pub(super) fn weights_of(plan: &TrainPlan, page: &ContentPage) -> Vec<f32> {
    let own: Vec<f32> = page.tokens.iter().map(|tokens| (*tokens as f32).powf(plan.power)).collect();
    let sum: f32 = own.iter().sum();
    let whole = PAGE_WEIGHT * plan.weight(page) / sum.max(1.0);
    own.iter().map(|weight| whole * weight).collect()
}

/// Factor of the weight of a page: large enough that the learners' penalties affect rare leaves only.
const PAGE_WEIGHT: f32 = 100.0;

fn fold_of(plan: &TrainPlan, page: &ContentPage) -> u64 {
    mix(plan.seed ^ 0x5eed, page.group) % plan.folds
}

impl LinearModels {
    pub(super) fn fit(plan: &TrainPlan, pages: &[&ContentPage]) -> Result<Self, TrainError> {
        let found: Vec<&ContentPage> = pages.iter().copied().filter(|page| !page.is_rendered).collect();
        let words = fit_tokens(plan, if found.is_empty() { pages } else { &found }, |page| &page.words)?;
        let markup = fit_tokens(plan, pages, |page| &page.markup)?;
        Ok(LinearModels { words, markup })
    }

    fn score(&self, page: &ContentPage) -> Vec<LinearScores> {
        let of_block = |at: usize| LinearScores {
            words: self.words.score(page.words.row(at).iter().copied()),
            markup: self.markup.score(page.markup.row(at).iter().copied()),
            ..LinearScores::default()
        };
        let mut scores: Vec<LinearScores> = (0..page.tokens.len()).map(of_block).collect();
        LinearScores::look_around(&mut scores, page.standings.iter().copied());
        scores
    }
}

fn fit_tokens(
    plan: &TrainPlan,
    pages: &[&ContentPage],
    of: fn(&ContentPage) -> &TokenRows,
) -> Result<Linear, TrainError> {
    let (mut rows, mut targets, mut weights) = (TokenRows::default(), Vec::new(), Vec::new());
    for page in pages {
        rows.append(of(page));
        targets.extend_from_slice(&page.targets);
        weights.extend(weights_of(plan, page));
    }
    Ok(fit_linear(&plan.linear, &rows, &targets, Some(&weights), plan.seed)?)
}

/// What models say of pages that they did not learn from.
pub(super) struct OutOfFold {
    /// By page and block.
    pub(super) linear: Vec<Vec<LinearScores>>,
    /// By page and block: the probability that it is content.
    pub(super) blocks: Vec<Vec<f32>>,
}

impl OutOfFold {
    /// # Errors
    ///
    /// [`TrainError`] if the pages are not enough.
    pub(super) fn of(plan: &TrainPlan, pages: &[&ContentPage]) -> Result<Self, TrainError> {
        if !pages.iter().any(|page| page.targets.iter().any(|target| *target > 0.5)) {
            return Err(TrainError::NoExamples("content"));
        }
        let linear = linear_out_of_fold(plan, pages)?;
        let blocks = blocks_out_of_fold(plan, pages, &linear)?;
        Ok(OutOfFold { linear, blocks })
    }
}

fn linear_out_of_fold(
    plan: &TrainPlan,
    pages: &[&ContentPage],
) -> Result<Vec<Vec<LinearScores>>, TrainError> {
    let mut scores = vec![Vec::new(); pages.len()];
    for fold in 0..plan.folds {
        let (held, rest): (Vec<usize>, Vec<usize>) =
            (0..pages.len()).partition(|at| fold_of(plan, pages[*at]) == fold);
        let rest: Vec<&ContentPage> = rest.iter().map(|at| pages[*at]).collect();
        let models = LinearModels::fit(plan, &rest)?;
        for at in held {
            scores[at] = models.score(pages[at]);
        }
    }
    Ok(scores)
}

pub(super) fn rows_with(
    plan: &TrainPlan,
    page: &ContentPage,
    scores: &[LinearScores],
) -> Result<Matrix<BlockColumns>, TrainError> {
    let mut rows = Matrix::with_capacity(page.rows.rows());
    let blank: Vec<usize> =
        plan.without.iter().filter_map(|name| column_index::<BlockColumns>(name)).collect();
    for (row, own) in page.rows.iter().zip(scores) {
        let mut row = row.to_vec();
        BlockColumns::set_scores(&mut row, *own);
        for place in &blank {
            row[*place] = 0.0;
        }
        rows.push(&row)?;
    }
    Ok(rows)
}

pub(super) fn fit_blocks(
    plan: &TrainPlan,
    pages: &[(&ContentPage, &[LinearScores])],
    models: u64,
) -> Result<FlatModel<BlockColumns>, TrainError> {
    let count = pages.iter().map(|(page, _)| page.rows.rows()).sum();
    let (mut x, mut targets, mut weights) = (Matrix::with_capacity(count), Vec::new(), Vec::new());
    for (page, scores) in pages {
        x.append(&rows_with(plan, page, scores)?);
        targets.extend_from_slice(&page.targets);
        weights.extend(weights_of(plan, page));
    }
    let seeds = (0..models.max(1)).map(|model| mix(plan.seed ^ (model << 32), 7));
    let models = seeds
        .map(|seed| boost(&plan.blocks, &x, &targets, Some(&weights), seed))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(FlatModel::mean_of(&models).map_err(FitError::from)?)
}

/// Fits the model of comments: to all blocks of the pages whose comments are labelled, and to the content of all
/// others, which is no comment.
fn fit_comments(
    plan: &TrainPlan,
    pages: &[(&ContentPage, &[LinearScores])],
) -> Result<FlatModel<BlockColumns>, TrainError> {
    let (mut x, mut targets, mut weights) = (Matrix::new(), Vec::new(), Vec::new());
    for (page, scores) in pages {
        let rows = rows_with(plan, page, scores)?;
        for (at, (row, weight)) in rows.iter().zip(weights_of(plan, page)).enumerate() {
            let target = match &page.comments {
                Some(comments) => comments[at],
                None if page.targets[at] > 0.5 => 0.0,
                None => continue,
            };
            x.push(row)?;
            targets.push(target);
            weights.push(weight);
        }
    }
    Ok(boost(&plan.comments, &x, &targets, Some(&weights), mix(plan.seed, 13))?)
}

/// Returns how scores of pages that the model was not trained on become probabilities. Labels that are guessed do not
/// count.
fn calibrated(pages: &[&ContentPage], scores: &[Vec<f32>]) -> Calibration {
    /// Scores are rounded to this many parts of 1, so that the map has few knots.
    const STEPS: f32 = 50.0;
    /// Shorter blocks do not count: the answers are counted in words.
    const WORDS: u32 = 5;
    let pages = pages.iter().zip(scores).filter(|(page, _)| page.trust >= 1.0);
    let blocks = pages.flat_map(|(page, scores)| scores.iter().zip(&page.targets).zip(&page.tokens));
    let counted = blocks.filter(|(_, tokens)| **tokens >= WORDS);
    let examples: Vec<(f32, bool)> =
        counted.map(|((score, target), _)| ((score * STEPS).round() / STEPS, *target > 0.5)).collect();
    fit_calibration(&examples)
}

fn blocks_out_of_fold(
    plan: &TrainPlan,
    pages: &[&ContentPage],
    linear: &[Vec<LinearScores>],
) -> Result<Vec<Vec<f32>>, TrainError> {
    let mut scores = vec![Vec::new(); pages.len()];
    for fold in 0..plan.folds {
        let rest = (0..pages.len()).filter(|at| fold_of(plan, pages[*at]) != fold);
        let rest: Vec<(&ContentPage, &[LinearScores])> =
            rest.map(|at| (pages[at], linear[at].as_slice())).collect();
        let model = fit_blocks(plan, &rest, 1)?;
        for at in (0..pages.len()).filter(|at| fold_of(plan, pages[*at]) == fold) {
            scores[at] = model.score(&rows_with(plan, pages[at], &linear[at])?);
        }
    }
    Ok(scores)
}

/// Trains the models of content.
///
/// Linear scores that the model of blocks is trained on, and block scores that the ranker is trained on, are those of
/// models that saw no page of the same group, as they will be in use.
pub(crate) fn train_main_content(
    plan: &TrainPlan,
    pages: &[&ContentPage],
) -> Result<ContentModels, TrainError> {
    train_by(plan, pages, &OutOfFold::of(plan, pages)?)
}

/// Trains the models of content where what models say out of fold is known.
pub(super) fn train_by(
    plan: &TrainPlan,
    pages: &[&ContentPage],
    OutOfFold { linear, blocks: scores }: &OutOfFold,
) -> Result<ContentModels, TrainError> {
    let with_linear: Vec<(&ContentPage, &[LinearScores])> =
        pages.iter().copied().zip(linear.iter().map(Vec::as_slice)).collect();
    let blocks = fit_blocks(plan, &with_linear, plan.models)?;
    let ranks = with_linear
        .iter()
        .zip(scores)
        .map(|((page, linear), scores)| RankPage::of(plan, page, scores, linear))
        .collect::<Result<Vec<_>, _>>()?;
    let candidates = fit_ranker(plan, &ranks)?;
    let comments = fit_comments(plan, &with_linear)?;
    let calibration = calibrated(pages, scores);
    let trained_on = trained_on(pages);
    let LinearModels { words, markup } = LinearModels::fit(plan, pages)?;
    Ok(ContentModels {
        words,
        markup,
        blocks: model_file(&plan.blocks, plan.seed, trained_on, blocks),
        candidates: model_file(&plan.candidates, plan.seed, trained_on, candidates),
        comments: model_file(&plan.comments, plan.seed, trained_on, comments),
        calibration,
    })
}

pub(super) fn model_file<S: Schema>(
    params: &BoostedParams,
    seed: u64,
    trained_on: TrainedOn,
    model: FlatModel<S>,
) -> ModelFile<S> {
    let mut header = ModelHeader::new::<S>(Params::Boosted(params.clone()), seed);
    header.trained_on = trained_on;
    ModelFile { header, model }
}

pub(super) fn trained_on(pages: &[&ContentPage]) -> TrainedOn {
    let targets = || pages.iter().flat_map(|page| &page.targets);
    TrainedOn {
        pages: pages.len() as u64,
        sites: distinct(pages.iter().map(|page| page.group)),
        rows: targets().count() as u64,
        positives: targets().filter(|target| **target > 0.5).count() as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::PageLabel;
    use tsugi_page::Page;

    fn page(source: &str, kind: &str) -> ContentPage {
        let html = "<nav>Home and about</nav><main><h1>Title</h1><p>One two three four five.</p></main>";
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let label = PageLabel {
            text: Some("One two three four five.".into()),
            source: Some(source.into()),
            kind: Some(kind.into()),
            ..PageLabel::default()
        };
        ContentPage::of(page, &label, 0).unwrap().unwrap()
    }

    #[test]
    fn rendered_pages_count_less_and_rare_kinds_more() {
        let plan = TrainPlan { rendered: 0.5, kinds: vec![("product", 3.0)], ..TrainPlan::default() };
        let weight = |source, kind| plan.weight(&page(source, kind));
        assert_eq!(weight("crawl", "article"), 1.0);
        assert_eq!(weight("rendered: some software, some theme", "article"), 0.5);
        assert_eq!(weight("crawl", "product"), 3.0);
        let sum: f32 = weights_of(&plan, &page("crawl", "product")).iter().sum();
        assert!((sum - 3.0 * PAGE_WEIGHT).abs() < 1e-2, "{sum}");
    }

    #[test]
    fn columns_may_be_left_out() {
        let plan = TrainPlan { without: vec!["tokens", "words_score"], ..TrainPlan::default() };
        let page = page("crawl", "article");
        let scores = vec![LinearScores { words: 1.0, ..LinearScores::default() }; page.tokens.len()];
        let [all, fewer] =
            [&TrainPlan::default(), &plan].map(|plan| rows_with(plan, &page, &scores).unwrap());
        for name in ["tokens", "words_score", "linear_score"] {
            let place = column_index::<BlockColumns>(name).unwrap();
            assert!(all.iter().all(|row| row[place] != 0.0));
            assert_eq!(fewer.iter().all(|row| row[place] == 0.0), name != "linear_score", "{name}");
        }
    }

    #[test]
    fn rendered_pages_teach_no_words() {
        let plan = TrainPlan {
            linear: LinearParams { l1: 0.0, ..TrainPlan::default().linear },
            ..TrainPlan::default()
        };
        let (found, rendered) = (page("crawl", "article"), page("rendered: software", "article"));
        let scores = |pages: &[&ContentPage]| LinearModels::fit(&plan, pages).unwrap().score(&found);
        let (alone, both) = (scores(&[&found]), scores(&[&found, &rendered]));
        assert!(alone.iter().zip(&both).all(|(alone, both)| alone.words == both.words));
        assert!(alone.iter().zip(&both).any(|(alone, both)| alone.markup != both.markup));
    }
}
