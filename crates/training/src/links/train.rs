//! Trains the full next-link model.

use super::page::{LinkPage, parts_by_software};
use crate::random::mix;
use crate::sites::distinct;
use crate::train_error::TrainError;
use tsugi_learning::{LinearParams, TokenRows, boost, fit_calibration, fit_linear};
use tsugi_next_link::{LinkColumns, LinkPart, NEXT_LINK_KIND, SieveColumns, TokenKind, TokenScores};
use tsugi_page::Relation;
use tsugi_scoring::{
    BoostedParams, Bundle, FlatModel, Linear, Matrix, ModelFile, ModelHeader, Params, TrainedOn,
};

/// Parameters of the link models.
// Boosted trees did better than a random forest; a second model over the best candidate of each page did no better.
// Figures: docs/src/results/next-link.md.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkParams {
    /// The model of the first look.
    pub sieve: BoostedParams,
    /// Least score, before calibration, of a page's best candidate that must be let through.
    pub least_worth: f32,
    /// The score of the first look that lets a candidate through, as a share of the least one that a candidate to be let
    /// through was given.
    pub sieve_margin: f32,
    /// The model that scores candidates.
    pub links: BoostedParams,
    /// The model that separates chapters from pages.
    pub relation: BoostedParams,
    /// The linear models of tokens.
    pub tokens: LinearParams,
    /// Number of parts of the training side, for held-out scores.
    // Token scores are those of models that saw neither the site nor the software of a page, as sites of one generator share
    // their class names. Scores of candidates, which the threshold is chosen by, are held out by site alone: most software
    // is known, and with both held out the threshold was too high.
    pub folds: u64,
    /// Number of candidates of a page that are always trained on: those whose tokens score best.
    pub best_candidates: usize,
    /// One in this many of the others is trained on, with this weight.
    pub other_candidates: u64,
    /// Weight of a page that only teaches; others weigh 1.
    pub taught_weight: f32,
    /// Greatest share of the pages without a next page that may get one when the threshold is chosen.
    pub max_false_positive_rate: f64,
}

impl Default for LinkParams {
    fn default() -> Self {
        // Small leaves let rare columns speak. Many leaves did better than many trees.
        let links = BoostedParams {
            trees: 450,
            leaves: 31,
            learning_rate: 0.06,
            min_leaf_rows: 6,
            l2: 1.0,
            columns_per_tree: 0.3,
            rows_per_tree: 0.8,
        };
        LinkParams {
            sieve: BoostedParams {
                trees: 64,
                leaves: 10,
                learning_rate: 0.15,
                columns_per_tree: 0.5,
                rows_per_tree: 1.0,
                ..links.clone()
            },
            least_worth: 0.05,
            sieve_margin: 0.5,
            relation: BoostedParams { trees: 80, leaves: 8, min_leaf_rows: 10, ..links.clone() },
            links,
            tokens: LinearParams { bits: 18, ..LinearParams::default() },
            folds: 4,
            best_candidates: 15,
            other_candidates: 10,
            taught_weight: 0.3,
            max_false_positive_rate: 0.015,
        }
    }
}

impl LinkParams {
    fn weight(&self, page: &LinkPage) -> f32 {
        if page.only_teaches { self.taught_weight } else { 1.0 }
    }
}

pub(crate) fn train_next_link(
    pages: &[&LinkPage],
    params: &LinkParams,
    seed: u64,
) -> Result<Bundle, TrainError> {
    if !pages.iter().any(|page| page.is_next.contains(&true)) {
        return Err(TrainError::NoNext);
    }
    let tokens = fit_tokens(pages, |_| true, params, seed)?;
    let parts = parts_by_software(pages.iter().copied(), params.folds.max(2), seed);
    let rows = held_out_rows(pages, &parts, params, seed)?;
    let folds: Vec<u64> = pages.iter().map(|page| mix(seed, page.group) % params.folds.max(2)).collect();

    let scores = held_out_scores(pages, &folds, &rows, params, seed)?;
    let real = pages.iter().zip(&scores).filter(|(page, _)| !page.only_teaches);
    let bests: Vec<(bool, f32, bool)> = real.filter_map(best_of).collect();
    let pairs: Vec<(f32, bool)> = bests.iter().map(|(_, score, right)| (*score, *right)).collect();
    let calibration = fit_calibration(&pairs);
    let calibrated =
        |(has_next, score, right): &(bool, f32, bool)| (*has_next, calibration.apply(*score), *right);
    let threshold = choose_threshold(bests.iter().map(calibrated).collect(), params.max_false_positive_rate);

    let links = fit_candidates(pages, &rows, |_| true, params, seed)?;
    let mut header = ModelHeader::new::<LinkColumns>(Params::Boosted(params.links.clone()), seed);
    header.threshold = threshold;
    header.trained_on = trained_on(pages);
    let mut bundle = Bundle::new(NEXT_LINK_KIND);
    bundle.about.seed = seed;
    bundle.about.trained_on = header.trained_on;
    bundle.insert_model(LinkPart::Sieve.name(), &fit_sieve(pages, &folds, &scores, params, seed)?)?;
    bundle.insert_model(LinkPart::Links.name(), &ModelFile { header, model: links })?;
    bundle.insert_model(LinkPart::Relation.name(), &fit_relation(pages, &rows, params, seed)?)?;
    bundle.insert(LinkPart::Calibration.name(), &calibration)?;
    for (kind, model) in TokenKind::ALL.iter().zip(&tokens) {
        bundle.insert(LinkPart::Tokens(*kind).name(), model)?;
    }
    Ok(bundle)
}

fn fit_tokens(
    pages: &[&LinkPage],
    takes: impl Fn(usize) -> bool,
    params: &LinkParams,
    seed: u64,
) -> Result<[Linear; TokenKind::ALL.len()], TrainError> {
    let fit = |kind: TokenKind| {
        let (mut rows, mut targets, mut weights) = (TokenRows::default(), Vec::new(), Vec::new());
        for (_, page) in pages.iter().enumerate().filter(|(at, _)| takes(*at)) {
            if kind == TokenKind::Page {
                rows.push(page.described.page_tokens().iter().copied());
                targets.push(share(page.has_next));
                weights.push(params.weight(page));
                continue;
            }
            for (candidate, is_next) in page.is_next.iter().enumerate() {
                rows.push(page.described.tokens(candidate, kind).iter().copied());
                targets.push(share(*is_next));
                weights.push(params.weight(page));
            }
        }
        let weights = Some(weights.as_slice());
        fit_linear(&params.tokens, &rows, &targets, weights, mix(seed, 1)).map_err(TrainError::Tokens)
    };
    let [label, markup, address, page] = TokenKind::ALL.map(fit);
    Ok([label?, markup?, address?, page?])
}

fn held_out_rows(
    pages: &[&LinkPage],
    folds: &[u64],
    params: &LinkParams,
    seed: u64,
) -> Result<Vec<Matrix<LinkColumns>>, TrainError> {
    let mut rows = vec![Matrix::new(); pages.len()];
    for fold in 0..params.folds.max(2) {
        let scores = TokenScores::new(fit_tokens(pages, |at| folds[at] != fold, params, seed)?);
        for (at, page) in pages.iter().enumerate().filter(|(at, _)| folds[*at] == fold) {
            rows[at] = scores.rows(&page.described);
        }
    }
    Ok(rows)
}

fn fit_candidates(
    pages: &[&LinkPage],
    rows: &[Matrix<LinkColumns>],
    takes: impl Fn(usize) -> bool,
    params: &LinkParams,
    seed: u64,
) -> Result<FlatModel<LinkColumns>, TrainError> {
    let (mut x, mut targets, mut weights) = (Matrix::new(), Vec::new(), Vec::new());
    for (at, page) in pages.iter().enumerate().filter(|(at, _)| takes(*at)) {
        for (candidate, weight) in sample(page, &rows[at], params, mix(seed, at)) {
            x.push(rows[at].row(candidate))?;
            targets.push(share(page.is_next[candidate]));
            weights.push(weight * params.weight(page));
        }
    }
    Ok(boost(&params.links, &x, &targets, Some(&weights), mix(seed, 2))?)
}

/// Returns the candidates of a page that are trained on, with their weights: next pages, those whose tokens score best, and
/// some of the others for all of them.
fn sample(page: &LinkPage, rows: &Matrix<LinkColumns>, params: &LinkParams, seed: u64) -> Vec<(usize, f32)> {
    let tokens = TokenKind::ALL.len();
    let worth = |candidate: usize| -> f32 {
        let row = rows.row(candidate);
        row[row.len() - tokens..].iter().sum()
    };
    let mut order: Vec<(f32, usize)> =
        (0..rows.rows()).map(|candidate| (worth(candidate), candidate)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let every = params.other_candidates.max(1);
    let drawn = order.iter().enumerate().filter_map(|(rank, (_, candidate))| {
        if rank < params.best_candidates || page.is_next[*candidate] {
            Some((*candidate, 1.0))
        } else {
            mix(seed, *candidate).is_multiple_of(every).then_some((*candidate, every as f32))
        }
    });
    drawn.collect()
}

fn usable_folds(pages: &[&LinkPage], folds: &[u64], params: &LinkParams) -> impl Iterator<Item = u64> {
    let teaches = move |fold: u64| {
        folds.iter().zip(pages).any(|(held, page)| *held != fold && page.is_next.contains(&true))
    };
    (0..params.folds.max(2)).filter(move |fold| teaches(*fold))
}

/// Returns, by page and candidate, the score of a model that saw no page of its fold; `None` without such a model.
fn held_out_scores(
    pages: &[&LinkPage],
    folds: &[u64],
    rows: &[Matrix<LinkColumns>],
    params: &LinkParams,
    seed: u64,
) -> Result<Vec<Vec<f32>>, TrainError> {
    let mut scores = vec![Vec::new(); pages.len()];
    for fold in usable_folds(pages, folds, params) {
        let is_trained_on = |at: usize| folds[at] != fold;
        let model = fit_candidates(pages, rows, is_trained_on, params, seed)?;
        for (at, scores) in scores.iter_mut().enumerate().filter(|(at, _)| !is_trained_on(*at)) {
            *scores = model.score(&rows[at]);
        }
    }
    Ok(scores)
}

fn best_of((page, scores): (&&LinkPage, &Vec<f32>)) -> Option<(bool, f32, bool)> {
    let best = best(scores)?;
    Some((page.has_next, scores[best], page.is_next[best]))
}

/// Returns the place of the greatest score; of equal ones, the first.
fn best(scores: &[f32]) -> Option<usize> {
    (0..scores.len()).rev().max_by(|a, b| scores[*a].total_cmp(&scores[*b]))
}

/// Candidates below this score teach the first look to skip; one in ten of them is enough.
const HOPELESS: f32 = 0.02;

/// Fits the model of the first look to the scores of the model of candidates, and chooses the score that lets a candidate
/// through: below that of every page's best candidate which is worth a second look, by models that saw no page of its
/// fold.
fn fit_sieve(
    pages: &[&LinkPage],
    folds: &[u64],
    scores: &[Vec<f32>],
    params: &LinkParams,
    seed: u64,
) -> Result<ModelFile<SieveColumns>, TrainError> {
    let fit = |takes: &dyn Fn(usize) -> bool| -> Result<FlatModel<SieveColumns>, TrainError> {
        let (mut x, mut targets, mut weights) = (Matrix::new(), Vec::new(), Vec::new());
        for (at, page) in pages.iter().enumerate().filter(|(at, _)| takes(*at)) {
            for (candidate, is_next) in page.is_next.iter().enumerate() {
                let score = scores[at].get(candidate).copied().unwrap_or(0.0);
                let target = score.max(share(*is_next));
                let weight = match target > HOPELESS {
                    true => 1.0,
                    false if mix(mix(seed, at), candidate).is_multiple_of(10) => 10.0,
                    false => continue,
                };
                x.push(&page.described.first_look(candidate))?;
                targets.push(target);
                weights.push(weight);
            }
        }
        Ok(boost(&params.sieve, &x, &targets, Some(&weights), mix(seed, 4))?)
    };
    let mut least = f32::MAX;
    for fold in usable_folds(pages, folds, params) {
        let is_trained_on = |at: usize| folds[at] != fold;
        let model = fit(&is_trained_on)?;
        let real = pages.iter().enumerate().filter(|(_, page)| !page.only_teaches);
        for (at, page) in real.filter(|(at, _)| !is_trained_on(*at)) {
            let worth = best(&scores[at]).filter(|best| scores[at][*best] >= params.least_worth);
            least = worth.map_or(least, |best| least.min(model.score_row(&page.described.first_look(best))));
        }
    }
    let mut header = ModelHeader::new::<SieveColumns>(Params::Boosted(params.sieve.clone()), seed);
    // Where nothing tells what is worth a look, everything is.
    header.threshold = if least == f32::MAX { 0.0 } else { least * params.sieve_margin };
    Ok(ModelFile { header, model: fit(&|_| true)? })
}

/// Returns the threshold with the best F, among those that give few pages without a next page one.
fn choose_threshold(mut pages: Vec<(bool, f32, bool)>, max_false_positive_rate: f64) -> f32 {
    pages.sort_by(|a, b| b.1.total_cmp(&a.1));
    let gold = pages.iter().filter(|(has_next, ..)| *has_next).count();
    let none = pages.len() - gold;
    let (mut right, mut false_alarms) = (0, 0);
    let (mut best, mut threshold) = (-1.0, 0.5);
    for (at, (has_next, score, is_right)) in pages.iter().enumerate() {
        right += usize::from(*is_right);
        false_alarms += usize::from(!has_next);
        let is_last_of_equals = pages.get(at + 1).is_none_or(|(_, next, _)| next < score);
        if false_alarms as f64 > max_false_positive_rate * none as f64 {
            break;
        }
        let f = 2.0 * right as f64 / (at + 1 + gold) as f64;
        if is_last_of_equals && f > best {
            best = f;
            // Between this score and the next one, so that a rounding error decides nothing.
            threshold = pages.get(at + 1).map_or(*score, |(_, next, _)| f32::midpoint(*score, *next));
        }
    }
    threshold
}

fn fit_relation(
    pages: &[&LinkPage],
    rows: &[Matrix<LinkColumns>],
    params: &LinkParams,
    seed: u64,
) -> Result<ModelFile<LinkColumns>, TrainError> {
    let (mut x, mut targets, mut weights) = (Matrix::new(), Vec::new(), Vec::new());
    for (page, rows) in pages.iter().zip(rows) {
        let Some(relation) = page.relation else { continue };
        let Some(candidate) = page.is_next.iter().position(|is_next| *is_next) else { continue };
        x.push(rows.row(candidate))?;
        targets.push(share(relation == Relation::Chapter));
        weights.push(params.weight(page));
    }
    if targets.is_empty() {
        // Without any relation known, every next page is a page.
        x.push(rows.iter().find(|rows| rows.rows() > 0).map_or(&[], |rows| rows.row(0)))?;
        targets.push(0.0);
        weights.push(1.0);
    }
    let model = boost(&params.relation, &x, &targets, Some(&weights), mix(seed, 3))?;
    let header = ModelHeader::new::<LinkColumns>(Params::Boosted(params.relation.clone()), seed);
    Ok(ModelFile { header, model })
}

fn trained_on(pages: &[&LinkPage]) -> TrainedOn {
    let candidates = || pages.iter().flat_map(|page| &page.is_next);
    TrainedOn {
        pages: pages.len() as u64,
        sites: distinct(pages.iter().map(|page| page.group)),
        rows: candidates().count() as u64,
        positives: candidates().filter(|is_next| **is_next).count() as u64,
    }
}

fn share(truth: bool) -> f32 {
    f32::from(u8::from(truth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_keeps_false_alarms_few() {
        // By score: right, right, false alarm, right. F with all: 6 ÷ (4 + 3); with two: 4 ÷ (2 + 3).
        let pages = vec![(true, 0.9, true), (true, 0.8, true), (false, 0.4, false), (true, 0.2, true)];
        assert_eq!(choose_threshold(pages.clone(), 1.0), 0.2);
        assert_eq!(choose_threshold(pages, 0.5), 0.8_f32.midpoint(0.4));
        assert_eq!(choose_threshold(Vec::new(), 0.02), 0.5);
    }
}
