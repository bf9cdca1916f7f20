//! A random forest, grown by `smartcore`: the score of a row is the share of trees that vote for the positive class.
//!
//! Each bootstrap sample holds as many rows of each class as there are. A row counts towards the limits of nodes and leaves as
//! often as it was drawn. Trees are private to the library, but the forest can be serialised, so they are read from there.
//! Cost: `O(t·√d·n·nodes)`, as every node looks at all `n` rows.
//!
//! # Source
//!
//! Breiman (2001), Random Forests, Machine Learning 45, 5–32, <https://doi.org/10.1023/A:1010933404324>.

use super::fit::{FitError, LibraryAnswers, model_of_trees, refused};
use super::labelled_rows::LabelledRows;
use serde::Deserialize;
use smartcore::ensemble::random_forest_classifier::{
    RandomForestClassifier, RandomForestClassifierParameters,
};
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::tree::decision_tree_classifier::DecisionTreeClassifierParameters;
use tsugi_scoring::{ColumnsPerSplit, FlatModel, ForestParams, Schema, Symbol, within};

const LIBRARY: &str = "smartcore";

pub(crate) fn fit<S: Schema>(
    params: &ForestParams,
    rows: &LabelledRows<S>,
    seed: u64,
) -> Result<FlatModel<S>, FitError> {
    let columns = S::columns().len();
    within("trees", params.trees, 1, u16::MAX.into())?;
    // The library counts the nodes on the way to a leaf.
    let levels = params.max_depth.map_or(usize::MAX, |splits| splits.saturating_add(1));
    let params = RandomForestClassifierParameters::default()
        .with_n_trees(u16::try_from(params.trees).unwrap_or(u16::MAX))
        .with_max_depth(u16::try_from(levels).unwrap_or(u16::MAX))
        .with_min_samples_leaf(params.min_samples_leaf)
        .with_min_samples_split(params.min_samples_split)
        .with_m(columns_per_split(params.columns_per_split, columns))
        .with_seed(seed);
    let x = DenseMatrix::new(rows.x().rows(), columns, rows.x().values().to_vec(), false)
        .map_err(refused(LIBRARY))?;
    let y: Vec<u32> = rows.y().iter().map(|&label| label.into()).collect();
    let trained = RandomForestClassifier::fit(&x, &y, params).map_err(refused(LIBRARY))?;

    let unreadable = |source| FitError::Unreadable { library: LIBRARY, source };
    let bytes = postcard::to_stdvec(&trained).map_err(unreadable)?;
    let forest: Forest = postcard::from_bytes(&bytes).map_err(unreadable)?;
    model_of_trees(rows, forest.symbols()?, || {
        let labels = trained.predict(&x).map_err(refused(LIBRARY))?;
        Ok(LibraryAnswers::Labels(labels.into_iter().map(|label| label == 1).collect()))
    })
}

fn columns_per_split(choice: ColumnsPerSplit, columns: usize) -> usize {
    match choice {
        ColumnsPerSplit::SquareRoot => columns.isqrt(),
        ColumnsPerSplit::Logarithm => columns.ilog2().max(1) as usize,
        ColumnsPerSplit::All => columns,
        ColumnsPerSplit::Count(count) => count.min(columns),
    }
}

/// A forest as `smartcore` 0.7.0 serialises it: field by field in its order.
#[derive(Deserialize)]
struct Forest {
    trees: Option<Vec<SmartcoreTree>>,
    classes: Option<Vec<u32>>,
    _samples: Option<Vec<Vec<bool>>>,
}

#[derive(Deserialize)]
struct SmartcoreTree {
    nodes: Vec<SmartcoreNode>,
    _parameters: Option<DecisionTreeClassifierParameters>,
    _num_classes: usize,
    _classes: Vec<u32>,
    _depth: u16,
    _columns: usize,
}

#[derive(Deserialize)]
struct SmartcoreNode {
    class: usize,
    _rows: usize,
    column: u16,
    threshold: Option<f64>,
    _score: Option<f64>,
    /// The child of rows up to the threshold; `None` in a leaf.
    left: Option<usize>,
    right: Option<usize>,
    _impurity: Option<f64>,
}

impl Forest {
    fn symbols(&self) -> Result<Vec<Symbol>, FitError> {
        let unexpected = || FitError::Unexpected(LIBRARY);
        let mut symbols = Vec::new();
        // `false` and `true`: class 1 is the positive one.
        let trees = self.trees.iter().flatten().filter(|_| self.classes.as_deref() == Some(&[0, 1]));
        for tree in trees {
            let mut ahead = vec![0];
            while let Some(at) = ahead.pop() {
                let node = tree.nodes.get(at).ok_or_else(unexpected)?;
                symbols.push(match (node.left, node.right, node.threshold) {
                    (Some(left), Some(right), Some(threshold)) if left > at && right > at => {
                        ahead.extend([right, left]);
                        Symbol::Split { column: node.column, threshold: at_most(threshold) }
                    }
                    (None, None, _) => {
                        Symbol::Leaf { value: if node.class == 1 { 1.0 } else { 0.0 }, cover: 0 }
                    }
                    _ => return Err(unexpected()),
                });
            }
        }
        Ok(symbols)
    }
}

/// Returns the greatest `f32` that is not above `threshold`: the same `f32` values are up to both.
#[expect(clippy::cast_possible_truncation, reason = "rounding is put right")]
fn at_most(threshold: f64) -> f32 {
    let rounded = threshold as f32;
    if f64::from(rounded) > threshold { rounded.next_down() } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::mixed;

    #[test]
    fn votes_as_the_library_does_on_every_row() {
        let rows = mixed(2_000, 1);
        let params = ForestParams { trees: 25, max_depth: Some(6), ..ForestParams::default() };
        let model = fit(&params, &rows, 7).unwrap();
        assert_eq!(model.trees(), 25);
        let x: Vec<Vec<f32>> = rows.x().iter().map(<[f32]>::to_vec).collect();
        let x = DenseMatrix::from_2d_vec(&x).unwrap();
        let y: Vec<u32> = rows.y().iter().map(|&label| label.into()).collect();
        let params =
            RandomForestClassifierParameters::default().with_n_trees(25).with_max_depth(7).with_seed(7);
        let library = RandomForestClassifier::fit(&x, &y, params).unwrap();
        let labels: Vec<bool> = library.predict(&x).unwrap().into_iter().map(|label| label == 1).collect();
        assert!(labels.contains(&true) && labels.contains(&false));
        let found: Vec<bool> = model.score(rows.x()).into_iter().map(|score| score > 0.5).collect();
        assert_eq!(found, labels);
    }

    #[test]
    fn depth_is_counted_in_splits() {
        let params = ForestParams { trees: 3, max_depth: Some(1), ..ForestParams::default() };
        let model = fit(&params, &mixed(500, 1), 1).unwrap();
        assert_eq!((model.trees(), model.nodes()), (3, 9), "a split and two leaves each");
    }

    #[test]
    fn more_trees_than_the_library_can_grow_are_refused() {
        let params = ForestParams { trees: 65_536, ..ForestParams::default() };
        let error = fit(&params, &mixed(100, 1), 1).unwrap_err();
        assert!(matches!(error, FitError::Params(_)), "{error}");
    }

    #[test]
    fn thresholds_are_rounded_down() {
        let above = f64::from(1.0_f32) + 1e-12;
        assert_eq!((at_most(above), at_most(-above)), (1.0, (-1.0_f32).next_down()));
        assert_eq!(at_most(0.5), 0.5);
    }
}
