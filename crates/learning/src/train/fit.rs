//! Training with any of the learners, and what all of them require.

use super::labelled_rows::{Class, LabelledRows};
use crate::column::Schema;
use crate::flat::{FlatModel, StructureError};
use crate::matrix::Matrix;
use crate::params::{Params, ParamsError};

/// Why nothing was learned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// The parameters make no sense.
    #[error("expected usable parameters")]
    Params(#[from] ParamsError),
    /// One class has no rows.
    #[error("expected rows of both classes, found no {missing} row")]
    SingleClass {
        /// The class without rows.
        missing: Class,
    },
    /// The schema has no columns, or more than a node can name.
    #[error("expected 1 to {limit} columns, found {found}")]
    Columns {
        /// The most columns.
        limit: usize,
        /// Columns of the schema.
        found: usize,
    },
    /// There are more rows than the trainer can tell apart.
    #[error("expected at most {limit} rows, found {found}")]
    TooManyRows {
        /// The most rows.
        limit: usize,
        /// Rows given.
        found: usize,
    },
    /// A value is so large that the middle between two such values overflows.
    #[error("expected values from -{limit} to {limit} in column `{column}`, found `{value}`")]
    Magnitude {
        /// The name of the column.
        column: &'static str,
        /// The greatest magnitude.
        limit: f32,
        /// The value.
        value: f32,
    },
    /// Targets or weights do not fit the rows.
    #[error(
        "expected a target from 0 to 1 and a weight from 0 to a million for each of {rows} rows, at least one"
    )]
    Targets {
        /// Rows given.
        rows: usize,
    },
    /// The library's trained model could not be read.
    #[error("expected to read the trees of `{library}`")]
    Unreadable {
        /// The name of the library.
        library: &'static str,
        /// What was wrong.
        source: postcard::Error,
    },
    /// The library's trained model is not built as it should be.
    #[error(
        "expected trees as `{library}` builds them, found a node that is missing or belongs to two trees"
    )]
    Unexpected {
        /// The name of the library.
        library: &'static str,
    },
    /// The library's trees do not make a model.
    #[error("expected trees that make a model")]
    Structure(#[from] StructureError),
    /// The converted model scores a training row otherwise than the library does.
    #[error("expected the library's score `{expected}` for training row {row}, found `{found}`")]
    Differs {
        /// The row, from 0.
        row: usize,
        /// The library's score.
        expected: f32,
        /// The converted model's score.
        found: f32,
    },
}

/// The greatest magnitude a value may have: the sum of two such values is still finite.
const MAX_MAGNITUDE: f32 = 1e37;

/// The most columns: a node names its column in 16 bits, and files set one number aside.
const MAX_COLUMNS: usize = u16::MAX as usize - 1;

/// Learns a model from rows.
///
/// Parameters are checked first. In builds with debug assertions the model that comes out has been compared
/// with the library's own on every training row, and is equal bit for bit.
///
/// # Errors
///
/// * [`FitError::Params`] if a parameter makes no sense.
/// * [`FitError::SingleClass`] if one class has no rows.
/// * [`FitError::Columns`], [`FitError::TooManyRows`] or [`FitError::Magnitude`] if the rows exceed what the
///   trainer can hold.
/// * The others tell of a broken library and should never be seen.
///
/// # Determinism
///
/// Equal rows, parameters and `seed` give an equal model. A single tree and boosted trees draw nothing, and
/// come out the same for every seed.
///
/// # Examples
///
/// ```
/// use tsugi_learning::{
///     Algorithm, Column, Header, LabelledRows, Matrix, ModelFile, Params, Range, Schema, Unit, fit,
/// };
///
/// #[derive(Clone, Copy, Debug)]
/// struct Links;
/// impl Schema for Links {
///     const NAME: &'static str = "links";
///     fn columns() -> &'static [Column] {
///         const { &[Column::new("says_next", Unit::Flag, Range::flag(), "the label says next", "own")] }
///     }
/// }
///
/// let rows: Matrix<Links> = Matrix::from_rows([[1.0], [0.0], [0.0], [1.0]])?;
/// let rows = LabelledRows::new(rows, vec![true, false, false, true])?;
/// let params = Params::of(Algorithm::Tree);
/// let model = fit(&params, &rows, 7)?;
/// assert_eq!(model.score(rows.x()), [1.0, 0.0, 0.0, 1.0]);
/// let file = ModelFile { header: Header::new::<Links>(params, 7), model };
/// assert_eq!(ModelFile::<Links>::from_bytes(&file.to_bytes()?)?, file);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit<S: Schema>(params: &Params, rows: &LabelledRows<S>, seed: u64) -> Result<FlatModel<S>, FitError> {
    match params {
        Params::Tree(params) => params.clone().check()?.fit(rows, seed),
        Params::Forest(params) => params.clone().check()?.fit(rows, seed),
        Params::Boosted(params) => params.clone().check()?.fit(rows, seed),
    }
}

/// Checks what every trainer of two classes relies on.
pub(crate) fn check_rows<S: Schema>(rows: &LabelledRows<S>, max_rows: usize) -> Result<(), FitError> {
    if let Some(missing) = rows.missing_class() {
        return Err(FitError::SingleClass { missing });
    }
    check_values(rows.x(), max_rows)
}

/// Checks that a trainer can hold the rows.
pub(crate) fn check_values<S: Schema>(x: &Matrix<S>, max_rows: usize) -> Result<(), FitError> {
    let columns = S::columns();
    if columns.is_empty() || columns.len() > MAX_COLUMNS {
        return Err(FitError::Columns { limit: MAX_COLUMNS, found: columns.len() });
    }
    if x.rows() > max_rows {
        return Err(FitError::TooManyRows { limit: max_rows, found: x.rows() });
    }
    for row in x.iter() {
        if let Some((column, &value)) = columns.iter().zip(row).find(|(_, value)| value.abs() > MAX_MAGNITUDE)
        {
            return Err(FitError::Magnitude { column: column.name, limit: MAX_MAGNITUDE, value });
        }
    }
    Ok(())
}

/// Whether there is a target from 0 to 1, and a weight from 0 to a million where there are any, for each row.
pub(crate) fn targets_fit(rows: usize, targets: &[f32], weights: Option<&[f32]>) -> bool {
    let all_within = |values: &[f32], most| values.iter().all(|value| (0.0..=most).contains(value));
    targets.len() == rows
        && all_within(targets, 1.0)
        && weights.is_none_or(|weights| weights.len() == rows && all_within(weights, 1e6))
}

/// Compares a model with what the library said of the same rows, bit for bit.
pub(crate) fn check_equal<S: Schema>(
    model: &FlatModel<S>,
    rows: &LabelledRows<S>,
    expected: &[f32],
) -> Result<(), FitError> {
    let found = model.score(rows.x());
    match found.iter().zip(expected).position(|(found, expected)| found.to_bits() != expected.to_bits()) {
        Some(row) => Err(FitError::Differs { row, expected: expected[row], found: found[row] }),
        None => Ok(()),
    }
}

/// Labels as `rafor` takes them.
pub(crate) fn class_labels<S: Schema>(rows: &LabelledRows<S>) -> Vec<i64> {
    rows.y().iter().map(|&label| i64::from(label)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Algorithm;
    use crate::samples::Plane;
    use crate::train::samples::mixed;
    use proptest::prelude::*;

    fn plane(rows: &[([f32; 2], bool)]) -> LabelledRows<Plane> {
        let x = Matrix::from_rows(rows.iter().map(|(row, _)| row)).unwrap();
        LabelledRows::new(x, rows.iter().map(|&(_, label)| label).collect()).unwrap()
    }

    #[test]
    fn rows_that_cannot_be_learned_from_are_refused() {
        for algorithm in Algorithm::ALL {
            let params = Params::of(algorithm);
            let error = fit(&params, &plane(&[([0.0, 0.0], true)]), 1).unwrap_err();
            assert_eq!(error.to_string(), "expected rows of both classes, found no negative row");
            let error = fit(&params, &plane(&[([0.0, 3e38], true), ([0.0, 0.0], false)]), 1).unwrap_err();
            assert!(matches!(error, FitError::Magnitude { column: "y", .. }), "{error}");
        }
    }

    #[test]
    fn rows_that_nothing_tells_apart_get_their_share() {
        // 1 positive among 4 equal rows
        let rows: Vec<_> = (0..4).map(|row| ([1.0, 1.0], row == 0)).collect();
        let model = fit(&Params::of(Algorithm::Tree), &plane(&rows), 1).unwrap();
        assert_eq!(model.score(plane(&rows).x()), [0.25; 4]);
        let model = fit(&Params::of(Algorithm::Boosted), &plane(&rows), 1).unwrap();
        assert!((model.score_row(&[1.0, 1.0]) - 0.25).abs() < 1e-3);
    }

    #[test]
    fn seeds_matter_for_the_forest_only() {
        let rows = mixed(600, 2);
        for algorithm in Algorithm::ALL {
            let mut params = Params::of(algorithm);
            if let Params::Forest(forest) = &mut params {
                forest.trees = 10;
            }
            let model = |seed| fit(&params, &rows, seed).unwrap();
            assert!(model(3) == model(3), "{algorithm} must repeat itself");
            assert_eq!(model(3) == model(4), algorithm != Algorithm::Forest, "{algorithm}");
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
            fit(&params, &plane(&rows), 1).unwrap();
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn scores_follow_a_permutation_of_the_rows(seed: u64, offset in 1_usize..400) {
            let rows = mixed(400, seed);
            let model = fit(&Params::of(Algorithm::Tree), &mixed(300, 8), 1).unwrap();
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
                    Params::Forest(forest) => forest.trees = 5,
                    Params::Tree(_) => {}
                }
                match fit(&params, &plane(&rows), 1) {
                    Ok(_) | Err(FitError::SingleClass { .. }) => {}
                    Err(error) => prop_assert!(false, "{error}"),
                }
            }
        }
    }
}
