//! Measures which columns a model relies on.

use super::labelled_rows::LabelledRows;
use tsugi_scoring::{FlatModel, Schema};

#[derive(Clone, Copy, Default)]
struct ClassCounts {
    negatives: u64,
    positives: u64,
}

impl ClassCounts {
    fn add(&mut self, label: bool) {
        if label {
            self.positives += 1;
        } else {
            self.negatives += 1;
        }
    }

    /// Gini impurity, times the number of rows: `n·Σ f_c·(1 − f_c)`.
    fn impurity(self) -> f64 {
        let rows = (self.negatives + self.positives) as f64;
        if rows > 0.0 { 2.0 * self.negatives as f64 * self.positives as f64 / rows } else { 0.0 }
    }
}

/// Returns the importance of each of the `d` columns: how much its splits lower the Gini impurity.
///
/// A column matters if splits on it separate the classes, and the more so the more rows pass them. For each tree,
/// the falls in impurity are added up by column and divided by their sum; the result is the mean over trees, scaled
/// to sum to 1. If no tree splits, or the model is linear, all importances are 0.
///
/// # Units
///
/// Ratio in [0, 1]. For boosted trees, too, it is the impurity of the labels that counts, although those trees
/// are grown to fit a gradient. No split can raise it.
///
/// # Cost
///
/// `O(n·t·depth)`.
///
/// # Source
///
/// Hanamura (2020), eqs. 4.4 and 4.5 and the paragraph after them.
///
/// DIFFERENCE: all training rows are sent down each tree, once each. While a forest grows, a node counts the rows of
/// its tree's bootstrap sample, some of them repeatedly and about a third not at all. The means over many trees differ
/// little.
pub fn importances<S: Schema>(model: &FlatModel<S>, rows: &LabelledRows<S>) -> Vec<f64> {
    let mut importances = vec![0.0; S::columns().len()];
    for tree in model.tree_ranges() {
        let falls = falls(model, tree, rows);
        let sum: f64 = falls.iter().sum();
        if sum > 0.0 {
            for (importance, fall) in importances.iter_mut().zip(falls) {
                *importance += fall / sum;
            }
        }
    }
    let sum: f64 = importances.iter().sum();
    if sum > 0.0 {
        for importance in &mut importances {
            *importance /= sum;
        }
    }
    importances
}

fn falls<S: Schema>(model: &FlatModel<S>, tree: std::ops::Range<usize>, rows: &LabelledRows<S>) -> Vec<f64> {
    let root = tree.start;
    let mut counts = vec![ClassCounts::default(); tree.len()];
    for (row, &label) in rows.x().iter().zip(rows.y()) {
        for at in model.path(root, row) {
            counts[at - root].add(label);
        }
    }
    let mut falls = vec![0.0; S::columns().len()];
    for at in tree {
        if let Some((column, left, right)) = model.split_at(at) {
            falls[column] += counts[at - root].impurity()
                - counts[left - root].impurity()
                - counts[right - root].impurity();
        }
    }
    falls
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModelLearner;
    use crate::samples::{TestPlane, leaf, mixed, split};
    use tsugi_scoring::{Algorithm, Combination, Matrix, Params};

    #[test]
    fn impurity_by_hand() {
        // 3 negatives and 1 positive: 4 × (3/4 × 1/4 + 1/4 × 3/4) = 1.5
        assert!((ClassCounts { negatives: 3, positives: 1 }.impurity() - 1.5).abs() < 1e-12);
        assert!(ClassCounts { negatives: 3, positives: 0 }.impurity().abs() < 1e-12);
    }

    #[test]
    fn falls_are_shared_out_by_column() {
        // x ≤ 0 ? negative : (y ≤ 0 ? negative : positive), over 4 negatives and 2 positives
        let nodes = [split(0, 0.0), leaf(0.0, 0), split(1, 0.0), leaf(0.0, 0), leaf(1.0, 0)];
        let model = FlatModel::<TestPlane>::assemble(Combination::MeanOfLeaves, nodes).unwrap();
        let x = [[-1.0, 0.0], [-1.0, 1.0], [-1.0, 2.0], [1.0, -1.0], [1.0, 1.0], [1.0, 2.0]];
        let y = vec![false, false, false, false, true, true];
        let rows = LabelledRows::new(Matrix::from_rows(x).unwrap(), y).unwrap();
        // root 2·4·2/6 = 8/3; right child 2·1·2/3 = 4/3; leaves 0: x takes 4/3 and y takes 4/3
        let importances = importances(&model, &rows);
        assert!((importances[0] - 0.5).abs() < 1e-12 && (importances[1] - 0.5).abs() < 1e-12);
    }

    #[test]
    fn importances_sum_to_one() {
        let rows = mixed(2_000, 4);
        for algorithm in Algorithm::ALL {
            let model = Params::of(algorithm).fit(&rows, 1).unwrap();
            let sum: f64 = importances(&model, &rows).iter().sum();
            let expected = if model.is_linear() { 0.0 } else { 1.0 };
            assert!((sum - expected).abs() < 1e-9, "{algorithm}: {sum}");
        }
    }
}
