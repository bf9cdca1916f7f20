//! Gradient-boosted trees, grown by `gbdt`.
//!
//! CHOICE: `gbdt` 0.1.3, not `perpetual`. `perpetual` 2.3.0 (October 2026, actively kept) is faster, but none of
//! its releases from 2.1 to 2.3 compiles on a stable toolchain, how many nodes a tree may have depends on the
//! memory that happens to be free, and its models are large. `gbdt` (last release January 2024) is small, plain
//! and exact. On 50,000 generated rows with 14 columns, 8 % positive, scored on as many more, one thread:
//!
//! | library | setting | average precision | best F | seconds | nodes | crates |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | `gbdt` 0.1.3 | 200 trees, depth 4, rate 0.1 | 0.746 | 0.683 | 5.8 | 5,696 | 24 |
//! | the same, without ranks | 200 trees, depth 4, rate 0.1 | 0.701 | 0.646 | 6.2 | | 24 |
//! | `perpetual` 2.3.0 | budget 0.5 | 0.696 | 0.642 | 1.8 | 19,349 | 35 |
//! | `perpetual` 2.3.0 | budget 1.0 | 0.723 | 0.660 | 4.7 | 74,692 | 35 |
//! | `perpetual` 2.3.0 | budget 1.5 | 0.726 | 0.662 | 13.8 | 258,092 | 35 |
//!
//! `gbdt` takes values closer than 10⁻⁵ for equal, which hides small ratios from it. It is therefore given the
//! rank of each value among the distinct values of its column; thresholds between ranks are turned back into
//! thresholds between values.

use gbdt::config::Config;
use gbdt::decision_tree::{Data, DataVec};
use gbdt::gradient_boost::GBDT;
use serde::Deserialize;

use crate::column::Schema;
use crate::fit::{FitError, check_equal, check_rows};
use crate::flat::{Combination, FlatModel, Symbol};
use crate::params::{BoostedParams, ValidBoostedParams};
use crate::sets::TrainingSet;

/// The most rows: the middle between two ranks must be exact in `f32`.
const MAX_ROWS: usize = 1 << 22;

/// The library's models are in half log-odds; doubling is exact.
const LOG_ODDS: f32 = 2.0;

const LIBRARY: &str = "gbdt";

impl ValidBoostedParams {
    /// Grows trees one after the other, each correcting the log-odds of those before it.
    ///
    /// # Errors
    ///
    /// As for [`fit`](crate::fit()).
    ///
    /// # Determinism
    ///
    /// All rows and all columns take part in every split, so nothing is drawn: the model is the same for every
    /// `seed`.
    ///
    /// # Cost
    ///
    /// `O(t·d·n·depth)` time and `O(d·n)` memory, on one thread.
    ///
    /// # Source
    ///
    /// Friedman (2001), Greedy Function Approximation: A Gradient Boosting Machine, Annals of Statistics 29,
    /// 1189–1232, algorithm 5 (two-class logistic), <https://doi.org/10.1214/aos/1013203451>.
    ///
    /// DIFFERENCE: Hanamura (2020), section 3.2.4, splits by Gini impurity throughout; boosting splits by the
    /// squared error of the gradient, as Friedman's does.
    pub fn fit<S: Schema>(&self, rows: &TrainingSet<S>, _seed: u64) -> Result<FlatModel<S>, FitError> {
        check_rows(rows, MAX_ROWS)?;
        let params = self.get();
        let ranks = Ranks::of(rows);
        let mut trained = GBDT::new(&config(params, S::columns().len()));
        trained.fit(&mut ranks.training_data(rows));

        let unreadable = |source| FitError::Unreadable { library: LIBRARY, source };
        let bytes = postcard::to_stdvec(&trained).map_err(unreadable)?;
        let grown: Grown = postcard::from_bytes(&bytes).map_err(unreadable)?;
        let mut symbols = Vec::new();
        for tree in &grown.trees {
            tree.write(params.learning_rate, &ranks, &mut symbols)?;
        }
        let combination = Combination::LogisticOfSum { base: LOG_ODDS * grown.base };
        let model = FlatModel::assemble(combination, symbols)?;
        if cfg!(debug_assertions) {
            check_equal(&model, rows, &trained.predict(&ranks.test_data(rows)))?;
        }
        Ok(model.covering(rows))
    }
}

fn config(params: &BoostedParams, columns: usize) -> Config {
    let mut config = Config::new();
    config.set_feature_size(columns);
    config.set_iterations(params.trees);
    config.set_max_depth(u32::try_from(params.max_depth).unwrap_or(u32::MAX));
    config.set_min_leaf_size(params.min_samples_split);
    config.set_shrinkage(params.learning_rate);
    config.set_loss("LogLikelyhood");
    config.set_training_optimization_level(2);
    config
}

/// The distinct values of each column, ascending.
struct Ranks(Vec<Vec<f32>>);

impl Ranks {
    fn of<S: Schema>(rows: &TrainingSet<S>) -> Self {
        let column = |column: usize| {
            let mut values: Vec<f32> = rows.x().iter().map(|row| row[column]).collect();
            values.sort_by(f32::total_cmp);
            // By value: both zeros are one.
            values.dedup_by(|a, b| *a <= *b);
            values
        };
        Self((0..S::columns().len()).map(column).collect())
    }

    fn row(&self, row: &[f32]) -> Vec<f32> {
        let rank =
            |(values, &value): (&Vec<f32>, &f32)| values.partition_point(|&other| other < value) as f32;
        self.0.iter().zip(row).map(rank).collect()
    }

    fn training_data<S: Schema>(&self, rows: &TrainingSet<S>) -> DataVec {
        let label = |label: bool| if label { 1.0 } else { -1.0 };
        rows.x()
            .iter()
            .zip(rows.y())
            .map(|(row, &positive)| Data::new_training_data(self.row(row), 1.0, label(positive), None))
            .collect()
    }

    fn test_data<S: Schema>(&self, rows: &TrainingSet<S>) -> DataVec {
        rows.x().iter().map(|row| Data::new_test_data(self.row(row), None)).collect()
    }

    /// The greatest value that goes left where ranks below `rank` do: halfway to the next one, or just the
    /// last value on the left if rounding leaves no room.
    fn threshold(&self, column: usize, rank: f32) -> Option<f32> {
        let values = self.0.get(column)?;
        // Ranks and the middles between them are exact in `f32`; anything else saturates and finds no value.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let above = rank.ceil() as usize;
        let (low, high) = (*values.get(above.checked_sub(1)?)?, *values.get(above)?);
        let middle = f32::midpoint(low, high);
        Some(if middle < high { middle } else { low })
    }
}

/// What `gbdt` 0.1.3 writes for a model: field by field in its order.
#[derive(Deserialize)]
struct Grown {
    _config: GrownConfig,
    trees: Vec<GrownTree>,
    base: f32,
}

#[derive(Deserialize)]
struct GrownConfig {
    _columns: usize,
    _max_depth: u32,
    _trees: usize,
    _learning_rate: f32,
    _column_share: f64,
    _row_share: f64,
    _min_samples: usize,
    _loss: GrownLoss,
    _debug: bool,
    _initial_guess: bool,
    _optimisation: u8,
}

/// The losses in the library's order, up to the one in use.
#[derive(Deserialize)]
enum GrownLoss {
    SquaredError,
    LogLikelihood,
}

#[derive(Deserialize)]
struct GrownTree {
    nodes: Vec<GrownNode>,
    _columns: usize,
    _max_depth: u32,
    _min_samples: usize,
    _loss: GrownLoss,
    _column_share: f64,
}

#[derive(Deserialize)]
struct GrownNode {
    column: usize,
    threshold: f32,
    value: f32,
    _missing: i8,
    is_leaf: bool,
    _index: usize,
    left: usize,
    right: usize,
}

impl GrownTree {
    /// Adds the nodes in pre-order.
    fn write(&self, learning_rate: f32, ranks: &Ranks, symbols: &mut Vec<Symbol>) -> Result<(), FitError> {
        let unexpected = || FitError::Unexpected { library: LIBRARY };
        let mut ahead = vec![0];
        for _ in 0..=self.nodes.len() {
            let Some(at) = ahead.pop() else { return Ok(()) };
            let node = self.nodes.get(at).ok_or_else(unexpected)?;
            if node.is_leaf {
                let value = LOG_ODDS * (learning_rate * node.value);
                symbols.push(Symbol::Leaf { value, cover: 0 });
            } else {
                let threshold = ranks.threshold(node.column, node.threshold).ok_or_else(unexpected)?;
                let column = u16::try_from(node.column).map_err(|_| unexpected())?;
                symbols.push(Symbol::Split { column, threshold });
                ahead.extend([node.right, node.left]);
            }
        }
        // More steps than nodes: two parents share a child.
        Err(unexpected())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Matrix;
    use crate::metrics::average_precision;
    use crate::samples::{Plane, mixed};

    fn boosted(trees: usize) -> ValidBoostedParams {
        BoostedParams { trees, ..BoostedParams::default() }.check().unwrap()
    }

    #[test]
    fn equals_the_library_on_every_row() {
        let rows = mixed(10_000, 1);
        let model = boosted(40).fit(&rows, 0).unwrap();
        let ranks = Ranks::of(&rows);
        let mut library = GBDT::new(&config(boosted(40).get(), 14));
        library.fit(&mut ranks.training_data(&rows));
        check_equal(&model, &rows, &library.predict(&ranks.test_data(&rows))).unwrap();
    }

    #[test]
    fn learns_what_can_be_learned() {
        let held_out = mixed(10_000, 2);
        let model = boosted(60).fit(&mixed(10_000, 1), 0).unwrap();
        let precision = average_precision(&model.score(held_out.x()), held_out.y()).unwrap();
        assert!(precision > 0.6, "{precision}");
    }

    #[test]
    fn thresholds_between_ranks_become_thresholds_between_values() {
        let x = Matrix::<Plane>::from_rows([[1.0, 0.0], [3.0, -0.0], [1.0, 0.0], [7.0, 1e-7]]).unwrap();
        let ranks = Ranks::of(&TrainingSet::new(x, vec![true, false, true, false]).unwrap());
        assert_eq!(ranks.0, [vec![1.0, 3.0, 7.0], vec![0.0, 1e-7]]);
        assert_eq!(ranks.row(&[3.0, 0.0]), [1.0, 0.0]);
        // ranks 0 | 1, 2 and 0 | 2, which is split at rank 1 as well: between 1 and 3
        assert_eq!(ranks.threshold(0, 0.5), Some(2.0));
        assert_eq!(ranks.threshold(0, 1.0), Some(2.0));
        assert_eq!(ranks.threshold(0, 1.5), Some(5.0));
        assert_eq!(ranks.threshold(1, 0.5), Some(5e-8));
        assert_eq!(ranks.threshold(1, 2.5), None);
    }
}
