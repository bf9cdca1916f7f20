//! Scoring by models in turn: where the first is sure, the others are not asked.

use std::ops::Range;

use crate::column::Schema;
use crate::contribution::{Reason, reasons_of};
use crate::flat::{Combination, FlatModel};
use crate::matrix::Matrix;

/// How a [mean of models](FlatModel::mean_of) is asked in turn: first one of them alone, and the others only of the rows
/// that it is not sure of. Most rows are clear, and then all models say the same.
///
/// # Source
///
/// Viola and Jones (2001), Rapid Object Detection using a Boosted Cascade of Simple Features, CVPR, section 4,
/// <https://doi.org/10.1109/CVPR.2001.990517>; here rows are let go on both sides.
#[derive(Clone, Copy, Debug)]
pub struct InTurn<'a, S: Schema> {
    model: &'a FlatModel<S>,
    /// Trees of the first model.
    first: usize,
    /// How many models the mean is of.
    models: f32,
    /// Log-odds on either side beyond which the first model is sure.
    sure: f32,
}

impl<'a, S: Schema> InTurn<'a, S> {
    /// Asks a mean of so many models in turn, the first of them being sure beyond log-odds of `sure`.
    ///
    /// The models must have as many trees each, and the same base, which those have that were grown on the same rows with
    /// the same parameters. A mean does not tell what it was made of: of other models what is taken for the first is not
    /// one of them, and what it says where it is sure is only nearly a score.
    ///
    /// `None` where there are no others to ask, or the trees cannot be so many models of equal size.
    pub fn of(model: &'a FlatModel<S>, models: usize, sure: f32) -> Option<Self> {
        let is_boosted = matches!(model.combination(), Combination::LogisticOfSum { .. });
        let divides = models > 1 && model.trees().is_multiple_of(models);
        (is_boosted && divides).then(|| InTurn {
            model,
            first: model.trees() / models,
            models: models as f32,
            sure,
        })
    }

    /// The probability that each row is positive: that of the first model where it is sure, else that of all, which is
    /// what [`FlatModel::score`] says.
    pub fn score(&self, x: &Matrix<S>) -> Vec<f32> {
        let (model, first) = (self.model, self.first);
        let mut sums = vec![model.start(); x.rows()];
        // Rows that are asked twice count once.
        let sorted = model.turns(x.rows(), first);
        match sorted {
            Some([quick, _]) => quick.add_leaves(x.values(), &mut sums),
            None => model.walk(0..first, x, &mut sums),
        }
        let unsure: Vec<usize> = (0..x.rows()).filter(|row| !self.is_sure(sums[*row])).collect();
        let mut of_all: Vec<f32> = unsure.iter().map(|row| sums[*row]).collect();
        let others = x.select(&unsure);
        match sorted.filter(|_| !unsure.is_empty()) {
            Some([_, quick]) => quick.add_leaves(others.values(), &mut of_all),
            None => model.walk(first..model.trees(), &others, &mut of_all),
        }
        let mut scores: Vec<f32> = sums.into_iter().map(|sum| model.finish(self.alone(sum))).collect();
        for (row, sum) in unsure.into_iter().zip(of_all) {
            scores[row] = model.finish(sum);
        }
        scores
    }

    /// The columns that moved the [score](Self::score) of a row, as [`FlatModel::reasons`] names them, for the models
    /// that were asked of it.
    ///
    /// # Panics
    ///
    /// If the row has not as many values as the schema has columns.
    pub fn reasons(&self, row: &[f32]) -> Vec<Reason> {
        let (trees, weight) = self.asked(row);
        reasons_of::<S>(row, self.model.contributions_of(trees, weight, row))
    }

    /// The log-odds, before anything is known of a row, of the models that are asked of it: with the parts of the
    /// [reasons](Self::reasons) added it gives the log-odds of the score.
    ///
    /// # Panics
    ///
    /// If the row has not as many values as the schema has columns.
    pub fn bias(&self, row: &[f32]) -> f64 {
        let (trees, weight) = self.asked(row);
        self.model.bias_of(trees, weight)
    }

    /// The trees that are asked of a row, and what each of them counts for.
    pub(crate) fn asked(&self, row: &[f32]) -> (Range<usize>, f64) {
        assert_eq!(row.len(), S::columns().len(), "a row must be as wide as the schema `{}`", S::NAME);
        if self.is_sure(self.model.sum_of(0..self.first, row)) {
            (0..self.first, f64::from(self.models))
        } else {
            (0..self.model.trees(), 1.0)
        }
    }

    /// Whether the first model is sure, its trees having made this of the start.
    fn is_sure(&self, sum: f32) -> bool {
        self.alone(sum).abs() > self.sure
    }

    /// What the first model says, were it alone.
    fn alone(&self, sum: f32) -> f32 {
        self.model.start() + (sum - self.model.start()) * self.models
    }
}
