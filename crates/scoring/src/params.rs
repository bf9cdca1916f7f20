//! The parameters of each learner, and the check that they make sense.
//!
//! Parameters come in two types: plain ones, which anyone may write or read from a file, and checked ones, which
//! learners take.

use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A learner, by name.
///
/// # Source
///
/// Hanamura (2020), section 3.2.4, compares the first three. The others are those of Rust's libraries for learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// A decision tree, by `rafor`.
    Tree,
    /// A random forest, by `rafor`.
    Forest,
    /// Gradient-boosted trees, by this crate.
    Boosted,
    /// A random forest, by `smartcore`.
    SmartcoreForest,
    /// A decision tree, by `linfa-trees`.
    LinfaTree,
    /// A logistic regression, by `linfa-logistic`.
    LinfaLogistic,
}

impl Algorithm {
    /// All learners: those of the thesis in the order of its tables, then those of other libraries.
    pub const ALL: [Self; 6] = [
        Self::Tree,
        Self::Forest,
        Self::Boosted,
        Self::SmartcoreForest,
        Self::LinfaTree,
        Self::LinfaLogistic,
    ];
}

impl Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tree => "tree",
            Self::Forest => "forest",
            Self::Boosted => "boosted",
            Self::SmartcoreForest => "smartcore-forest",
            Self::LinfaTree => "linfa-tree",
            Self::LinfaLogistic => "linfa-logistic",
        })
    }
}

/// A name that belongs to no [`Algorithm`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a learner ({}), found `{found}`", Algorithm::ALL.map(|algorithm| algorithm.to_string()).join(", "))]
pub struct UnknownAlgorithm {
    /// The name.
    pub found: String,
}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|algorithm| algorithm.to_string() == name)
            .ok_or_else(|| UnknownAlgorithm { found: name.to_owned() })
    }
}

/// Parameters that make no sense.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ParamsError {
    /// A count lies outside its bounds.
    #[error("expected `{parameter}` from {low} to {high}, found `{found}`")]
    Count {
        /// The name of the field.
        parameter: &'static str,
        /// The least value.
        low: usize,
        /// The greatest value.
        high: usize,
        /// The value.
        found: usize,
    },
    /// A share is not a number above 0 and up to 1.
    #[error("expected `{parameter}` above 0 and up to 1, found `{found}`")]
    Share {
        /// The name of the field.
        parameter: &'static str,
        /// The value.
        found: f32,
    },
    /// The penalty on large values is not a number from 0 to a million.
    #[error("expected `l2` from 0 to 1000000, found `{found}`")]
    L2 {
        /// The value.
        found: f32,
    },
}

/// Checks that a count is within bounds.
///
/// # Errors
///
/// [`ParamsError::Count`] if it is not.
pub fn within(parameter: &'static str, found: usize, low: usize, high: usize) -> Result<(), ParamsError> {
    if (low..=high).contains(&found) {
        Ok(())
    } else {
        Err(ParamsError::Count { parameter, low, high, found })
    }
}

/// Checks that a share is above 0 and at most 1.
///
/// # Errors
///
/// [`ParamsError::Share`] if it is not.
pub fn share(parameter: &'static str, found: f32) -> Result<(), ParamsError> {
    if found > 0.0 && found <= 1.0 { Ok(()) } else { Err(ParamsError::Share { parameter, found }) }
}

fn l2(found: f32) -> Result<(), ParamsError> {
    if (0.0..=1e6).contains(&found) { Ok(()) } else { Err(ParamsError::L2 { found }) }
}

const MAX_TREES: usize = 100_000;

/// The most leaves of a boosted tree: the trainer keeps histograms for each.
const MAX_BOOSTED_LEAVES: usize = 4_096;

const MAX_STEPS: usize = 1_000_000;

/// Parameters of a decision tree.
///
/// The defaults are those of scikit-learn: the tree grows until its leaves are pure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeParams {
    /// Most splits on the way to a leaf; `None` means no bound.
    pub max_depth: Option<usize>,
    /// Fewest training rows of a leaf.
    pub min_samples_leaf: usize,
    /// Fewest training rows of a node that may be split.
    pub min_samples_split: usize,
}

impl Default for TreeParams {
    fn default() -> Self {
        Self { max_depth: None, min_samples_leaf: 1, min_samples_split: 2 }
    }
}

impl TreeParams {
    /// Checks that every value makes sense.
    ///
    /// # Errors
    ///
    /// [`ParamsError::Count`] for the first value out of bounds.
    pub fn check(&self) -> Result<(), ParamsError> {
        within("max_depth", self.max_depth.unwrap_or(1), 1, usize::MAX)?;
        within("min_samples_leaf", self.min_samples_leaf, 1, usize::MAX / 2)?;
        within("min_samples_split", self.min_samples_split, 2, usize::MAX)?;
        Ok(())
    }
}

/// How many columns, drawn for each split, a tree of a forest may choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnsPerSplit {
    /// The square root of their number, rounded down.
    SquareRoot,
    /// The binary logarithm of their number, rounded down.
    Logarithm,
    /// All of them, which leaves the bootstrap as the only difference between trees.
    All,
    /// This many, or all if there are fewer.
    Count(usize),
}

/// Parameters of a random forest.
///
/// The defaults are those of scikit-learn: 100 full-grown trees, the square root of the columns at each split.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForestParams {
    /// Number of trees.
    pub trees: usize,
    /// Most splits on the way to a leaf; `None` means no bound.
    pub max_depth: Option<usize>,
    /// Fewest distinct training rows of a leaf.
    pub min_samples_leaf: usize,
    /// Fewest distinct training rows of a node that may be split.
    pub min_samples_split: usize,
    /// Columns to choose from at each split.
    pub columns_per_split: ColumnsPerSplit,
}

impl Default for ForestParams {
    fn default() -> Self {
        Self {
            trees: 100,
            max_depth: None,
            min_samples_leaf: 1,
            min_samples_split: 2,
            columns_per_split: ColumnsPerSplit::SquareRoot,
        }
    }
}

impl ForestParams {
    /// Checks that every value makes sense.
    ///
    /// # Errors
    ///
    /// [`ParamsError::Count`] for the first value out of bounds.
    pub fn check(&self) -> Result<(), ParamsError> {
        within("trees", self.trees, 1, MAX_TREES)?;
        within("max_depth", self.max_depth.unwrap_or(1), 1, usize::MAX)?;
        within("min_samples_leaf", self.min_samples_leaf, 1, usize::MAX / 2)?;
        within("min_samples_split", self.min_samples_split, 2, usize::MAX)?;
        if let ColumnsPerSplit::Count(columns) = self.columns_per_split {
            within("columns_per_split", columns, 1, usize::MAX)?;
        }
        Ok(())
    }
}

/// Parameters of gradient-boosted trees.
///
/// The defaults are 200 trees of 16 leaves at a learning rate of 0.1. On generated rows, nearby values did no better.
/// The parameters of each shipped model were chosen by measuring it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoostedParams {
    /// Number of trees.
    pub trees: usize,
    /// Most leaves of a tree.
    pub leaves: usize,
    /// Factor applied to the correction of each tree; above 0, at most 1.
    pub learning_rate: f32,
    /// Fewest training rows of a leaf.
    pub min_leaf_rows: usize,
    /// Constant added to the curvature of a leaf, which pulls its value towards 0; from 0 to a million.
    pub l2: f32,
    /// Share of the columns that a tree may split on, drawn for each tree; above 0, at most 1.
    pub columns_per_tree: f32,
    /// Share of the rows that a tree is grown on, drawn for each tree; above 0, at most 1.
    pub rows_per_tree: f32,
}

impl Default for BoostedParams {
    fn default() -> Self {
        Self {
            trees: 200,
            leaves: 16,
            learning_rate: 0.1,
            min_leaf_rows: 20,
            l2: 1.0,
            columns_per_tree: 1.0,
            rows_per_tree: 1.0,
        }
    }
}

impl BoostedParams {
    /// Checks that every value makes sense.
    ///
    /// # Errors
    ///
    /// * [`ParamsError::Count`] for the first count out of bounds.
    /// * [`ParamsError::Share`] if the learning rate or a share is not above 0 and at most 1.
    /// * [`ParamsError::L2`] if `l2` is negative, too large or not a number.
    pub fn check(&self) -> Result<(), ParamsError> {
        within("trees", self.trees, 1, MAX_TREES)?;
        within("leaves", self.leaves, 2, MAX_BOOSTED_LEAVES)?;
        within("min_leaf_rows", self.min_leaf_rows, 1, usize::MAX / 2)?;
        share("learning_rate", self.learning_rate)?;
        share("columns_per_tree", self.columns_per_tree)?;
        share("rows_per_tree", self.rows_per_tree)?;
        l2(self.l2)
    }
}

/// Parameters of a logistic regression.
///
/// The defaults are those of `linfa-logistic`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogisticParams {
    /// Half the penalty on the sum of the squared weights, each for a column scaled to variance 1; from 0 to a million.
    pub l2: f32,
    /// Most steps of the optimiser.
    pub steps: usize,
}

impl Default for LogisticParams {
    fn default() -> Self {
        Self { l2: 1.0, steps: 100 }
    }
}

impl LogisticParams {
    /// Checks that every value makes sense.
    ///
    /// # Errors
    ///
    /// * [`ParamsError::Count`] if the number of steps is out of bounds.
    /// * [`ParamsError::L2`] if the penalty is negative, too large or not a number.
    pub fn check(&self) -> Result<(), ParamsError> {
        within("steps", self.steps, 1, MAX_STEPS)?;
        l2(self.l2)
    }
}

/// Parameters of any of the learners, as stored in a model file.
///
/// Files number the variants, so new ones go to the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Params {
    /// For [`Algorithm::Tree`].
    Tree(TreeParams),
    /// For [`Algorithm::Forest`].
    Forest(ForestParams),
    /// For [`Algorithm::Boosted`].
    Boosted(BoostedParams),
    /// For [`Algorithm::SmartcoreForest`].
    SmartcoreForest(ForestParams),
    /// For [`Algorithm::LinfaTree`].
    LinfaTree(TreeParams),
    /// For [`Algorithm::LinfaLogistic`].
    LinfaLogistic(LogisticParams),
}

impl Params {
    /// The default parameters of a learner.
    pub fn of(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Tree => Self::Tree(TreeParams::default()),
            Algorithm::Forest => Self::Forest(ForestParams::default()),
            Algorithm::Boosted => Self::Boosted(BoostedParams::default()),
            Algorithm::SmartcoreForest => Self::SmartcoreForest(ForestParams::default()),
            Algorithm::LinfaTree => Self::LinfaTree(TreeParams::default()),
            Algorithm::LinfaLogistic => Self::LinfaLogistic(LogisticParams::default()),
        }
    }

    /// The learner that these parameters are for.
    pub fn algorithm(&self) -> Algorithm {
        match self {
            Self::Tree(_) => Algorithm::Tree,
            Self::Forest(_) => Algorithm::Forest,
            Self::Boosted(_) => Algorithm::Boosted,
            Self::SmartcoreForest(_) => Algorithm::SmartcoreForest,
            Self::LinfaTree(_) => Algorithm::LinfaTree,
            Self::LinfaLogistic(_) => Algorithm::LinfaLogistic,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for algorithm in Algorithm::ALL {
            assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
            assert_eq!(Params::of(algorithm).algorithm(), algorithm);
        }
        let error = "Forest".parse::<Algorithm>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected a learner (tree, forest, boosted, smartcore-forest, linfa-tree, linfa-logistic), found `Forest`"
        );
    }

    #[test]
    fn defaults_are_sensible() {
        TreeParams::default().check().unwrap();
        ForestParams::default().check().unwrap();
        BoostedParams::default().check().unwrap();
        LogisticParams::default().check().unwrap();
    }

    #[test]
    fn senseless_values_are_refused_with_their_bounds() {
        let error = ForestParams { trees: 0, ..ForestParams::default() }.check().unwrap_err();
        assert_eq!(error.to_string(), "expected `trees` from 1 to 100000, found `0`");
        let error =
            BoostedParams { learning_rate: f32::NAN, ..BoostedParams::default() }.check().unwrap_err();
        assert_eq!(error.to_string(), "expected `learning_rate` above 0 and up to 1, found `NaN`");
        TreeParams { min_samples_leaf: 0, ..TreeParams::default() }.check().unwrap_err();
        let columns_per_split = ColumnsPerSplit::Count(0);
        ForestParams { columns_per_split, ..ForestParams::default() }.check().unwrap_err();
        BoostedParams { leaves: 1, ..BoostedParams::default() }.check().unwrap_err();
        LogisticParams { l2: -1.0, ..LogisticParams::default() }.check().unwrap_err();
        LogisticParams { steps: 0, ..LogisticParams::default() }.check().unwrap_err();
    }
}
