//! A decision tree, grown by `linfa-trees`: each leaf scores 0 or 1, the class of most of its training rows.
//!
//! The library takes values closer than 10⁻⁵ for equal, which blinds it to small ratios. Cost: `O(d·n·nodes)`, as every node
//! looks at all `n` rows.
//!
//! # Source
//!
//! Breiman, Friedman, Olshen & Stone (1984), Classification and Regression Trees.

use super::fit::{FitError, LibraryAnswers, model_of_trees, refused};
use super::labelled_rows::{LabelledRows, view};
use linfa::DatasetView;
use linfa::prelude::*;
use linfa_trees::{DecisionTree, TreeNode};
use ndarray::Ix1;
use tsugi_scoring::{FlatModel, Schema, Symbol, TreeParams};

const LIBRARY: &str = "linfa-trees";

/// The most rows: the library sums weights in `f32`, whose whole numbers are exact up to here.
pub(crate) const MAX_ROWS: usize = 1 << 22;

/// The deepest tree: the library calls itself for each level.
const MAX_DEPTH: usize = 256;

pub(crate) fn fit<S: Schema>(params: &TreeParams, rows: &LabelledRows<S>) -> Result<FlatModel<S>, FitError> {
    let (dataset, negative) = weighted(rows);
    let trained = DecisionTree::params()
        .max_depth(Some(params.max_depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)))
        .min_weight_split(params.min_samples_split as f32)
        .min_weight_leaf(params.min_samples_leaf as f32 * negative)
        .fit(&dataset)
        .map_err(refused(LIBRARY))?;
    model_of_trees(rows, symbols(trained.root_node())?, || {
        Ok(LibraryAnswers::Labels(trained.predict(&view(rows.x())).to_vec()))
    })
}

/// Rows with weights that differ by class, and the weight of a negative row: whole numbers whose sums are exact.
// Between classes of equal weight, the library lets the order of a hash map decide.
fn weighted<S: Schema>(rows: &LabelledRows<S>) -> (DatasetView<'_, f32, bool, Ix1>, f32) {
    let negative = ((1 << 24) / rows.x().rows() - 1) as f32;
    let weights = rows.y().iter().map(|&label| if label { negative + 1.0 } else { negative });
    let dataset = DatasetBase::new(view(rows.x()), ndarray::aview1(rows.y()));
    (dataset.with_weights(weights.collect()), negative)
}

fn symbols(root: &TreeNode<f32, bool>) -> Result<Vec<Symbol>, FitError> {
    let unexpected = || FitError::Unexpected(LIBRARY);
    let (mut symbols, mut ahead) = (Vec::new(), vec![root]);
    while let Some(node) = ahead.pop() {
        if let Some(is_positive) = node.prediction() {
            symbols.push(Symbol::Leaf { value: if is_positive { 1.0 } else { 0.0 }, cover: 0 });
            continue;
        }
        let (column, threshold, _) = node.split();
        let column = u16::try_from(column).map_err(|_| unexpected())?;
        // The library sends values below the threshold left, not those up to it.
        symbols.push(Symbol::Split { column, threshold: threshold.next_down() });
        for child in node.children().into_iter().rev() {
            ahead.push(child.as_ref().ok_or_else(unexpected)?);
        }
    }
    Ok(symbols)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{TestPlane, mixed};
    use tsugi_scoring::Matrix;

    #[test]
    fn answers_as_the_library_does_on_every_row() {
        let rows = mixed(2_001, 1);
        let params = TreeParams { max_depth: Some(8), min_samples_leaf: 3, ..TreeParams::default() };
        let model = fit(&params, &rows).unwrap();
        let (dataset, negative) = weighted(&rows);
        let library = DecisionTree::params().max_depth(Some(8)).min_weight_leaf(3.0 * negative);
        let library = library.fit(&dataset).unwrap();
        let labels = library.predict(&view(rows.x())).to_vec();
        assert!(labels.contains(&true) && labels.contains(&false));
        let found: Vec<bool> = model.score(rows.x()).into_iter().map(|score| score > 0.5).collect();
        assert_eq!(found, labels);
    }

    #[test]
    fn ties_go_to_the_positive_class() {
        let x = Matrix::<TestPlane>::from_rows([[1.0, 1.0], [1.0, 1.0], [5.0, 1.0]]).unwrap();
        let rows = LabelledRows::new(x, vec![true, false, false]).unwrap();
        // Were it left to the library's hash map, this would fail every other time.
        for _ in 0..20 {
            let model = fit(&TreeParams::default(), &rows).unwrap();
            assert_eq!(model.score(rows.x()), [1.0, 1.0, 0.0]);
        }
    }

    #[test]
    fn long_chains_of_splits_end() {
        // Labels alternate along one column, so that each split takes off one row.
        let x = Matrix::<TestPlane>::from_rows((0_u16..3_000).map(|row| [f32::from(row), 0.0])).unwrap();
        let rows = LabelledRows::new(x, (0..3_000).map(|row| row % 2 == 0).collect()).unwrap();
        fit(&TreeParams::default(), &rows).unwrap();
    }
}
