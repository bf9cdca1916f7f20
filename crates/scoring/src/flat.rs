//! The form that every trained model is converted to, and how it scores rows.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::column::{Column, Schema};
use crate::matrix::Matrix;
use crate::trees::FlatTrees;

/// How the leaves that a row reaches make its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Combination {
    /// The mean of the leaves, each the share of positives: a tree or a forest.
    MeanOfLeaves,
    /// The logistic function of a sum of log-odds: `base` plus the leaves of boosted trees, or plus the part of each
    /// column in a linear model.
    LogisticOfSum {
        /// The log-odds before trees or columns are added.
        base: f32,
    },
}

/// The part of one column in a linear model: it adds `weight · (value − mean)` to the log-odds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slope {
    /// Log-odds for each unit of the column.
    pub weight: f64,
    /// The mean of the column over the training rows, which adds nothing.
    pub mean: f64,
}

impl Slope {
    /// The greatest magnitude of weight and mean: sums over all columns stay finite.
    const MAX: f64 = 1e100;

    fn is_usable(&self) -> bool {
        self.weight.abs() <= Slope::MAX && self.mean.abs() <= Slope::MAX
    }

    fn of(self, value: f32) -> f64 {
        self.weight * (f64::from(value) - self.mean)
    }
}

/// Why trees or weights do not make a model.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StructureError {
    /// There is no tree.
    #[error("expected at least one tree, found none")]
    NoTrees,
    /// This many nodes are missing at the end of the last tree.
    #[error("expected {0} more nodes at the end of the last tree")]
    Unfinished(usize),
    /// A split names a column that the schema does not have.
    #[error("expected a column below {columns}, found `{found}`")]
    Column {
        /// Columns of the schema.
        columns: usize,
        /// The column.
        found: u16,
    },
    /// A threshold is infinite or not a number.
    #[error("expected a finite threshold, found `{0}`")]
    Threshold(f32),
    /// A leaf is not a share, or the leaves could add up to something infinite.
    #[error("expected leaves that make a score from 0 to 1, found `{0}`")]
    Leaf(f32),
    /// A linear model of this many columns has a weight too many or too few, or one that is too large or not a number.
    #[error("expected a finite weight and mean for each of {0} columns")]
    Slopes(usize),
    /// A mean of log-odds was asked of models other than boosted trees.
    #[error("expected boosted trees, found another kind of model")]
    NotBoosted,
    /// There are more nodes than this.
    #[error("expected at most {0} nodes")]
    TooManyNodes(usize),
}

/// One node of a tree in pre-order: node, left subtree, right subtree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Symbol {
    /// Rows with a value up to the threshold go left.
    Split {
        /// The column that is compared.
        column: u16,
        /// The greatest value that goes left.
        threshold: f32,
    },
    /// The end of a path.
    Leaf {
        /// The part of the tree in the score of the rows that end here.
        value: f32,
        /// The number of training rows that ended here.
        cover: u32,
    },
}

/// A trained model, whatever learner made it: trees in one array, or one weight a column.
///
/// A row goes left where its value is at most the threshold. Nodes are in pre-order, so a left child is the next node
/// and children always come later: a walk cannot go round in circles.
///
/// # Units
///
/// Scores are probabilities of the positive class in [0, 1], as the learner estimates them; after balancing
/// they are those of the balanced rows, not of the world.
///
/// # Panics
///
/// Methods that take a row panic if it is not as wide as the schema.
#[derive(Clone)]
pub struct FlatModel<S> {
    form: ModelForm,
    schema: PhantomData<S>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ModelForm {
    Trees(Box<FlatTrees>),
    Slopes(SlopeSum),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SlopeSum {
    pub(crate) base: f32,
    pub(crate) slopes: Vec<Slope>,
}

impl SlopeSum {
    fn parts(&self, row: &[f32]) -> impl Iterator<Item = f64> {
        self.slopes.iter().zip(row).map(|(slope, value)| slope.of(*value))
    }

    fn score(&self, row: &[f32]) -> f32 {
        #[expect(clippy::cast_possible_truncation, reason = "log-odds are rounded")]
        let sum = self.parts(row).fold(f64::from(self.base), |sum, part| sum + part) as f32;
        logistic(sum)
    }
}

pub(crate) fn logistic(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

impl<S: Schema> FlatModel<S> {
    /// Makes a model from the nodes of its trees, one tree after the other.
    ///
    /// # Errors
    ///
    /// [`StructureError`] if the nodes are no whole trees, or a value is out of range.
    pub fn assemble(
        combination: Combination,
        symbols: impl IntoIterator<Item = Symbol>,
    ) -> Result<Self, StructureError> {
        let trees = FlatTrees::assemble(S::columns().len(), combination, symbols)?;
        Ok(Self { form: ModelForm::Trees(Box::new(trees)), schema: PhantomData })
    }

    /// Makes a linear model: the log-odds of a row are `base` plus the part of each column.
    ///
    /// # Errors
    ///
    /// [`StructureError`] if there is not one slope a column, or a value is out of range.
    pub fn linear(base: f32, slopes: Vec<Slope>) -> Result<Self, StructureError> {
        let columns = S::columns().len();
        if columns == 0 || slopes.len() != columns || !slopes.iter().all(Slope::is_usable) {
            return Err(StructureError::Slopes(columns));
        }
        if base.is_nan() || base.abs() > f32::MAX / 4.0 {
            return Err(StructureError::Leaf(base));
        }
        Ok(Self { form: ModelForm::Slopes(SlopeSum { base, slopes }), schema: PhantomData })
    }

    /// Returns one model whose log-odds are the mean of those of several boosted ones.
    ///
    /// Trees grown on different draws of rows and columns make different mistakes.
    ///
    /// # Errors
    ///
    /// [`StructureError`] if there is no model, or one is not boosted.
    ///
    /// # Source
    ///
    /// Breiman (1996), Bagging Predictors, Machine Learning 24, 123–140, <https://doi.org/10.1007/BF00058655>.
    pub fn mean_of(models: &[Self]) -> Result<Self, StructureError> {
        let share = 1.0 / models.len().max(1) as f32;
        let mut sum = 0.0;
        for model in models {
            sum += model.boosted().ok_or(StructureError::NotBoosted)?.start();
        }
        let symbols = models.iter().flat_map(Self::symbols).map(|symbol| match symbol {
            Symbol::Leaf { value, cover } => Symbol::Leaf { value: value * share, cover },
            split @ Symbol::Split { .. } => split,
        });
        Self::assemble(Combination::LogisticOfSum { base: sum * share }, symbols)
    }

    /// Returns the same model, with the cover of each leaf counted over these rows.
    #[must_use]
    pub fn covering(mut self, x: &Matrix<S>) -> Self {
        if let ModelForm::Trees(trees) = &mut self.form {
            trees.cover(x);
        }
        self
    }

    /// Returns the probability that each of the `n` rows is positive.
    ///
    /// # Determinism
    ///
    /// Trees are added in order, in `f32`, so that the result equals the training library's bit for bit and
    /// follows any permutation of the rows.
    ///
    /// # Cost
    ///
    /// `O(n·t·depth)` for `t` trees if few rows have been scored, or if a tree has more than 32 leaves. Otherwise the `s`
    /// splits are sorted once, in `O(s·log s)`, and rows are scored in `O(n·(s + t))` at most: the splits of a column are
    /// visited only up to the first threshold that no row exceeds. A linear model takes `O(n·d)`.
    pub fn score(&self, x: &Matrix<S>) -> Vec<f32> {
        match &self.form {
            ModelForm::Trees(trees) => trees.score(x),
            ModelForm::Slopes(sum) => x.iter().map(|row| sum.score(row)).collect(),
        }
    }

    /// Returns the probability that one row is positive, equal to that of [`score`](Self::score).
    pub fn score_row(&self, row: &[f32]) -> f32 {
        check_width::<S>(row);
        match &self.form {
            ModelForm::Trees(trees) => trees.finish(trees.sum_of(0..trees.len(), row)),
            ModelForm::Slopes(sum) => sum.score(row),
        }
    }

    /// Returns the part of each of the `d` columns in the score of a row.
    ///
    /// On its way down a tree a row passes nodes whose mean, over the training rows that passed them too, changes
    /// with every split. Each change is attributed to the column of the split. The [`bias`](Self::bias) plus all changes
    /// is the score. In a linear model a column adds its weight times the distance of its value from its mean.
    ///
    /// # Units
    ///
    /// For a tree or a forest, score: `bias + Σ contributions = score` up to 10⁻⁵, since the score is summed in
    /// `f32` and this in `f64`. For boosted trees and linear models, log-odds: the logistic function of the sum is the
    /// score.
    ///
    /// # Source
    ///
    /// Saabas (2014), Interpreting random forests, and Palczewska, Palczewski, Marchese Robinson & Neagu (2014),
    /// Interpreting Random Forest Classification Models Using a Feature Contribution Method,
    /// <https://arxiv.org/abs/1312.1121>.
    ///
    /// DIFFERENCE: means are taken over all training rows, not over each tree's bootstrap sample.
    pub fn contributions(&self, row: &[f32]) -> Vec<f64> {
        check_width::<S>(row);
        match &self.form {
            ModelForm::Trees(trees) => trees.contributions_of(0..trees.len(), trees.weight(), row),
            ModelForm::Slopes(sum) => sum.parts(row).collect(),
        }
    }

    /// Returns the columns that moved the score of a row, each with its value and its
    /// [contribution](Self::contributions), the greatest first.
    pub fn reasons(&self, row: &[f32]) -> Vec<ColumnReason> {
        reasons_of::<S>(row, self.contributions(row))
    }

    /// Returns the score, or the log-odds of boosted trees and linear models, before anything is known of a row: the mean over
    /// training rows, or the log-odds of a row of means.
    pub fn bias(&self) -> f64 {
        match &self.form {
            ModelForm::Trees(trees) => trees.bias_of(0..trees.len(), trees.weight()),
            ModelForm::Slopes(sum) => f64::from(sum.base),
        }
    }

    pub(crate) fn form(&self) -> &ModelForm {
        &self.form
    }

    pub(crate) fn grown(&self) -> Option<&FlatTrees> {
        match &self.form {
            ModelForm::Trees(trees) => Some(&**trees),
            ModelForm::Slopes(_) => None,
        }
    }

    pub(crate) fn boosted(&self) -> Option<&FlatTrees> {
        self.grown().filter(|trees| matches!(trees.combination(), Combination::LogisticOfSum { .. }))
    }

    /// Returns `true` if this is a linear model, which has no trees.
    pub fn is_linear(&self) -> bool {
        self.grown().is_none()
    }

    /// Returns how a score is made.
    pub fn combination(&self) -> Combination {
        match &self.form {
            ModelForm::Trees(trees) => trees.combination(),
            ModelForm::Slopes(sum) => Combination::LogisticOfSum { base: sum.base },
        }
    }

    /// Returns the number of trees, `t`.
    pub fn trees(&self) -> usize {
        self.grown().map_or(0, FlatTrees::len)
    }

    /// Returns the number of nodes of all trees, leaves included.
    pub fn nodes(&self) -> usize {
        self.grown().map_or(0, FlatTrees::nodes)
    }

    /// Returns the nodes of all trees in the order that [`assemble`](Self::assemble) takes.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> {
        self.grown().into_iter().flat_map(FlatTrees::symbols)
    }

    /// Returns the nodes of each tree as a range of indices.
    pub fn tree_ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.grown().into_iter().flat_map(FlatTrees::ranges)
    }

    /// Returns the column of a split, and the places of its left and right child; `None` for a leaf.
    pub fn split_at(&self, at: usize) -> Option<(usize, usize, usize)> {
        self.grown()?.split_at(at)
    }

    /// Returns the nodes that a row passes, from `root` to its leaf; see [`tree_ranges`](Self::tree_ranges).
    pub fn path<'a>(&'a self, root: usize, row: &'a [f32]) -> impl Iterator<Item = usize> + 'a {
        self.grown().into_iter().flat_map(move |trees| trees.path(root, row))
    }

    /// Returns `true` if the splits of the model are sorted for asking it in turn, as they are for many rows.
    #[doc(hidden)]
    pub fn has_turns(&self, rows: usize, first: usize) -> bool {
        self.grown().is_some_and(|trees| trees.turns(rows, first).is_some())
    }
}

/// A column, its value, and its part in the score or its log-odds.
pub(crate) type ColumnReason = (&'static Column, f32, f64);

/// Returns the columns that moved a score, the greatest part first.
pub(crate) fn reasons_of<S: Schema>(row: &[f32], contributions: Vec<f64>) -> Vec<ColumnReason> {
    let columns = S::columns().iter().zip(row).zip(contributions);
    let moved = columns.filter(|(_, part)| *part != 0.0);
    let mut reasons: Vec<_> = moved.map(|((column, value), part)| (column, *value, part)).collect();
    reasons.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
    reasons
}

pub(crate) fn check_width<S: Schema>(row: &[f32]) {
    assert_eq!(row.len(), S::columns().len(), "a row must be as wide as the schema `{}`", S::NAME);
}

impl<S: Schema> PartialEq for FlatModel<S> {
    fn eq(&self, other: &Self) -> bool {
        self.form == other.form
    }
}

impl<S: Schema> fmt::Debug for FlatModel<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlatModel").field("schema", &S::NAME).field("form", &self.form).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{TwoColumns, by_hand, leaf, split};

    #[test]
    fn leaves_are_averaged_and_thresholds_go_left() {
        let model = by_hand(Combination::MeanOfLeaves);
        let x = Matrix::from_rows([[1.0, 2.0], [1.0, 3.0], [1.5, -1.0]]).unwrap();
        // (0 + 0.75) / 2, (1 + 0.75) / 2, (0.5 + 0.25) / 2
        assert_eq!(model.score(&x), [0.375, 0.875, 0.375]);
        assert_eq!((model.trees(), model.nodes()), (2, 8));
    }

    proptest::proptest! {
        #[test]
        fn many_rows_get_the_scores_that_each_gets_alone(
            trees in proptest::collection::vec(tree(), 1..6),
            rows in proptest::collection::vec([-1..6_i8, -1..6_i8], 0..50),
        ) {
            let base = Combination::LogisticOfSum { base: 0.5 };
            let model = FlatModel::<TwoColumns>::assemble(base, trees.into_iter().flatten()).unwrap();
            // At first few rows walk; from some time on the splits are sorted.
            for rows in [&rows[..rows.len() / 2], &rows, &rows, &rows[..rows.len() / 8], &rows[..rows.len().min(1)]] {
                let x = Matrix::from_rows(rows.iter().map(|row| row.map(f32::from))).unwrap();
                let alone: Vec<f32> = x.iter().map(|row| model.score_row(row)).collect();
                proptest::prop_assert_eq!(model.score(&x), alone);
            }
        }
    }

    #[test]
    fn rows_that_come_later_and_many_rows_are_scored_too() {
        let model = by_hand(Combination::MeanOfLeaves);
        let row = |at: u16| [f32::from(at % 7) / 2.0, f32::from(at % 5)];
        let mut x = Matrix::<TwoColumns>::new();
        for (from, to) in [(0, 1), (1, 40), (40, 4096), (4096, 9000)] {
            let later = Matrix::from_rows((from..to).map(row)).unwrap();
            if from < 40 {
                later.iter().for_each(|row| x.push(row).unwrap());
            } else {
                x.append(&later);
            }
            let alone: Vec<f32> = x.iter().map(|row| model.score_row(row)).collect();
            assert!(model.score(&x) == alone, "{to} rows");
        }
    }

    /// Any tree of up to 40 leaves: beyond 32 rows walk.
    fn tree() -> impl proptest::strategy::Strategy<Value = Vec<Symbol>> {
        use proptest::strategy::Strategy;
        proptest::collection::vec((0..40_usize, 0..2_u16, -1..6_i8), 0..40).prop_map(|splits| {
            let mut symbols = vec![leaf(0.1, 1)];
            for (number, (place, column, threshold)) in splits.into_iter().enumerate() {
                let leaves: Vec<usize> =
                    (0..symbols.len()).filter(|at| matches!(symbols[*at], Symbol::Leaf { .. })).collect();
                let at = leaves[place % leaves.len()];
                let value = f32::from(u8::try_from(number).unwrap()) / 7.0;
                symbols
                    .splice(at..=at, [split(column, f32::from(threshold)), leaf(value, 1), leaf(-value, 1)]);
            }
            symbols
        })
    }

    #[test]
    fn boosted_leaves_add_up_to_log_odds() {
        let model = by_hand(Combination::LogisticOfSum { base: -0.75 });
        // −0.75 + 0 + 0.75 = 0, and the logistic function of 0 is a half
        assert!((model.score_row(&[1.0, 2.0]) - 0.5).abs() < f32::EPSILON);
    }

    #[test]
    fn columns_of_a_linear_model_add_log_odds() {
        let slopes = vec![Slope { weight: 2.0, mean: 1.0 }, Slope { weight: -0.5, mean: 4.0 }];
        let model = FlatModel::<TwoColumns>::linear(0.25, slopes.clone()).unwrap();
        // 0.25 + 2·(1.5 − 1) − 0.5·(6 − 4) = 0.25; far out, the logistic function ends at 0 and 1.
        let x = Matrix::from_rows([[1.5, 6.0], [1e38, 0.0], [-1e38, 0.0]]).unwrap();
        let expected = [1.0 / (1.0 + (-0.25_f32).exp()), 1.0, 0.0];
        assert_eq!(model.score(&x), expected);
        assert_eq!(x.iter().map(|row| model.score_row(row)).collect::<Vec<_>>(), expected);
        assert_eq!((model.trees(), model.nodes(), model.is_linear()), (0, 0, true));
        assert_eq!((model.contributions(&[1.5, 6.0]), model.bias()), (vec![1.0, -1.0], 0.25));
        assert_ne!(model, FlatModel::linear(0.25, vec![slopes[0]; 2]).unwrap());
        assert_eq!(FlatModel::mean_of(&[model]), Err(StructureError::NotBoosted));
    }

    #[test]
    fn unusable_weights_are_refused() {
        let slope = Slope { weight: 1.0, mean: 0.0 };
        for slopes in [
            vec![],
            vec![slope],
            vec![slope; 3],
            vec![slope, Slope { weight: f64::NAN, ..slope }],
            vec![slope, Slope { mean: f64::INFINITY, ..slope }],
            vec![slope, Slope { weight: -1e200, ..slope }],
        ] {
            let error = FlatModel::<TwoColumns>::linear(0.0, slopes).unwrap_err();
            assert_eq!(error, StructureError::Slopes(2));
        }
        let error = FlatModel::<TwoColumns>::linear(f32::NAN, vec![slope; 2]).unwrap_err();
        assert!(matches!(error, StructureError::Leaf(_)), "{error}");
    }

    #[test]
    fn log_odds_are_averaged() {
        let boosted = |base| by_hand(Combination::LogisticOfSum { base });
        let mean = FlatModel::mean_of(&[boosted(-0.75), boosted(0.25)]).unwrap();
        // The trees are the same, so the mean of the bases is all that differs: −0.25 + 0 + 0.75.
        assert!((mean.score_row(&[1.0, 2.0]) - 1.0 / (1.0 + (-0.5_f32).exp())).abs() < 1e-6);
        assert_eq!(mean.trees(), 4);
        assert_eq!(FlatModel::<TwoColumns>::mean_of(&[]), Err(StructureError::NoTrees));
        let forest = by_hand(Combination::MeanOfLeaves);
        assert_eq!(FlatModel::mean_of(&[forest]), Err(StructureError::NotBoosted));
    }

    #[test]
    fn means_weigh_leaves_by_their_rows() {
        let model = by_hand(Combination::MeanOfLeaves);
        // (3 × 0 + 1 × 1) / 4 = 0.25, and (4 × 0.25 + 4 × 0.5) / 8 = 0.375
        for (node, mean) in [(1, 0.25), (0, 0.375), (5, 0.5)] {
            assert!((model.grown().unwrap().mean(node) - mean).abs() < 1e-12);
        }
    }

    #[test]
    fn broken_trees_are_refused() {
        let assemble = |symbols: &[Symbol]| {
            FlatModel::<TwoColumns>::assemble(Combination::MeanOfLeaves, symbols.to_vec())
        };
        assert_eq!(assemble(&[]), Err(StructureError::NoTrees));
        assert_eq!(assemble(&[split(0, 1.0)]), Err(StructureError::Unfinished(2)));
        assert_eq!(assemble(&[split(0, 1.0), leaf(0.0, 1)]), Err(StructureError::Unfinished(1)));
        let column = assemble(&[split(2, 1.0), leaf(0.0, 1), leaf(0.0, 1)]);
        assert_eq!(column, Err(StructureError::Column { columns: 2, found: 2 }));
        assert!(matches!(assemble(&[split(0, f32::NAN)]), Err(StructureError::Threshold(_))));
        assert!(matches!(assemble(&[leaf(1.5, 1)]), Err(StructureError::Leaf(_))));
        let infinite = Combination::LogisticOfSum { base: f32::INFINITY };
        assert!(FlatModel::<TwoColumns>::assemble(infinite, [leaf(0.0, 1)]).is_err());
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
