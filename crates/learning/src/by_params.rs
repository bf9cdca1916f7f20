//! Parameters as learners.
//!
//! `rafor` is the default for trees and forests: no other library is measurably better, and the forest of `smartcore` takes 4.5
//! times as long.

use super::fit::{FitError, check_rows};
use super::labelled_rows::LabelledRows;
use super::learner::ModelLearner;
use super::{boosted, forest, linfa_logistic, linfa_tree, smartcore_forest, tree};
use tsugi_scoring::{FlatModel, Params, Schema};

impl ModelLearner for Params {
    fn fit<S: Schema>(&self, rows: &LabelledRows<S>, seed: u64) -> Result<FlatModel<S>, FitError> {
        let is_linfa_tree = matches!(self, Params::LinfaTree(_));
        check_rows(rows, if is_linfa_tree { linfa_tree::MAX_ROWS } else { u32::MAX as usize })?;
        match self {
            Params::Tree(params) => {
                params.check()?;
                tree::fit(params, rows, seed)
            }
            Params::Forest(params) => {
                params.check()?;
                forest::fit(params, rows, seed)
            }
            Params::Boosted(params) => boosted::fit(params, rows, seed),
            Params::SmartcoreForest(params) => {
                params.check()?;
                smartcore_forest::fit(params, rows, seed)
            }
            Params::LinfaTree(params) => {
                params.check()?;
                linfa_tree::fit(params, rows)
            }
            Params::LinfaLogistic(params) => {
                params.check()?;
                linfa_logistic::fit(params, rows)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{TestPlane, mixed};
    use proptest::prelude::*;
    use tsugi_scoring::{Algorithm, Matrix};

    fn plane(rows: &[([f32; 2], bool)]) -> LabelledRows<TestPlane> {
        let x = Matrix::from_rows(rows.iter().map(|(row, _)| row)).unwrap();
        LabelledRows::new(x, rows.iter().map(|&(_, label)| label).collect()).unwrap()
    }

    #[test]
    fn rows_that_cannot_be_learned_from_are_refused() {
        for algorithm in Algorithm::ALL {
            let params = Params::of(algorithm);
            let error = params.fit(&plane(&[([0.0, 0.0], true)]), 1).unwrap_err();
            assert_eq!(error.to_string(), "expected rows of both classes, found no negative row");
            let error = params.fit(&plane(&[([0.0, 3e38], true), ([0.0, 0.0], false)]), 1).unwrap_err();
            assert!(matches!(error, FitError::Magnitude { column: "y", .. }), "{error}");
        }
    }

    #[test]
    fn rows_that_nothing_tells_apart_get_their_share() {
        // 1 positive among 4 equal rows
        let rows: Vec<_> = (0..4).map(|row| ([1.0, 1.0], row == 0)).collect();
        let model = Params::of(Algorithm::Tree).fit(&plane(&rows), 1).unwrap();
        assert_eq!(model.score(plane(&rows).x()), [0.25; 4]);
        let model = Params::of(Algorithm::Boosted).fit(&plane(&rows), 1).unwrap();
        assert!((model.score_row(&[1.0, 1.0]) - 0.25).abs() < 1e-3);
        let model = Params::of(Algorithm::LinfaLogistic).fit(&plane(&rows), 1).unwrap();
        assert!((model.score_row(&[1.0, 1.0]) - 0.25).abs() < 1e-3);
    }

    #[test]
    fn seeds_matter_for_forests_only() {
        let rows = mixed(600, 2);
        for algorithm in Algorithm::ALL {
            let mut params = Params::of(algorithm);
            if let Params::Forest(forest) | Params::SmartcoreForest(forest) = &mut params {
                forest.trees = 10;
            }
            let is_forest = matches!(algorithm, Algorithm::Forest | Algorithm::SmartcoreForest);
            let model = |seed| params.fit(&rows, seed).unwrap();
            assert!(model(3) == model(3), "{algorithm} must repeat itself");
            assert_eq!(model(3) == model(4), !is_forest, "{algorithm}");
        }
    }

    #[test]
    fn adjacent_floats_and_signed_zeros_are_no_trouble() {
        let next = 1.0_f32.next_up();
        let rows = [
            ([1.0, 0.0], false),
            ([next, -0.0], true),
            ([next.next_up(), 0.0], false),
            ([-0.0, 5.0], true),
            ([0.0, 1e37], true),
            ([f32::MIN_POSITIVE, -1e37], false),
            ([1.0, -0.0], true),
            ([0.0, 1e-40], false),
        ];
        for algorithm in Algorithm::ALL {
            let mut params = Params::of(algorithm);
            if let Params::Boosted(boosted) = &mut params {
                boosted.min_leaf_rows = 1;
            }
            params.fit(&plane(&rows), 1).unwrap();
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn scores_follow_a_permutation_of_the_rows(seed: u64, offset in 1_usize..400) {
            let rows = mixed(400, seed);
            let model = Params::of(Algorithm::Tree).fit(&mixed(300, 8), 1).unwrap();
            let turned = Matrix::from_rows((0..400).map(|row| rows.x().row((row + offset) % 400))).unwrap();
            let mut scores = model.score(rows.x());
            scores.rotate_left(offset);
            prop_assert_eq!(scores, model.score(&turned));
        }

        #[test]
        fn learning_never_panics(
            rows in prop::collection::vec((prop::array::uniform2(-4_i8..4), any::<bool>()), 0..40),
        ) {
            let rows: Vec<_> =
                rows.into_iter().map(|(row, label)| (row.map(f32::from), label)).collect();
            for algorithm in Algorithm::ALL {
                let mut params = Params::of(algorithm);
                match &mut params {
                    Params::Boosted(boosted) => (boosted.trees, boosted.min_leaf_rows) = (5, 1),
                    Params::Forest(forest) | Params::SmartcoreForest(forest) => forest.trees = 5,
                    Params::Tree(_) | Params::LinfaTree(_) | Params::LinfaLogistic(_) => {}
                }
                match params.fit(&plane(&rows), 1) {
                    Ok(_) | Err(FitError::SingleClass(_)) => {}
                    Err(error) => prop_assert!(false, "{error}"),
                }
            }
        }
    }
}
