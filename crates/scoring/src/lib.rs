//! Scores rows of numbers with trained models, and explains the scores: columns, trees, calibration, model files.
//!
//! ```
//! use tsugi_scoring::{Algorithm, Column, Combination, FlatModel, Matrix, ModelFile, ModelHeader, Params, Range, Schema, Symbol, Unit};
//!
//! // A schema declares the columns: name, unit, range, meaning, source.
//! #[derive(Clone, Copy, Debug)]
//! struct Links;
//! impl Schema for Links {
//!     const NAME: &'static str = "links";
//!     fn columns() -> &'static [Column] {
//!         const {
//!             &[
//!                 Column::new("says_next", Unit::Flag, Range::flag(), "the text says next", "own"),
//!                 Column::new("length", Unit::Count, Range::at_least(0.0), "characters of the text", "own"),
//!             ]
//!         }
//!     }
//! }
//!
//! // A tree: texts of up to 50 characters that say next are probably the link.
//! let leaf = |value, cover| Symbol::Leaf { value, cover };
//! let tree = [
//!     Symbol::Split { column: 0, threshold: 0.5 },
//!     leaf(0.0, 8),
//!     Symbol::Split { column: 1, threshold: 50.0 },
//!     leaf(1.0, 1),
//!     leaf(0.25, 1),
//! ];
//! let model = FlatModel::<Links>::assemble(Combination::MeanOfLeaves, tree)?;
//!
//! // Store the model, and load it again.
//! let file = ModelFile { header: ModelHeader::new::<Links>(Params::of(Algorithm::Tree), 1), model };
//! let file = ModelFile::<Links>::from_bytes(&file.to_bytes()?)?;
//!
//! // Score, and explain.
//! let rows: Matrix<Links> = Matrix::from_rows([[1.0, 4.0], [1.0, 60.0], [0.0, 4.0]])?;
//! assert_eq!(file.model.score(&rows), [1.0, 0.25, 0.0]);
//! let (column, value, part) = file.model.reasons(rows.row(0))[0];
//! assert_eq!((column.name, value), ("says_next", 1.0));
//! assert!(part > 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every model of rows is a [`FlatModel`], whatever trained it, and is stored, scored and explained in the same way. A
//! [`Linear`] model turns words into one number, a [`Calibration`] turns scores into probabilities, and a [`Bundle`] holds
//! models that work together.
//!
//! ```text
//! Column… ─Schema→ Matrix ─FlatModel→ scores ─Calibration→ probabilities
//! ```
//!
//! The crate knows nothing of pages, links or elements. It trains nothing, prints nothing and reads no clock.

pub mod bounded;
mod bundle;
mod calibration;
mod column;
mod flat;
mod hash;
mod in_turn;
mod linear;
mod matrix;
mod model_body;
mod model_file;
mod model_header;
mod params;
mod quick;
mod token;
mod trees;

pub use bundle::{Bundle, BundleError, BundleFacts};
pub use calibration::{Calibration, NoCalibration};
pub use column::{Column, Range, Schema, Unit, check_columns, column_index, fingerprint};
pub use flat::{Combination, FlatModel, Slope, StructureError, Symbol};
pub use hash::{Fnv1a32, Fnv1a64};
pub use in_turn::InTurn;
pub use linear::{Linear, LinearTable, MOST_WEIGHT_STEPS, WEIGHT_STEP, token_place};
pub use matrix::{Matrix, MatrixError, WithoutLast};
pub use model_file::{FORMAT_VERSION, ModelFile, ModelFileError, read_header};
pub use model_header::{ColumnMark, ModelHeader, TrainedOn};
pub use params::{
    Algorithm, BoostedParams, ColumnsPerSplit, ForestParams, LogisticParams, Params, ParamsError, TreeParams,
    UnknownAlgorithm, share, within,
};
pub use token::TokenHash;

#[cfg(test)]
mod samples;
