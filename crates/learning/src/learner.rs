//! The interface of all learners: labelled rows in, a flat model out.

use super::fit::FitError;
use super::labelled_rows::LabelledRows;
use tsugi_scoring::{FlatModel, Schema};

/// Something that learns a model from labelled rows.
///
/// Learners of libraries and our own give the same kind of model, which is stored, scored and explained in the same
/// way.
///
/// # Examples
///
/// ```
/// use tsugi_learning::{LabelledRows, ModelLearner};
/// use tsugi_scoring::{Algorithm, Column, ModelHeader, Matrix, ModelFile, Params, Range, Schema, Unit};
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
/// for algorithm in [Algorithm::Tree, Algorithm::LinfaTree] {
///     let params = Params::of(algorithm);
///     let model = params.fit(&rows, 7)?;
///     assert_eq!(model.score(rows.x()), [1.0, 0.0, 0.0, 1.0]);
///     let file = ModelFile { header: ModelHeader::new::<Links>(params, 7), model };
///     assert_eq!(ModelFile::<Links>::from_bytes(&file.to_bytes()?)?, file);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ModelLearner {
    /// Learns a model from rows.
    ///
    /// In builds with debug assertions, the model of a library's learner is compared with the library's own on every
    /// training row.
    ///
    /// # Errors
    ///
    /// * [`FitError::Params`] if a parameter makes no sense.
    /// * [`FitError::SingleClass`] if one class has no rows.
    /// * [`FitError::Columns`], [`FitError::TooManyRows`] or [`FitError::Magnitude`] if the rows exceed what the learner
    ///   can hold.
    /// * [`FitError::Library`] if a library gives up.
    /// * The others mean that a library is broken.
    ///
    /// # Determinism
    ///
    /// Equal rows, parameters and `seed` give an equal model. Only forests draw random numbers; the others come out the
    /// same for every seed.
    fn fit<S: Schema>(&self, rows: &LabelledRows<S>, seed: u64) -> Result<FlatModel<S>, FitError>;
}
