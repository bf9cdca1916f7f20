//! Scores rows by several models in turn: the others score only the rows that the first is unsure of.
//!
//! Content is the mean of three models. For .46 to .80 of the blocks of three data sets the first one's log-odds are
//! beyond 4, and then the three agree: within .002 in the mean, .04 at most. To ask all would change the content of 29
//! of 3,752 stored pages; cross-validated text F is the same to three places.

use std::marker::PhantomData;
use std::ops::Range;

use crate::column::Schema;
use crate::flat::{ColumnReason, FlatModel, check_width, reasons_of};
use crate::matrix::Matrix;
use crate::trees::FlatTrees;

/// Scores rows by a [mean of models](FlatModel::mean_of) in turn: the first model scores all rows, the others only those
/// that it is unsure of.
///
/// Most rows are clear cases, on which all models agree.
///
/// # Source
///
/// Viola and Jones (2001), Rapid Object Detection using a Boosted Cascade of Simple Features, CVPR, section 4,
/// <https://doi.org/10.1109/CVPR.2001.990517>; here both classes can be decided early.
///
/// # Panics
///
/// Methods that take a row panic if it is not as wide as the schema.
#[derive(Clone, Copy, Debug)]
pub struct InTurn<'a, S: Schema> {
    trees: &'a FlatTrees,
    first: usize,
    models: f32,
    /// The first model is sure beyond these log-odds, on either side.
    sure: f32,
    schema: PhantomData<S>,
}

impl<'a, S: Schema> InTurn<'a, S> {
    /// Takes a mean of `models` models apart; the first one is sure beyond log-odds of `sure`.
    ///
    /// The models must have the same number of trees and the same base, as those grown on the same rows with the same
    /// parameters have. This is not checked, since a mean does not record its parts: with other models, the scores of
    /// rows that the first is sure of are approximate.
    ///
    /// Returns `None` if `models` is less than 2, or if the trees do not divide into that many models.
    pub fn of(model: &'a FlatModel<S>, models: usize, sure: f32) -> Option<Self> {
        let trees = model.boosted()?;
        let divides = models > 1 && trees.len().is_multiple_of(models);
        divides.then(|| InTurn {
            trees,
            first: trees.len() / models,
            models: models as f32,
            sure,
            schema: PhantomData,
        })
    }

    /// Returns the probability that each row is positive: by the first model if it is sure, otherwise by all, as
    /// [`FlatModel::score`] gives it.
    pub fn score(&self, x: &Matrix<S>) -> Vec<f32> {
        let (trees, first) = (self.trees, self.first);
        let mut sums = vec![trees.start(); x.rows()];
        // Rows that are scored twice count once.
        let sorted = trees.turns(x.rows(), first);
        match sorted {
            Some([quick, _]) => x.in_tiles(&mut sums, |tiles, sums| quick.add_leaves(tiles, sums)),
            None => trees.walk(0..first, x, &mut sums),
        }
        let unsure: Vec<usize> = (0..x.rows()).filter(|row| !self.is_sure(sums[*row])).collect();
        let mut of_all: Vec<f32> = unsure.iter().map(|row| sums[*row]).collect();
        let others = x.select(&unsure);
        match sorted.filter(|_| !unsure.is_empty()) {
            Some([_, quick]) => others.in_tiles(&mut of_all, |tiles, of_all| quick.add_leaves(tiles, of_all)),
            None => trees.walk(first..trees.len(), &others, &mut of_all),
        }
        let mut scores: Vec<f32> = sums.into_iter().map(|sum| trees.finish(self.alone(sum))).collect();
        for (row, sum) in unsure.into_iter().zip(of_all) {
            scores[row] = trees.finish(sum);
        }
        scores
    }

    /// Returns the columns that moved the [score](Self::score) of a row, like [`FlatModel::reasons`], for the models that
    /// scored it.
    pub fn reasons(&self, row: &[f32]) -> Vec<ColumnReason> {
        let (trees, weight) = self.asked(row);
        reasons_of::<S>(row, self.trees.contributions_of(trees, weight, row))
    }

    /// Returns the log-odds, before anything is known of a row, of the models that score it. Together with the parts of
    /// the [reasons](Self::reasons), they are the log-odds of the score.
    pub fn bias(&self, row: &[f32]) -> f64 {
        let (trees, weight) = self.asked(row);
        self.trees.bias_of(trees, weight)
    }

    fn asked(&self, row: &[f32]) -> (Range<usize>, f64) {
        check_width::<S>(row);
        if self.is_sure(self.trees.sum_of(0..self.first, row)) {
            (0..self.first, f64::from(self.models))
        } else {
            (0..self.trees.len(), 1.0)
        }
    }

    fn is_sure(&self, sum: f32) -> bool {
        self.alone(sum).abs() > self.sure
    }

    fn alone(&self, sum: f32) -> f32 {
        self.trees.start() + (sum - self.trees.start()) * self.models
    }
}
