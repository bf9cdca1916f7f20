//! Requirements of all learners on rows, errors of training, and the shared adapter of library learners.

use super::labelled_rows::{Class, LabelledRows};
use tsugi_scoring::{Combination, FlatModel, Matrix, ParamsError, Schema, StructureError, Symbol};

/// Why training failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// The parameters make no sense.
    #[error("expected usable parameters")]
    Params(#[from] ParamsError),
    /// This class has no rows.
    #[error("expected rows of both classes, found no {0} row")]
    SingleClass(Class),
    /// The schema has no columns, or more than a node can name.
    #[error("expected 1 to {limit} columns, found {found}")]
    Columns {
        /// The most columns.
        limit: usize,
        /// Columns of the schema.
        found: usize,
    },
    /// There are more rows than the learner can number.
    #[error("expected at most {limit} rows, found {found}")]
    TooManyRows {
        /// The most rows.
        limit: usize,
        /// Rows given.
        found: usize,
    },
    /// A value is so large that the midpoint of two such values overflows.
    #[error("expected values from -{limit} to {limit} in column `{column}`, found `{value}`")]
    Magnitude {
        /// The name of the column.
        column: &'static str,
        /// The greatest magnitude.
        limit: f32,
        /// The value.
        value: f32,
    },
    /// Targets or weights do not fit this many rows.
    #[error(
        "expected a target from 0 to 1 and a weight from 0 to a million for each of {0} rows, at least one"
    )]
    Targets(usize),
    /// A library refused the rows, or gave up.
    #[error("expected `{library}` to learn from the rows")]
    Library {
        /// The name of the library.
        library: &'static str,
        /// The error of the library.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The library's trained model could not be read.
    #[error("expected to read the trees of `{library}`")]
    Unreadable {
        /// The name of the library.
        library: &'static str,
        /// The reason.
        source: postcard::Error,
    },
    /// The trained model of this library is not built as it should be.
    #[error("expected trees as `{0}` builds them, found a node that is missing or belongs to two trees")]
    Unexpected(&'static str),
    /// The library's trees or weights do not make a model.
    #[error("expected trees or weights that make a model")]
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

pub(crate) fn check_rows<S: Schema>(rows: &LabelledRows<S>, max_rows: usize) -> Result<(), FitError> {
    if let Some(missing) = rows.missing_class() {
        return Err(FitError::SingleClass(missing));
    }
    check_values(rows.x(), max_rows)
}

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

pub(crate) fn targets_fit(rows: usize, targets: &[f32], weights: Option<&[f32]>) -> bool {
    let all_within = |values: &[f32], most| values.iter().all(|value| (0.0..=most).contains(value));
    targets.len() == rows
        && all_within(targets, 1.0)
        && weights.is_none_or(|weights| weights.len() == rows && all_within(weights, 1e6))
}

pub(crate) enum LibraryAnswers {
    /// Scores, equal bit for bit.
    Scores(Vec<f32>),
    /// Labels: whether the score is above a half.
    Labels(Vec<bool>),
}

/// Makes a model of trees that a library grew, given as nodes in pre-order; their leaves count the training rows.
///
/// Builds with debug assertions compare it with the library's own answers on every training row.
pub(crate) fn model_of_trees<S: Schema>(
    rows: &LabelledRows<S>,
    symbols: Vec<Symbol>,
    answers: impl FnOnce() -> Result<LibraryAnswers, FitError>,
) -> Result<FlatModel<S>, FitError> {
    let model = FlatModel::assemble(Combination::MeanOfLeaves, symbols)?;
    if cfg!(debug_assertions) {
        check_answers(&model.score(rows.x()), &answers()?)?;
    }
    Ok(model.covering(rows.x()))
}

pub(crate) fn check_answers(found: &[f32], answers: &LibraryAnswers) -> Result<(), FitError> {
    let differs = |row: usize| match answers {
        LibraryAnswers::Scores(scores) => scores[row].to_bits() != found[row].to_bits(),
        LibraryAnswers::Labels(labels) => labels[row] != (found[row] > 0.5),
    };
    let Some(row) = (0..found.len()).find(|row| differs(*row)) else { return Ok(()) };
    let expected = match answers {
        LibraryAnswers::Scores(scores) => scores[row],
        LibraryAnswers::Labels(labels) => f32::from(u8::from(labels[row])),
    };
    Err(FitError::Differs { row, expected, found: found[row] })
}

pub(crate) fn refused<E: std::error::Error + Send + Sync + 'static>(
    library: &'static str,
) -> impl Fn(E) -> FitError + Copy {
    move |error| FitError::Library { library, source: Box::new(error) }
}

pub(crate) fn class_labels<S: Schema>(rows: &LabelledRows<S>) -> Vec<i64> {
    rows.y().iter().map(|&label| i64::from(label)).collect()
}
