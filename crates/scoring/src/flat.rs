//! The form that every trained model is converted to, and how it scores rows.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::column::Schema;
use crate::matrix::Matrix;
use crate::quick::{Quick, Sorted};

/// Number of rows that walk down a tree together, so that its top stays in the cache.
const BLOCK: usize = 64;

/// How the leaves that a row reaches make its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Combination {
    /// The mean of the leaves, each the share of positives: a tree or a forest.
    MeanOfLeaves,
    /// The logistic function of a sum of log-odds: `base` plus the leaves of boosted trees, or plus what each column
    /// adds in a linear model.
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

    pub(crate) fn of(self, value: f32) -> f64 {
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
    /// Nodes are missing at the end of the last tree.
    #[error("expected {missing} more nodes at the end of the last tree")]
    Unfinished {
        /// Number of missing nodes.
        missing: usize,
    },
    /// A split names a column that the schema does not have.
    #[error("expected a column below {columns}, found `{found}`")]
    Column {
        /// Columns of the schema.
        columns: usize,
        /// The column.
        found: u16,
    },
    /// A threshold is infinite or not a number.
    #[error("expected a finite threshold, found `{found}`")]
    Threshold {
        /// The threshold.
        found: f32,
    },
    /// A leaf is not a share, or the leaves could add up to something infinite.
    #[error("expected leaves that make a score from 0 to 1, found `{found}`")]
    Leaf {
        /// The value of the leaf.
        found: f32,
    },
    /// A linear model has a weight too many or too few, or one that is too large or not a number.
    #[error("expected a finite weight and mean for each of {columns} columns")]
    Slopes {
        /// Columns of the schema.
        columns: usize,
    },
    /// A mean of log-odds was asked of models other than boosted trees.
    #[error("expected boosted trees, found another kind of model")]
    NotBoosted,
    /// There are more nodes than a node can point over.
    #[error("expected at most {limit} nodes")]
    TooManyNodes {
        /// The most nodes a model may have.
        limit: usize,
    },
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
        /// What the tree adds to the score of the rows that end here.
        value: f32,
        /// The number of training rows that ended here.
        cover: u32,
    },
}

/// A split whose left child follows it, or a leaf, which has no right child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The greatest value that goes left; in a leaf, its value.
    pub(crate) threshold: f32,
    /// The place of the right child; 0, the first root, in a leaf.
    pub(crate) right: u32,
    /// The column that is compared.
    pub(crate) column: u16,
}

impl Node {
    pub(crate) const fn is_leaf(self) -> bool {
        self.right == 0
    }
}

/// A trained model, whatever learner made it: trees in one array, or one weight a column.
///
/// A row goes left where its value is at most the threshold. Nodes are in pre-order, so a left child is the next node
/// and children always come later: a walk cannot go round in circles. A linear model has no trees.
///
/// # Units
///
/// Scores are probabilities of the positive class in [0, 1], as the learner estimates them; after balancing
/// they are those of the balanced rows, not of the world.
#[derive(Clone)]
pub struct FlatModel<S> {
    combination: Combination,
    /// One for each column of a linear model; none in a model of trees.
    slopes: Vec<Slope>,
    roots: Vec<u32>,
    nodes: Vec<Node>,
    /// Training rows that passed each node.
    covers: Vec<u32>,
    /// The mean of the leaves below each node, over training rows.
    means: Vec<f32>,
    /// The trees with sorted splits, for scoring many rows.
    sorted: Sorted<Quick>,
    /// The same in two parts, for scoring in turn.
    turns: Sorted<Turns>,
    schema: PhantomData<S>,
}

/// The trees of a model in two parts.
#[derive(Clone, Debug)]
pub(crate) struct Turns {
    /// Trees of the first part.
    pub(crate) first: usize,
    pub(crate) sorted: [Quick; 2],
}

impl<S: Schema> FlatModel<S> {
    /// The most nodes of a model.
    const MAX_NODES: usize = 1 << 28;

    /// Makes a model from the nodes of its trees, one tree after the other.
    ///
    /// # Errors
    ///
    /// [`StructureError`] if the nodes are no whole trees, or a value is out of range.
    pub fn assemble(
        combination: Combination,
        symbols: impl IntoIterator<Item = Symbol>,
    ) -> Result<Self, StructureError> {
        let columns = S::columns().len();
        let (mut roots, mut nodes, mut covers) = (Vec::new(), Vec::new(), Vec::new());
        // Splits without their right child, innermost last; a tree is open until its last leaf.
        let (mut waiting, mut open): (Vec<usize>, bool) = (Vec::new(), false);
        for symbol in symbols {
            if nodes.len() >= Self::MAX_NODES {
                return Err(StructureError::TooManyNodes { limit: Self::MAX_NODES });
            }
            let index = nodes.len();
            if !open {
                roots.push(narrow(index));
                open = true;
            }
            match symbol {
                Symbol::Split { column, threshold } => {
                    if usize::from(column) >= columns {
                        return Err(StructureError::Column { columns, found: column });
                    }
                    if !threshold.is_finite() {
                        return Err(StructureError::Threshold { found: threshold });
                    }
                    waiting.push(index);
                    nodes.push(Node { threshold, right: 0, column });
                    covers.push(0);
                }
                Symbol::Leaf { value, cover } => {
                    nodes.push(Node { threshold: value, right: 0, column: 0 });
                    covers.push(cover);
                    match waiting.pop() {
                        Some(split) => nodes[split].right = narrow(index + 1),
                        None => open = false,
                    }
                }
            }
        }
        if open {
            return Err(StructureError::Unfinished { missing: waiting.len() + 1 });
        }
        if roots.is_empty() {
            return Err(StructureError::NoTrees);
        }
        let mut model = Self { roots, nodes, covers, ..Self::empty(combination) };
        model.check_leaves()?;
        model.means = vec![0.0; model.nodes.len()];
        model.sum_up();
        Ok(model)
    }

    /// Makes a linear model: the log-odds of a row are `base` plus what each column adds.
    ///
    /// # Errors
    ///
    /// [`StructureError`] if there is not one slope a column, or a value is out of range.
    pub fn linear(base: f32, slopes: Vec<Slope>) -> Result<Self, StructureError> {
        let columns = S::columns().len();
        let is_usable = |slope: &Slope| slope.weight.abs() <= Slope::MAX && slope.mean.abs() <= Slope::MAX;
        if columns == 0 || slopes.len() != columns || !slopes.iter().all(is_usable) {
            return Err(StructureError::Slopes { columns });
        }
        let model = Self { slopes, ..Self::empty(Combination::LogisticOfSum { base }) };
        model.check_leaves()?;
        Ok(model)
    }

    /// A model that holds nothing yet.
    fn empty(combination: Combination) -> Self {
        Self {
            combination,
            slopes: Vec::new(),
            roots: Vec::new(),
            nodes: Vec::new(),
            covers: Vec::new(),
            means: Vec::new(),
            sorted: Sorted::default(),
            turns: Sorted::default(),
            schema: PhantomData,
        }
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
            match model.combination {
                Combination::LogisticOfSum { base } if !model.is_linear() => sum += base,
                _ => return Err(StructureError::NotBoosted),
            }
        }
        let symbols = models.iter().flat_map(Self::symbols).map(|symbol| match symbol {
            Symbol::Leaf { value, cover } => Symbol::Leaf { value: value * share, cover },
            split @ Symbol::Split { .. } => split,
        });
        Self::assemble(Combination::LogisticOfSum { base: sum * share }, symbols)
    }

    /// Leaves must be shares, or log-odds whose sum stays finite whatever path is taken.
    fn check_leaves(&self) -> Result<(), StructureError> {
        let leaves = || self.nodes.iter().filter(|node| node.is_leaf()).map(|node| node.threshold);
        match self.combination {
            Combination::MeanOfLeaves => match leaves().find(|leaf| !(0.0..=1.0).contains(leaf)) {
                Some(found) => Err(StructureError::Leaf { found }),
                None => Ok(()),
            },
            Combination::LogisticOfSum { base } => {
                let bound = f32::MAX / 4.0 / (self.roots.len() as f32 + 1.0);
                match leaves().chain([base]).find(|value| value.is_nan() || value.abs() > bound) {
                    Some(found) => Err(StructureError::Leaf { found }),
                    None => Ok(()),
                }
            }
        }
    }

    /// Computes cover and mean of every split from the leaves below, last node first.
    fn sum_up(&mut self) {
        for at in (0..self.nodes.len()).rev() {
            let node = self.nodes[at];
            if node.is_leaf() {
                self.means[at] = node.threshold;
                continue;
            }
            let (left, right) = (at + 1, node.right as usize);
            let (a, b) = (f64::from(self.covers[left]), f64::from(self.covers[right]));
            // Without training rows, as in a tree made by hand, both sides count equally.
            let share = if a + b > 0.0 { a / (a + b) } else { 0.5 };
            let mean = share * f64::from(self.means[left]) + (1.0 - share) * f64::from(self.means[right]);
            #[expect(clippy::cast_possible_truncation, reason = "a mean of f32 values fits, rounded")]
            let mean = mean as f32;
            self.means[at] = mean;
            self.covers[at] = self.covers[left].saturating_add(self.covers[right]);
        }
    }

    /// The same model, with the cover of each leaf counted over these rows.
    #[must_use]
    pub fn covering(mut self, x: &Matrix<S>) -> Self {
        self.covers.fill(0);
        for &root in &self.roots {
            for row in x.iter() {
                let leaf = self.leaf_of(root, row);
                self.covers[leaf] = self.covers[leaf].saturating_add(1);
            }
        }
        self.sum_up();
        self
    }

    /// The node where a row ends that starts at `root`.
    fn leaf_of(&self, root: u32, row: &[f32]) -> usize {
        let mut at = root as usize;
        loop {
            let node = self.nodes[at];
            if node.is_leaf() {
                return at;
            }
            at = if row[usize::from(node.column)] <= node.threshold { at + 1 } else { node.right as usize };
        }
    }

    /// Returns the probability that each row is positive.
    ///
    /// # Shape
    ///
    /// One score for each of the `n` rows.
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
        let mut scores = vec![self.start(); x.rows()];
        if self.is_linear() {
            scores = x.iter().map(|row| self.sum_of(0..0, row)).collect();
        } else if let Some(quick) = self.sorted.get(x.rows(), || self.sort(0..self.trees())) {
            quick.add_leaves(x.values(), &mut scores);
        } else {
            self.walk(0..self.trees(), x, &mut scores);
        }
        for score in &mut scores {
            *score = self.finish(*score);
        }
        scores
    }

    /// The trees sorted in two parts, to score `rows` rows; `None` if walking is faster, or if other parts were asked for
    /// before.
    /// Returns `true` if the splits of the model are sorted for asking it in turn, as they are for many rows.
    #[doc(hidden)]
    pub fn has_turns(&self, rows: usize, first: usize) -> bool {
        self.turns(rows, first).is_some()
    }

    pub(crate) fn turns(&self, rows: usize, first: usize) -> Option<&[Quick; 2]> {
        let sort = || {
            let sorted = [self.sort(0..first)?, self.sort(first..self.trees())?];
            Some(Turns { first, sorted })
        };
        self.turns.get(rows, sort).filter(|turns| turns.first == first).map(|turns| &turns.sorted)
    }

    /// Sorts the splits of some of the trees.
    fn sort(&self, trees: Range<usize>) -> Option<Quick> {
        Quick::of(&self.nodes, self.tree_ranges().skip(trees.start).take(trees.len()))
    }

    /// Adds the leaves of some of the trees that the rows reach to their scores, tree by tree.
    pub(crate) fn walk(&self, trees: Range<usize>, x: &Matrix<S>, scores: &mut [f32]) {
        for (block, scores) in scores.chunks_mut(BLOCK).enumerate() {
            for &root in &self.roots[trees.clone()] {
                for (offset, score) in scores.iter_mut().enumerate() {
                    let leaf = self.leaf_of(root, x.row(block * BLOCK + offset));
                    *score += self.nodes[leaf].threshold;
                }
            }
        }
    }

    /// Returns the probability that one row is positive, equal to that of [`score`](Self::score).
    ///
    /// # Panics
    ///
    /// If the row is not as wide as the schema.
    pub fn score_row(&self, row: &[f32]) -> f32 {
        assert_eq!(row.len(), S::columns().len(), "a row must be as wide as the schema `{}`", S::NAME);
        self.finish(self.sum_of(0..self.trees(), row))
    }

    /// The start plus what some of the trees, or the columns of a linear model, add for one row.
    pub(crate) fn sum_of(&self, trees: Range<usize>, row: &[f32]) -> f32 {
        let of_columns = self.slopes.iter().zip(row).map(|(slope, value)| slope.of(*value));
        let sum = of_columns.fold(f64::from(self.start()), |sum, part| sum + part);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the sum of no columns is exact; others are rounded"
        )]
        let start = sum as f32;
        let leaves = self.roots[trees].iter().map(|&root| self.nodes[self.leaf_of(root, row)].threshold);
        leaves.fold(start, |sum, leaf| sum + leaf)
    }

    /// The sum before any tree or column is added.
    pub(crate) fn start(&self) -> f32 {
        match self.combination {
            Combination::MeanOfLeaves => 0.0,
            Combination::LogisticOfSum { base } => base,
        }
    }

    /// The score of a sum of leaves.
    pub(crate) fn finish(&self, sum: f32) -> f32 {
        match self.combination {
            Combination::MeanOfLeaves => sum / self.roots.len() as f32,
            Combination::LogisticOfSum { .. } => 1.0 / (1.0 + (-sum).exp()),
        }
    }

    /// Returns `true` if this is a linear model, which has no trees.
    pub fn is_linear(&self) -> bool {
        !self.slopes.is_empty()
    }

    /// What each column adds in a linear model; empty for trees.
    pub(crate) fn slopes(&self) -> &[Slope] {
        &self.slopes
    }

    /// Returns how a score is made.
    pub fn combination(&self) -> Combination {
        self.combination
    }

    /// Number of trees, `t`.
    pub fn trees(&self) -> usize {
        self.roots.len()
    }

    /// Number of nodes of all trees, leaves included.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes of all trees in the order that [`assemble`](Self::assemble) takes.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> {
        self.nodes.iter().zip(&self.covers).map(|(node, &cover)| {
            if node.is_leaf() {
                Symbol::Leaf { value: node.threshold, cover }
            } else {
                Symbol::Split { column: node.column, threshold: node.threshold }
            }
        })
    }

    /// The nodes of each tree as a range of indices.
    pub fn tree_ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let ends = self.roots.iter().skip(1).map(|&root| root as usize).chain([self.nodes.len()]);
        self.roots.iter().zip(ends).map(|(&root, end)| root as usize..end)
    }

    /// Returns the column of a split, and the places of its left and right child; `None` for a leaf.
    pub fn split_at(&self, at: usize) -> Option<(usize, usize, usize)> {
        let node = self.nodes[at];
        (!node.is_leaf()).then_some((usize::from(node.column), at + 1, node.right as usize))
    }

    pub(crate) fn node(&self, at: usize) -> Node {
        self.nodes[at]
    }

    pub(crate) fn mean(&self, at: usize) -> f64 {
        f64::from(self.means[at])
    }

    /// The roots of some of the trees.
    pub(crate) fn roots(&self, trees: Range<usize>) -> impl Iterator<Item = usize> {
        self.roots[trees].iter().map(|&root| root as usize)
    }
}

/// A node index as stored: there are at most 2²⁸ nodes.
fn narrow(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

impl<S: Schema> PartialEq for FlatModel<S> {
    fn eq(&self, other: &Self) -> bool {
        self.combination == other.combination
            && self.slopes == other.slopes
            && self.roots == other.roots
            && self.symbols().eq(other.symbols())
    }
}

impl<S: Schema> fmt::Debug for FlatModel<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlatModel")
            .field("schema", &S::NAME)
            .field("combination", &self.combination)
            .field("trees", &self.trees())
            .field("nodes", &self.nodes())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{Plane, by_hand, leaf, split};

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
            let model = FlatModel::<Plane>::assemble(base, trees.into_iter().flatten()).unwrap();
            // At first few rows walk; from some time on the splits are sorted.
            for rows in [&rows[..rows.len() / 2], &rows, &rows, &rows[..rows.len() / 8], &rows[..rows.len().min(1)]] {
                let x = Matrix::from_rows(rows.iter().map(|row| row.map(f32::from))).unwrap();
                let alone: Vec<f32> = x.iter().map(|row| model.score_row(row)).collect();
                proptest::prop_assert_eq!(model.score(&x), alone);
            }
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
        let model = FlatModel::<Plane>::linear(0.25, slopes.clone()).unwrap();
        // 0.25 + 2·(1.5 − 1) − 0.5·(6 − 4) = 0.25; far out, the logistic function ends at 0 and 1.
        let x = Matrix::from_rows([[1.5, 6.0], [1e38, 0.0], [-1e38, 0.0]]).unwrap();
        let expected = [1.0 / (1.0 + (-0.25_f32).exp()), 1.0, 0.0];
        assert_eq!(model.score(&x), expected);
        assert_eq!(x.iter().map(|row| model.score_row(row)).collect::<Vec<_>>(), expected);
        assert_eq!((model.trees(), model.nodes(), model.is_linear()), (0, 0, true));
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
            let error = FlatModel::<Plane>::linear(0.0, slopes).unwrap_err();
            assert_eq!(error, StructureError::Slopes { columns: 2 });
        }
        let error = FlatModel::<Plane>::linear(f32::NAN, vec![slope; 2]).unwrap_err();
        assert!(matches!(error, StructureError::Leaf { .. }), "{error}");
    }

    #[test]
    fn log_odds_are_averaged() {
        let boosted = |base| by_hand(Combination::LogisticOfSum { base });
        let mean = FlatModel::mean_of(&[boosted(-0.75), boosted(0.25)]).unwrap();
        // The trees are the same, so the mean of the bases is all that differs: −0.25 + 0 + 0.75.
        assert!((mean.score_row(&[1.0, 2.0]) - 1.0 / (1.0 + (-0.5_f32).exp())).abs() < 1e-6);
        assert_eq!(mean.trees(), 4);
        assert_eq!(FlatModel::<Plane>::mean_of(&[]), Err(StructureError::NoTrees));
        let forest = by_hand(Combination::MeanOfLeaves);
        assert_eq!(FlatModel::mean_of(&[forest]), Err(StructureError::NotBoosted));
    }

    #[test]
    fn means_weigh_leaves_by_their_rows() {
        let model = by_hand(Combination::MeanOfLeaves);
        // (3 × 0 + 1 × 1) / 4 = 0.25, and (4 × 0.25 + 4 × 0.5) / 8 = 0.375
        for (node, mean) in [(1, 0.25), (0, 0.375), (5, 0.5)] {
            assert!((model.mean(node) - mean).abs() < 1e-12);
        }
    }

    #[test]
    fn broken_trees_are_refused() {
        let assemble =
            |symbols: &[Symbol]| FlatModel::<Plane>::assemble(Combination::MeanOfLeaves, symbols.to_vec());
        assert_eq!(assemble(&[]), Err(StructureError::NoTrees));
        assert_eq!(assemble(&[split(0, 1.0)]), Err(StructureError::Unfinished { missing: 2 }));
        assert_eq!(assemble(&[split(0, 1.0), leaf(0.0, 1)]), Err(StructureError::Unfinished { missing: 1 }));
        let column = assemble(&[split(2, 1.0), leaf(0.0, 1), leaf(0.0, 1)]);
        assert_eq!(column, Err(StructureError::Column { columns: 2, found: 2 }));
        assert!(matches!(assemble(&[split(0, f32::NAN)]), Err(StructureError::Threshold { .. })));
        assert!(matches!(assemble(&[leaf(1.5, 1)]), Err(StructureError::Leaf { .. })));
        let infinite = Combination::LogisticOfSum { base: f32::INFINITY };
        assert!(FlatModel::<Plane>::assemble(infinite, [leaf(0.0, 1)]).is_err());
    }
}
