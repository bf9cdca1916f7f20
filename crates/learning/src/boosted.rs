//! Gradient-boosted trees: histograms of binned columns, trees grown leaf by leaf, logistic loss.
//!
//! The trainer is our own, as no library takes weights, targets between 0 and 1, and half a million rows of a hundred and fifty
//! columns: `gbdt` bounds depth and not leaves, and takes six times as long; `perpetual` needs an unstable toolchain;
//! `nanogbm` knows two classes alone; `lightgbm3` builds C++.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::bins::Bins;
use super::fit::{FitError, check_values, targets_fit};
use super::grower::{Gradients, GrownNode, GrownTree, grow};
use super::labelled_rows::LabelledRows;
use tsugi_scoring::{BoostedParams, Combination, FlatModel, Matrix, Schema, Symbol};

/// The most rows: rows are numbered in 32 bits.
const MAX_ROWS: usize = u32::MAX as usize;

/// The log-odds of a class that always occurs; negative, of one that never does.
const SURE: f64 = 12.0;

/// Learns from labels; the shared checks of rows are done.
///
/// DIFFERENCE: Hanamura (2020), section 3.2.4, splits by Gini impurity throughout; boosting splits by the gradient and
/// curvature of its loss, as Friedman's and Chen's do.
pub(crate) fn fit<S: Schema>(
    params: &BoostedParams,
    rows: &LabelledRows<S>,
    seed: u64,
) -> Result<FlatModel<S>, FitError> {
    let targets: Vec<f32> = rows.y().iter().map(|label| f32::from(u8::from(*label))).collect();
    boost(params, rows.x(), &targets, None, seed)
}

/// Learns the probability, or the share, to which each row is positive.
///
/// `targets` lie in [0, 1], one for each row; `weights`, at least 0, say how much each row counts (`None`: 1 each). The loss is the cross-entropy between target and score, so that the score estimates the mean target.
///
/// # Errors
///
/// * [`FitError::Params`] if a parameter makes no sense.
/// * [`FitError::Targets`] if targets or weights do not fit the rows.
/// * [`FitError::Columns`], [`FitError::TooManyRows`] or [`FitError::Magnitude`] if the rows exceed what can be
///   held.
///
/// # Determinism
///
/// Equal input gives an equal model, however many threads there are. The seed matters only if rows or columns
/// are drawn.
///
/// # Cost
///
/// `O(t·d·n·log(leaves))` time at most, and `O(d·n)` bytes of memory; two threads if there are many rows.
///
/// # Source
///
/// Friedman (2001), Greedy Function Approximation: A Gradient Boosting Machine, Annals of Statistics 29,
/// 1189–1232, <https://doi.org/10.1214/aos/1013203451>; second-order splits: Chen & Guestrin (2016), `XGBoost`,
/// eqs. 5–7, <https://doi.org/10.1145/2939672.2939785>; histograms and leaf-wise growth: Ke et al. (2017),
/// `LightGBM`, NIPS 30.
pub fn boost<S: Schema>(
    params: &BoostedParams,
    x: &Matrix<S>,
    targets: &[f32],
    weights: Option<&[f32]>,
    seed: u64,
) -> Result<FlatModel<S>, FitError> {
    params.check()?;
    check_values(x, MAX_ROWS)?;
    if x.rows() == 0 || !targets_fit(x.rows(), targets, weights) {
        return Err(FitError::Targets(x.rows()));
    }
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);

    let base = base_of(targets, weight);
    let mut trees = GrowingTrees::new(params, x, seed);
    let mut ensemble = Ensemble::new(base, x.rows());
    for _ in 0..params.trees {
        trees.add(&mut ensemble, |row, score| {
            let probability = 1.0 / (1.0 + (-score).exp());
            (weight(row) * (probability - targets[row]), weight(row) * probability * (1.0 - probability))
        });
    }
    ensemble.finish()
}

/// Learns the odds of several classes against the class of all other rows.
///
/// `classes` has one number for each row; rows whose number is not below `count` are of the class that all others are
/// held against. The score of model `k` is the probability of class `k` where only it and that class are possible, so that the
/// odds of all classes, divided by their sum and 1, are the probabilities of all. The loss is the cross-entropy of these.
///
/// # Errors
///
/// As [`boost`].
///
/// # Determinism
///
/// As [`boost`].
///
/// # Cost
///
/// `count` times that of [`boost`].
///
/// # Source
///
/// Friedman (2001), algorithm 6, `L_K_TreeBoost`, with one class as the reference; otherwise that of [`boost`].
pub fn boost_classes<S: Schema>(
    params: &BoostedParams,
    x: &Matrix<S>,
    (classes, count): (&[usize], usize),
    weights: &[f32],
    seed: u64,
) -> Result<Vec<FlatModel<S>>, FitError> {
    params.check()?;
    check_values(x, MAX_ROWS)?;
    let is_of = |class: usize| classes.iter().map(|of_row| f32::from(u8::from(*of_row == class))).collect();
    let of_classes: Vec<Vec<f32>> = (0..count).map(is_of).collect();
    let fit = |targets: &Vec<f32>| targets_fit(x.rows(), targets, Some(weights));
    if x.rows() == 0 || !of_classes.iter().all(fit) {
        return Err(FitError::Targets(x.rows()));
    }
    let share = |is_counted: &dyn Fn(usize) -> bool| -> f64 {
        let counted = classes.iter().zip(weights).filter(|(class, _)| is_counted(**class));
        counted.map(|(_, weight)| f64::from(*weight)).sum()
    };
    let of_others = share(&|class| class >= count);
    let mut trees = GrowingTrees::new(params, x, seed);
    let mut ensembles: Vec<Ensemble> = (0..count)
        .map(|class| Ensemble::new(log_odds(share(&|other| other == class), of_others), x.rows()))
        .collect();
    for _ in 0..params.trees {
        let sums = odds_of_all(&ensembles);
        for (ensemble, targets) in ensembles.iter_mut().zip(&of_classes) {
            trees.add(ensemble, |row, score| {
                let probability = odds(score) / sums[row];
                let weight = weights[row];
                (weight * (probability - targets[row]), weight * probability * (1.0 - probability))
            });
        }
    }
    ensembles.into_iter().map(Ensemble::finish).collect()
}

/// Returns, for each row, the sum of the odds of all classes, and 1 for the class that they are held against.
fn odds_of_all(ensembles: &[Ensemble]) -> Vec<f32> {
    let rows = ensembles.first().map_or(0, |ensemble| ensemble.scores.len());
    let of_row = |row: usize| 1.0 + ensembles.iter().map(|ensemble| odds(ensemble.scores[row])).sum::<f32>();
    (0..rows).map(of_row).collect()
}

fn odds(score: f32) -> f32 {
    // The sum of many such odds is finite.
    const MOST: f32 = 60.0;
    score.min(MOST).exp()
}

/// What grows trees for the rows of a matrix.
struct GrowingTrees<'a> {
    params: &'a BoostedParams,
    bins: Bins,
    draw: RowDraw<'a>,
    gradients: Gradients,
    leaf_of: Vec<usize>,
}

/// The trees of one model, and the log-odds that they give to the rows.
struct Ensemble {
    base: f32,
    scores: Vec<f32>,
    symbols: Vec<Symbol>,
}

impl Ensemble {
    fn new(base: f32, rows: usize) -> Self {
        Ensemble { base, scores: vec![base; rows], symbols: Vec::new() }
    }

    fn finish<S: Schema>(self) -> Result<FlatModel<S>, FitError> {
        Ok(FlatModel::assemble(Combination::LogisticOfSum { base: self.base }, self.symbols)?)
    }
}

impl<'a> GrowingTrees<'a> {
    fn new<S: Schema>(params: &'a BoostedParams, x: &Matrix<S>, seed: u64) -> Self {
        let rows = x.rows();
        GrowingTrees {
            params,
            bins: Bins::of(x),
            draw: RowDraw { generator: ChaCha8Rng::seed_from_u64(seed), params },
            gradients: Gradients { first: vec![0.0; rows], second: vec![0.0; rows] },
            leaf_of: vec![usize::MAX; rows],
        }
    }

    /// Adds a tree; `slope` returns the first and the second derivative of the loss at a row, by its log-odds.
    fn add(&mut self, ensemble: &mut Ensemble, slope: impl Fn(usize, f32) -> (f32, f32)) {
        let GrowingTrees { params, bins, draw, gradients, leaf_of } = self;
        for (row, score) in ensemble.scores.iter().enumerate() {
            (gradients.first[row], gradients.second[row]) = slope(row, *score);
        }
        let columns = draw.columns(bins.columns());
        let mut rows = draw.rows(ensemble.scores.len());
        let tree = grow(bins, gradients, params, &columns, &mut rows);
        let values = leaf_values(&tree, params.learning_rate);
        let mut covers = vec![0; values.len()];
        for (leaf, of_leaf) in &tree.leaves {
            for row in &rows[of_leaf.clone()] {
                leaf_of[*row as usize] = *leaf;
            }
        }
        for (row, (score, leaf)) in ensemble.scores.iter_mut().zip(leaf_of).enumerate() {
            // A row that was not drawn walks down the tree.
            let leaf = std::mem::replace(leaf, usize::MAX);
            let leaf = if leaf == usize::MAX { tree.leaf_of(bins, row) } else { leaf };
            *score += values[leaf];
            covers[leaf] += 1;
        }
        write(&tree, bins, &values, &covers, &mut ensemble.symbols);
    }
}

fn base_of(targets: &[f32], weight: impl Fn(usize) -> f32) -> f32 {
    let (mut sum, mut all) = (0.0, 0.0);
    for (row, target) in targets.iter().enumerate() {
        sum += f64::from(weight(row)) * f64::from(*target);
        all += f64::from(weight(row));
    }
    log_odds(sum, all - sum)
}

fn log_odds(of: f64, against: f64) -> f32 {
    let odds = (of / against).ln();
    #[expect(clippy::cast_possible_truncation, reason = "within ±12")]
    let bounded = if odds.is_nan() { 0.0 } else { odds.clamp(-SURE, SURE) as f32 };
    bounded
}

fn leaf_values(tree: &GrownTree, learning_rate: f32) -> Vec<f32> {
    let value = |node: &GrownNode| match node {
        GrownNode::Split { .. } => 0.0,
        GrownNode::Leaf { value } => {
            // One tree never moves a row by more than certainty.
            let bounded = value.clamp(-SURE, SURE);
            #[expect(clippy::cast_possible_truncation, reason = "within ±12")]
            let bounded = bounded as f32;
            learning_rate * bounded
        }
    };
    tree.nodes.iter().map(value).collect()
}

fn write(tree: &GrownTree, bins: &Bins, values: &[f32], covers: &[u32], symbols: &mut Vec<Symbol>) {
    let mut ahead = vec![0];
    while let Some(at) = ahead.pop() {
        symbols.push(match tree.nodes[at] {
            GrownNode::Leaf { .. } => Symbol::Leaf { value: values[at], cover: covers[at] },
            GrownNode::Split { column, bin, left } => {
                ahead.extend([left + 1, left]);
                // There are at most 2¹⁶ columns, as was checked.
                let number = u16::try_from(column).unwrap_or(u16::MAX);
                Symbol::Split { column: number, threshold: bins.threshold(column, bin) }
            }
        });
    }
}

struct RowDraw<'a> {
    generator: ChaCha8Rng,
    params: &'a BoostedParams,
}

impl RowDraw<'_> {
    fn columns(&mut self, count: usize) -> Vec<usize> {
        let mut columns: Vec<usize> = (0..count).collect();
        if self.params.columns_per_tree < 1.0 {
            columns.shuffle(&mut self.generator);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the count")]
            let kept = (count as f32 * self.params.columns_per_tree).ceil() as usize;
            columns.truncate(kept.clamp(1, count));
            columns.sort_unstable();
        }
        columns
    }

    fn rows(&mut self, count: usize) -> Vec<u32> {
        let all = 0..u32::try_from(count).unwrap_or(u32::MAX);
        if self.params.rows_per_tree >= 1.0 {
            return all.collect();
        }
        all.filter(|_| self.generator.random::<f32>() < self.params.rows_per_tree).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{TestPlane, average_precision, mixed};

    fn plane(rows: &[[f32; 2]]) -> Matrix<TestPlane> {
        Matrix::from_rows(rows).unwrap()
    }

    #[test]
    fn learns_what_can_be_learned() {
        let held_out = mixed(10_000, 2);
        let params = BoostedParams { trees: 60, ..BoostedParams::default() };
        let model = fit(&params, &mixed(10_000, 1), 0).unwrap();
        let precision = average_precision(&model.score(held_out.x()), held_out.y());
        assert!(precision > 0.65, "{precision}");
    }

    #[test]
    fn one_split_by_hand() {
        // Two rows a side, targets 0 0 | 1 1: base 0, gradients ±½, curvature ¼; with l2 = 1 a leaf is
        // ∓(2·½)/(2·¼ + 1) = ∓⅔.
        let x = plane(&[[1.0, 0.0], [2.0, 0.0], [4.0, 0.0], [5.0, 0.0]]);
        let params = BoostedParams {
            trees: 1,
            leaves: 2,
            learning_rate: 1.0,
            min_leaf_rows: 1,
            l2: 1.0,
            ..BoostedParams::default()
        };
        let model = boost(&params, &x, &[0.0, 0.0, 1.0, 1.0], None, 0).unwrap();
        let logistic = |z: f32| 1.0 / (1.0 + (-z).exp());
        let scores = model.score(&x);
        for (score, expected) in scores.iter().zip([-2.0 / 3.0, -2.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]) {
            assert!((score - logistic(expected)).abs() < 1e-6, "{score}");
        }
        // Halfway between 2 and 4, to the left.
        assert_eq!(model.score_row(&[3.0, 9.0]), scores[0]);
    }

    #[test]
    fn soft_targets_and_weights_count() {
        let x = plane(&[[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]);
        let params =
            BoostedParams { trees: 300, leaves: 2, min_leaf_rows: 1, l2: 0.0, ..BoostedParams::default() };
        let model = boost(&params, &x, &[0.2, 0.4, 0.0, 1.0], Some(&[1.0, 1.0, 1.0, 3.0]), 0).unwrap();
        // The mean of .2 and .4; of 0 and 1 with weights 1 and 3.
        assert!((model.score_row(&[0.0, 0.0]) - 0.3).abs() < 1e-3);
        assert!((model.score_row(&[1.0, 0.0]) - 0.75).abs() < 1e-3);
    }

    #[test]
    fn probabilities_of_classes_are_their_shares() {
        let x = plane(&[[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]);
        let params =
            BoostedParams { trees: 300, leaves: 2, min_leaf_rows: 1, l2: 0.0, ..BoostedParams::default() };
        // On the left class 0 twice, class 1 once and neither once; on the right class 1 with a weight of 3, and neither.
        let classes = [0, 0, 1, 2, 1, 7];
        let models = boost_classes(&params, &x, (&classes, 2), &[1.0, 1.0, 1.0, 1.0, 3.0, 1.0], 0).unwrap();
        let probabilities = |row: [f32; 2]| -> Vec<f32> {
            let odds = models.iter().map(|model| model.score_row(&row)).map(|score| score / (1.0 - score));
            let odds: Vec<f32> = odds.collect();
            let all: f32 = 1.0 + odds.iter().sum::<f32>();
            odds.iter().map(|odds| odds / all).collect()
        };
        for (row, expected) in [([0.0, 0.0], [0.5, 0.25]), ([1.0, 0.0], [0.0, 0.75])] {
            for (found, expected) in probabilities(row).iter().zip(expected) {
                assert!((found - expected).abs() < 1e-2, "{found} {expected}");
            }
        }
        assert!(boost_classes(&params, &x, (&classes[1..], 2), &[1.0; 6], 0).is_err());
    }

    #[test]
    fn threads_do_not_matter_and_seeds_do_where_something_is_drawn() {
        // 40,000 rows of 14 columns are shared by two threads; 100 rows are not: sums are the same either way.
        let rows = mixed(40_000, 3);
        let params = BoostedParams { trees: 5, ..BoostedParams::default() };
        let fit = |params: &BoostedParams, seed| super::fit(params, &rows, seed).unwrap();
        assert!(fit(&params, 1) == fit(&params, 2));
        let drawn = BoostedParams { columns_per_tree: 0.5, rows_per_tree: 0.7, ..params };
        assert!(fit(&drawn, 1) == fit(&drawn, 1));
        assert!(fit(&drawn, 1) != fit(&drawn, 2));
    }

    #[test]
    fn a_large_leaf_bound_is_kept() {
        let rows = mixed(2_000, 3);
        let params = BoostedParams { trees: 3, leaves: 7, ..BoostedParams::default() };
        let model = super::fit(&params, &rows, 0).unwrap();
        assert_eq!((model.trees(), model.nodes()), (3, 3 * 13));
    }

    #[test]
    fn targets_that_do_not_fit_are_refused() {
        let x = plane(&[[0.0, 0.0], [1.0, 0.0]]);
        let params = BoostedParams::default();
        for (targets, weights) in [
            (&[0.0][..], None),
            (&[0.0, 1.5], None),
            (&[0.0, f32::NAN], None),
            (&[0.0, 1.0], Some(&[1.0][..])),
            (&[0.0, 1.0], Some(&[1.0, -1.0])),
        ] {
            let error = boost(&params, &x, targets, weights, 0).unwrap_err();
            assert!(matches!(error, FitError::Targets(2)), "{error}");
        }
        assert!(boost(&params, &plane(&[]), &[], None, 0).is_err());
        // One class is no error here: the score is its share, as near as log-odds come.
        let sure = boost(&params, &x, &[1.0, 1.0], None, 0).unwrap();
        assert!(sure.score_row(&[0.0, 0.0]) > 0.9999);
    }
}
