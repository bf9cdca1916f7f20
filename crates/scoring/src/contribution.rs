//! Explains the score of a row: what each column added.

use std::ops::Range;

use crate::column::{Column, Schema};
use crate::flat::{Combination, FlatModel};

/// A column, its value, and what it added to the score or to its log-odds.
pub(crate) type Reason = (&'static Column, f32, f64);

/// Returns the columns of a row that added something, the greatest part first.
pub(crate) fn reasons_of<S: Schema>(row: &[f32], contributions: Vec<f64>) -> Vec<Reason> {
    let columns = S::columns().iter().zip(row).zip(contributions);
    let moved = columns.filter(|(_, part)| *part != 0.0);
    let mut reasons: Vec<_> = moved.map(|((column, value), part)| (column, *value, part)).collect();
    reasons.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
    reasons
}

impl<S: Schema> FlatModel<S> {
    /// Returns what each column added to the score of a row.
    ///
    /// On its way down a tree a row passes nodes whose mean, over the training rows that passed them too, changes
    /// with every split. Each change is attributed to the column of the split. The [`bias`](Self::bias) plus all changes
    /// is the score. In a linear model a column adds its weight times the distance of its value from its mean.
    ///
    /// # Shape
    ///
    /// One value for each of the `d` columns.
    ///
    /// # Units
    ///
    /// For a tree or a forest, score: `bias + Σ contributions = score` up to 10⁻⁵, since the score is summed in
    /// `f32` and this in `f64`. For boosted trees and linear models, log-odds: the logistic function of the sum is the
    /// score.
    ///
    /// # Panics
    ///
    /// If the row is not as wide as the schema.
    ///
    /// # Source
    ///
    /// Saabas (2014), Interpreting random forests, and Palczewska, Palczewski, Marchese Robinson & Neagu (2014),
    /// Interpreting Random Forest Classification Models Using a Feature Contribution Method,
    /// <https://arxiv.org/abs/1312.1121>.
    ///
    /// DIFFERENCE: means are taken over all training rows, not over each tree's bootstrap sample.
    pub fn contributions(&self, row: &[f32]) -> Vec<f64> {
        self.contributions_of(0..self.trees(), self.weight(), row)
    }

    /// What each column added to the sum of some of the trees, each tree multiplied by `weight`.
    pub(crate) fn contributions_of(&self, trees: Range<usize>, weight: f64, row: &[f32]) -> Vec<f64> {
        assert_eq!(row.len(), S::columns().len(), "a row must be as wide as the schema `{}`", S::NAME);
        let mut contributions = vec![0.0; row.len()];
        for root in self.roots(trees) {
            let mut from = root;
            for at in self.path(root, row).skip(1) {
                contributions[usize::from(self.node(from).column)] += self.mean(at) - self.mean(from);
                from = at;
            }
        }
        for contribution in &mut contributions {
            *contribution *= weight;
        }
        for ((contribution, slope), value) in contributions.iter_mut().zip(self.slopes()).zip(row) {
            *contribution += slope.of(*value);
        }
        contributions
    }

    /// Returns the columns that moved the score of a row, each with its value and its
    /// [contribution](Self::contributions), the greatest first.
    ///
    /// # Panics
    ///
    /// If the row is not as wide as the schema.
    pub fn reasons(&self, row: &[f32]) -> Vec<(&'static Column, f32, f64)> {
        reasons_of::<S>(row, self.contributions(row))
    }

    /// Returns the score, or the log-odds of boosted trees and linear models, before anything is known of a row: the mean over
    /// training rows, or the log-odds of a row of means.
    pub fn bias(&self) -> f64 {
        self.bias_of(0..self.trees(), self.weight())
    }

    /// The bias of some of the trees, each multiplied by `weight`.
    pub(crate) fn bias_of(&self, trees: Range<usize>, weight: f64) -> f64 {
        let sum: f64 = self.roots(trees).map(|root| self.mean(root)).sum();
        f64::from(self.start()) + sum * weight
    }

    /// The factor of each tree.
    fn weight(&self) -> f64 {
        match self.combination() {
            Combination::MeanOfLeaves => 1.0 / self.trees() as f64,
            Combination::LogisticOfSum { .. } => 1.0,
        }
    }

    /// Returns the nodes that a row passes, from `root` to its leaf; see [`tree_ranges`](Self::tree_ranges).
    pub fn path<'a>(&'a self, root: usize, row: &'a [f32]) -> impl Iterator<Item = usize> + 'a {
        std::iter::successors(Some(root), move |&at| {
            let node = self.node(at);
            let left = row[usize::from(node.column)] <= node.threshold;
            (!node.is_leaf()).then_some(if left { at + 1 } else { node.right as usize })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flat::Slope;
    use crate::samples::{Plane, by_hand};

    #[test]
    fn contributions_of_a_linear_model_by_hand() {
        let slopes = vec![Slope { weight: 2.0, mean: 1.0 }, Slope { weight: -0.5, mean: 4.0 }];
        let model = FlatModel::<Plane>::linear(0.25, slopes).unwrap();
        assert_eq!(model.contributions(&[1.5, 6.0]), [1.0, -1.0]);
        assert_eq!(model.bias(), 0.25);
    }

    #[test]
    fn contributions_by_hand() {
        let model = by_hand(Combination::MeanOfLeaves);
        // Tree 1 for (1, 3): 0.375 → 0.25 by x, → 1 by y. Tree 2: 0.5 → 0.75 by y. Halved over two trees.
        let expected = [(0.25 - 0.375) / 2.0, (1.0 - 0.25 + 0.75 - 0.5) / 2.0];
        assert_eq!(model.contributions(&[1.0, 3.0]), expected);
        let reasons: Vec<_> = model.reasons(&[1.0, 3.0]).iter().map(|(c, v, _)| (c.name, *v)).collect();
        assert_eq!(reasons, [("y", 3.0), ("x", 1.0)]);
        // half of 0.375 + 0.5
        assert!((model.bias() - 0.4375).abs() < 1e-12);
    }
}
