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
    fn asked(&self, row: &[f32]) -> (Range<usize>, f64) {
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

    fn log_odds(score: f32) -> f32 {
        (score / (1.0 - score)).ln()
    }

    #[test]
    fn the_others_are_asked_of_what_the_first_is_not_sure_of() {
        let (model, x) = mean();
        let all = model.score(&x);
        for sure in [1.0, 2.0] {
            let scores = InTurn::of(&model, 3, sure).unwrap().score(&x);
            let (clear, unclear): (Vec<usize>, Vec<usize>) =
                (0..x.rows()).partition(|row| log_odds(scores[*row]).abs() > sure + 1e-3);
            assert!(clear.len() > 20 && unclear.len() > 20, "{} {}", clear.len(), unclear.len());
            assert!(unclear.iter().filter(|row| scores[**row] != all[**row]).count() < 7);
            assert!(clear.iter().any(|row| scores[*row] != all[*row]));
            // What one model is sure of the others see as it does.
            assert!(clear.iter().all(|row| (scores[*row] - all[*row]).abs() < 0.2));
        }
        let never_sure = InTurn::of(&model, 3, f32::INFINITY).unwrap();
        assert_eq!(never_sure.score(&x), all);
    }

    #[test]
    fn rows_get_the_same_scores_whether_they_walk_or_the_splits_are_sorted() {
        let (model, x) = mean();
        let bits = |scores: Vec<f32>| scores.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        for sure in [0.0, 1.0, 2.0, f32::INFINITY] {
            let (sorted, walking) = (model.clone(), model.clone());
            let of_all = bits(InTurn::of(&sorted, 3, sure).unwrap().score(&x));
            assert!(sorted.turns(1, 20).is_some());
            // So few rows walk, each first asked of one model, then some of the others.
            let mut from = 0;
            for rows in [0, 3, 20] {
                let some = x.select(&(from..from + rows).collect::<Vec<_>>());
                let scores = bits(InTurn::of(&walking, 3, sure).unwrap().score(&some));
                assert_eq!(scores, of_all[from..from + rows], "{sure} {rows}");
                from += rows;
            }
            assert!(walking.turns(1, 20).is_none());
            let scores = bits(InTurn::of(&walking, 3, sure).unwrap().score(&x));
            assert_eq!(scores, of_all);
            assert!(InTurn::of(&walking, 3, sure).unwrap().score(&Matrix::new()).is_empty());
        }
    }

    #[test]
    fn rows_that_are_asked_twice_count_once() {
        let (model, x) = mean();
        let in_turn = InTurn::of(&model, 3, f32::INFINITY).unwrap();
        let twenty = x.select(&(0..20).collect::<Vec<_>>());
        in_turn.score(&twenty);
        // 20 and 11 rows are not worth sorting the splits for, 20 and 12 are.
        assert!(model.turns(11, 20).is_none());
        assert!(model.turns(1, 20).is_some());
    }

    #[test]
    fn a_model_asked_as_three_and_as_two_answers_as_each() {
        let (model, x) = mean();
        let as_three = InTurn::of(&model, 3, 1.0).unwrap().score(&x);
        let as_two = InTurn::of(&model, 2, 1.0).unwrap().score(&x);
        assert_ne!(as_three, as_two);
        let unasked = mean().0;
        assert_eq!(as_two, InTurn::of(&unasked, 2, 1.0).unwrap().score(&x));
    }

    #[test]
    fn reasons_are_those_of_the_models_that_were_asked() {
        let (model, x) = mean();
        let in_turn = InTurn::of(&model, 3, 2.0).unwrap();
        let mut sure = 0;
        for (row, score) in x.iter().zip(in_turn.score(&x)) {
            let sum = in_turn.bias(row) + in_turn.reasons(row).iter().map(|(.., part)| part).sum::<f64>();
            let explained = 1.0 / (1.0 + (-sum).exp());
            assert!((explained - f64::from(score)).abs() < 1e-5, "{explained} is not {score}");
            if in_turn.asked(row).0.len() == 20 {
                sure += 1;
            } else {
                assert_eq!(in_turn.reasons(row), model.reasons(row));
            }
        }
        assert!((20..x.rows() - 20).contains(&sure), "{sure}");
    }

    #[test]
    fn one_model_has_no_others() {
        let (model, _) = mean();
        assert!(InTurn::of(&model, 1, 1.0).is_none() && InTurn::of(&model, 0, 1.0).is_none());
        assert!(InTurn::of(&model, 7, 1.0).is_none(), "60 trees are no seven models");
    }
}
