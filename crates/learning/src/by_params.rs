//! Parameters as learners.

use super::boosted::Boosting;
use super::fit::FitError;
use super::forest::RaforForest;
use super::labelled_rows::LabelledRows;
use super::learner::Learner;
use super::linfa_logistic::LinfaLogistic;
use super::linfa_tree::LinfaTree;
use super::smartcore_forest::SmartcoreForest;
use super::tree::RaforTree;
use tsugi_scoring::FlatModel;
use tsugi_scoring::Params;
use tsugi_scoring::Schema;

impl Learner for Params {
    fn fit<S: Schema>(&self, rows: &LabelledRows<S>, seed: u64) -> Result<FlatModel<S>, FitError> {
        match self.clone() {
            Self::Tree(params) => RaforTree(params).fit(rows, seed),
            Self::Forest(params) => RaforForest(params).fit(rows, seed),
            Self::Boosted(params) => Boosting(params).fit(rows, seed),
            Self::SmartcoreForest(params) => SmartcoreForest(params).fit(rows, seed),
            Self::LinfaTree(params) => LinfaTree(params).fit(rows, seed),
            Self::LinfaLogistic(params) => LinfaLogistic(params).fit(rows, seed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::Plane;
    use crate::samples::mixed;
    use proptest::prelude::*;
    use tsugi_scoring::Algorithm;
    use tsugi_scoring::Matrix;

    fn plane(rows: &[([f32; 2], bool)]) -> LabelledRows<Plane> {
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
                    Ok(_) | Err(FitError::SingleClass { .. }) => {}
                    Err(error) => prop_assert!(false, "{error}"),
                }
            }
        }
    }
}
