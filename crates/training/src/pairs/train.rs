//! Trains the judge of pairs.

use super::examples::{PairExample, PairExamples, PairKind};
use crate::random::mix;
use crate::sites::distinct;
use crate::train_error::TrainError;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_learning::{boost, fit_calibration};
use tsugi_next_link::{CONTINUATION_KIND, PairColumns, PairPart};
use tsugi_scoring::{BoostedParams, Bundle, FlatModel, Matrix, ModelFile, ModelHeader, Params, TrainedOn};

/// Parameters of the judge of pairs.
// Boosted trees, each with few columns, so that no single column decides. A linear model of the columns in bins held more false
// pairs at small losses. On made-up sites of the judging world, 160 trees of 12 leaves held twice as many false pairs of
// sure links, and a fifth fewer true pairs of others. Figures: docs/src/results/joining.md.
#[derive(Debug, Clone, PartialEq)]
pub struct PairParams {
    /// The model that scores pairs.
    pub pairs: BoostedParams,
    /// Number of parts of the training side, for held-out scores.
    pub folds: u64,
    /// Weight of all false pairs together; all true ones together weigh 1.
    pub false_weight: f32,
    /// Weight of a false pair whose link is not among the three most likely.
    pub unlikely_weight: f32,
    /// Weight of a synthetic false pair.
    pub made_up_weight: f32,
    /// Weight of a pair of pages that only teach.
    pub taught_weight: f32,
    /// Greatest share of the true pairs followed by a link model that may be refused when the threshold is chosen.
    pub max_refused: f64,
}

impl Default for PairParams {
    fn default() -> Self {
        let pairs = BoostedParams {
            trees: 500,
            leaves: 24,
            learning_rate: 0.08,
            min_leaf_rows: 8,
            l2: 1.0,
            columns_per_tree: 0.25,
            rows_per_tree: 0.8,
        };
        PairParams {
            pairs,
            folds: 5,
            false_weight: 1.0,
            unlikely_weight: 0.3,
            made_up_weight: 0.3,
            taught_weight: 1.5,
            max_refused: 0.007,
        }
    }
}

type Is = fn(&PairExample) -> bool;

/// Trains judges on some of the pairs, which are described once.
#[derive(Debug)]
pub struct PairTrainer<'a> {
    /// The pairs.
    pub examples: &'a PairExamples,
    /// The parameters.
    pub params: PairParams,
    /// The seed of training.
    pub seed: u64,
}

impl PairTrainer<'_> {
    /// Trains on the pairs of the groups for which `takes` returns `true`.
    ///
    /// # Errors
    ///
    /// [`TrainError`] if those pairs are not enough.
    pub fn train(&self, takes: &dyn Fn(usize) -> bool) -> Result<Bundle, TrainError> {
        let pairs: Vec<&PairExample> = self.examples.pairs.iter().filter(|pair| takes(pair.group)).collect();
        for (holds, lacking) in [(true, "continues on"), (false, "does not continue on")] {
            if !pairs.iter().any(|pair| pair.holds == holds) {
                return Err(TrainError::NoPairs(lacking));
            }
        }
        let scores = self.held_out_scores(&pairs)?;
        let known: Vec<(f32, bool)> = pairs
            .iter()
            .zip(&scores)
            .filter(|(pair, _)| is_likely(pair))
            .map(|(pair, score)| (*score, pair.holds))
            .collect();
        let calibration = fit_calibration(&known);
        // Where the link is sure, little may be lost; pages that only teach are not what users read.
        let is_sure = |pair: &PairExample| pair.holds && pair.followed && !pair.only_teaches;
        let joined = pairs.iter().zip(&scores).filter(|(pair, _)| is_sure(pair));
        let joined = joined.map(|(_, score)| calibration.apply(*score)).collect();
        let threshold = choose_threshold(joined, self.params.max_refused);
        let mut header =
            ModelHeader::new::<PairColumns>(Params::Boosted(self.params.pairs.clone()), self.seed);
        header.threshold = threshold;
        header.trained_on = trained_on(&pairs);
        let mut bundle = Bundle::new(CONTINUATION_KIND);
        bundle.about.seed = self.seed;
        bundle.about.trained_on = header.trained_on;
        bundle.about.data_digest.clone_from(&self.examples.digest);
        let notes: [(&str, Is); 8] = [
            ("true_pairs_held", |pair| pair.holds),
            ("likely_false_pairs_held", |pair| !pair.holds && is_likely(pair)),
            ("redirects_held", |pair| pair.kind == PairKind::Elsewhere),
            ("repeats_held", |pair| pair.kind == PairKind::Again),
            ("empty_pages_held", |pair| pair.kind == PairKind::Empty),
            ("strangers_held", |pair| pair.kind == PairKind::Stranger),
            ("taught_true_pairs_held", |pair| pair.only_teaches && pair.holds),
            ("taught_false_pairs_held", |pair| pair.only_teaches && !pair.holds && is_likely(pair)),
        ];
        for (what, is_of_kind) in notes {
            let of_kind = pairs.iter().zip(&scores).filter(|(pair, _)| is_of_kind(pair));
            let (all, kept) = of_kind.fold((0, 0), |(all, kept), (_, score)| {
                (all + 1, kept + u32::from(calibration.apply(*score) >= threshold))
            });
            bundle.about.notes.insert(what.to_owned(), format!("{kept} of {all}"));
        }
        let model = self.fit(&pairs, self.seed)?;
        bundle.insert_model(PairPart::Pairs.name(), &ModelFile { header, model })?;
        bundle.insert(PairPart::Calibration.name(), &calibration)?;
        Ok(bundle)
    }

    fn fit(&self, pairs: &[&PairExample], seed: u64) -> Result<FlatModel<PairColumns>, TrainError> {
        let x: Matrix<PairColumns> = Matrix::from_rows(pairs.iter().map(|pair| &pair.row))?;
        let targets: Vec<f32> = pairs.iter().map(|pair| f32::from(u8::from(pair.holds))).collect();
        let weights = self.weights(pairs);
        Ok(boost(&self.params.pairs, &x, &targets, Some(&weights), mix(seed, 0))?)
    }

    fn weights(&self, pairs: &[&PairExample]) -> Vec<f32> {
        let own = |pair: &PairExample| {
            let of_kind = match (pair.holds, pair.kind) {
                (true, _) => 1.0,
                (false, PairKind::Linked) if is_likely(pair) => 1.0,
                (false, PairKind::Linked) => self.params.unlikely_weight,
                (false, _) => self.params.made_up_weight,
            };
            of_kind * if pair.only_teaches { self.params.taught_weight } else { 1.0 }
        };
        let mut of_group: BTreeMap<(usize, bool), f32> = BTreeMap::new();
        for pair in pairs {
            *of_group.entry((pair.group, pair.holds)).or_default() += own(pair);
        }
        let all = |holds: bool| -> f32 {
            of_group.iter().filter(|((_, of), _)| *of == holds).map(|(_, sum)| sum.sqrt()).sum()
        };
        let false_share = self.params.false_weight * all(true) / all(false).max(f32::MIN_POSITIVE);
        let weight = |pair: &&PairExample| {
            let group = of_group.get(&(pair.group, pair.holds)).copied().unwrap_or(1.0);
            own(pair) / group.sqrt() * if pair.holds { 1.0 } else { false_share }
        };
        pairs.iter().map(weight).collect()
    }

    fn held_out_scores(&self, pairs: &[&PairExample]) -> Result<Vec<f32>, TrainError> {
        let fold_of = |pair: &PairExample| mix(self.seed, pair.group) % self.params.folds.max(2);
        let mut scores = vec![0.5; pairs.len()];
        for fold in 0..self.params.folds.max(2) {
            let rest: Vec<&PairExample> =
                pairs.iter().copied().filter(|pair| fold_of(pair) != fold).collect();
            if rest.is_empty() {
                continue;
            }
            let model = self.fit(&rest, mix(self.seed, 7))?;
            for (score, pair) in scores.iter_mut().zip(pairs).filter(|(_, pair)| fold_of(pair) == fold) {
                *score = model.score_row(&pair.row);
            }
        }
        Ok(scores)
    }
}

fn is_likely(pair: &PairExample) -> bool {
    pair.kind == PairKind::Linked && (pair.holds || pair.rank < 3)
}

/// Returns the greatest threshold that refuses at most a share of the true pairs; .5 if there are none.
fn choose_threshold(mut scores: Vec<f32>, max_refused: f64) -> f32 {
    scores.sort_by(f32::total_cmp);
    let most = max_refused * scores.len() as f64;
    let allowed = (1..scores.len()).take_while(|count| *count as f64 <= most).count();
    let Some(least) = scores.get(allowed) else { return 0.5 };
    // Between the least score that is kept and the one below it, so that a rounding error decides nothing.
    match scores[..allowed].iter().rev().find(|score| *score < least) {
        Some(below) => f32::midpoint(*below, *least),
        None => *least / 2.0,
    }
}

fn trained_on(pairs: &[&PairExample]) -> TrainedOn {
    let pages: BTreeSet<&String> = pairs.iter().map(|pair| &pair.urls[0]).collect();
    TrainedOn {
        pages: pages.len() as u64,
        sites: distinct(pairs.iter().map(|pair| pair.group)),
        rows: pairs.len() as u64,
        positives: pairs.iter().filter(|pair| pair.holds).count() as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_refuses_few_true_pairs() {
        let scores: Vec<f32> = (1..=100).map(|score| score as f32 / 100.0).collect();
        // Two of a hundred are .01 and .02; the next is .03.
        assert!((choose_threshold(scores.clone(), 0.02) - 0.025).abs() < 1e-6);
        assert!((choose_threshold(scores, 0.0) - 0.005).abs() < 1e-6, "none is refused");
        assert_eq!(choose_threshold(Vec::new(), 0.1), 0.5);
    }
}
