//! Scoring by models in turn: where the first is sure, the others are not asked.

use std::ops::Range;

use crate::column::Schema;
use crate::flat::{Combination, FlatModel};
use crate::matrix::Matrix;
use crate::quick::{Quick, Sorted};

/// How a [mean of models](FlatModel::mean_of) is asked in turn: first one of them alone, and the others only of the rows
/// that it is not sure of. Most rows are clear, and then all models say the same.
///
/// # Source
///
/// Viola and Jones (2001), Rapid Object Detection using a Boosted Cascade of Simple Features, CVPR, section 4,
/// <https://doi.org/10.1109/CVPR.2001.990517>; here rows are let go on both sides.
#[derive(Clone, Debug)]
pub struct InTurn {
    /// Trees of the first model.
    first: usize,
    /// How many models the mean is of.
    models: f32,
    /// Log-odds on either side beyond which the first model is sure.
    sure: f32,
    /// The sorted splits of the first model, and of the others.
    sorted: Sorted<[Quick; 2]>,
}

impl InTurn {
    /// Asks a mean of so many models of equal size in turn, the first of them being sure beyond log-odds of `sure`.
    ///
    /// `None` where there are no others to ask, or the model is no such mean.
    pub fn of<S: Schema>(model: &FlatModel<S>, models: usize, sure: f32) -> Option<InTurn> {
        let is_boosted = matches!(model.combination(), Combination::LogisticOfSum { .. });
        let divides = models > 1 && model.trees().is_multiple_of(models);
        (is_boosted && divides).then(|| InTurn {
            first: model.trees() / models,
            models: models as f32,
            sure,
            sorted: Sorted::default(),
        })
    }

    /// The probability that each row is positive, by `model`, which must be the one that this was made for: that of the
    /// first model where it is sure, else that of all, which is what [`FlatModel::score`] says.
    pub fn score<S: Schema>(&self, model: &FlatModel<S>, x: &Matrix<S>) -> Vec<f32> {
        let mut sums = vec![model.start(); x.rows()];
        self.add(0, model, x, &mut sums);
        // What the first model says, were it alone.
        let alone = |sum: f32| model.start() + (sum - model.start()) * self.models;
        let unsure: Vec<usize> = (0..x.rows()).filter(|row| alone(sums[*row]).abs() <= self.sure).collect();
        let mut of_all: Vec<f32> = unsure.iter().map(|row| sums[*row]).collect();
        self.add(1, model, &x.select(&unsure), &mut of_all);
        let mut scores: Vec<f32> = sums.into_iter().map(|sum| model.finish(alone(sum))).collect();
        for (row, sum) in unsure.into_iter().zip(of_all) {
            scores[row] = model.finish(sum);
        }
        scores
    }

    /// Adds the leaves of the first model, or of the others, to the sums of the rows.
    fn add<S: Schema>(&self, turn: usize, model: &FlatModel<S>, x: &Matrix<S>, sums: &mut [f32]) {
        let trees =
            |turn: usize| -> Range<usize> { [0..self.first, self.first..model.trees()][turn].clone() };
        let sort = || Some([model.sort(trees(0))?, model.sort(trees(1))?]);
        match self.sorted.get(x.rows(), sort) {
            Some(sorted) => sorted[turn].add_leaves(x.values(), sums),
            None => model.walk(trees(turn), x, sums),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::Mixed;
    use crate::{BoostedParams, boost};

    /// The mean of three models, and rows.
    fn mean() -> (FlatModel<Mixed>, Matrix<Mixed>) {
        let rows = crate::samples::mixed(600, 3);
        let targets: Vec<f32> = rows.y().iter().map(|label| f32::from(u8::from(*label))).collect();
        let params = BoostedParams { trees: 20, leaves: 8, ..BoostedParams::default() };
        let fit = |seed| boost(&params, rows.x(), &targets, None, seed).unwrap();
        (FlatModel::mean_of(&[fit(1), fit(2), fit(3)]).unwrap(), rows.x().clone())
    }

    #[test]
    fn the_others_are_asked_of_what_the_first_is_not_sure_of() {
        let (model, x) = mean();
        let log_odds = |score: &f32| (score / (1.0 - score)).ln();
        let all = model.score(&x);
        for sure in [1.0, 2.0] {
            let in_turn = InTurn::of(&model, 3, sure).unwrap();
            for rows in [600, 40, 3, 0] {
                let some = x.select(&(0..rows).collect::<Vec<_>>());
                let scores = in_turn.score(&model, &some);
                let (clear, unclear): (Vec<usize>, Vec<usize>) =
                    (0..rows).partition(|row| log_odds(&scores[*row]).abs() > sure + 1e-3);
                assert!(
                    rows < 600 || (clear.len() > 20 && unclear.len() > 20),
                    "{} {}",
                    clear.len(),
                    unclear.len()
                );
                assert!(unclear.iter().filter(|row| scores[**row] != all[**row]).count() < 1 + rows / 100);
                assert!(clear.iter().any(|row| scores[*row] != all[*row]) || rows < 600);
                // What one model is sure of the others see as it does.
                assert!(clear.iter().all(|row| (scores[*row] - all[*row]).abs() < 0.2));
            }
        }
        let never_sure = InTurn::of(&model, 3, f32::INFINITY).unwrap();
        assert_eq!(never_sure.score(&model, &x), all);
    }

    #[test]
    fn one_model_has_no_others() {
        let (model, _) = mean();
        assert!(InTurn::of(&model, 1, 1.0).is_none() && InTurn::of(&model, 0, 1.0).is_none());
        assert!(InTurn::of(&model, 7, 1.0).is_none(), "60 trees are no seven models");
    }
}
