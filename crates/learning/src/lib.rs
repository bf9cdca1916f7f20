//! Learning from rows of numbers: which candidate is the next-page link, which element is main content.
//!
//! The crate takes rows of `f32` under named columns and gives back a model that scores such rows. It
//! balances the classes, trains a tree, a forest or boosted trees, stores the result and measures it.
//!
//! It deliberately knows nothing of pages, links or elements, prints nothing and reads no clock. Single trees and
//! forests are left to a library, boosting is our own ([`boost`]); every trained model is one [`FlatModel`],
//! stored, explained and walked in the same way whatever trained it. Rows that follow each other are labelled together
//! by a [`Crf`]. Words become one number by a linear model ([`fit_linear`]), scores become probabilities by a
//! [`Calibration`], and models that work together are one [`Bundle`]. Texts are compared by n-grams ([`ReferenceText`]).
//!
//! ```text
//! Column… ─Schema→ Matrix ─labels→ TrainingSet ─Smote, Undersample→ TrainingSet ─fit→ FlatModel ─→ ModelFile
//!                         └─labels→ HeldOut ───────────────score──────────────────────┘ └─metrics
//! ```
//!
//! # Determinism
//!
//! Equal rows, equal parameters and an equal seed give equal bytes on any 64-bit machine whose `ln` and `exp`
//! agree, for nothing depends on hash order, on threads or on time. Only boosting, linear models and
//! chains take them.
//!
//! # Examples
//!
//! ```
//! use tsugi_learning::{Column, Matrix, Params, Range, Schema, TrainingSet, Unit, fit, Algorithm};
//!
//! #[derive(Clone, Copy, Debug)]
//! struct Links;
//! impl Schema for Links {
//!     const NAME: &'static str = "links";
//!     fn columns() -> &'static [Column] {
//!         const { &[Column::new("says_next", Unit::Flag, Range::flag(), "the label says next", "own")] }
//!     }
//! }
//!
//! let rows: Matrix<Links> = Matrix::from_rows([[1.0], [0.0], [0.0], [1.0]])?;
//! let rows = TrainingSet::new(rows, vec![true, false, false, true])?;
//! let model = fit(&Params::of(Algorithm::Tree), &rows, 1)?;
//! assert_eq!(model.score(rows.x()), [1.0, 0.0, 0.0, 1.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod balance;
mod bins;
mod boosted;
mod bounded;
mod bundle;
mod calibration;
mod column;
mod contribution;
mod crf;
mod fit;
mod flat;
mod forest;
mod grower;
mod importance;
mod in_turn;
mod interval;
mod linear;
mod matrix;
mod metrics;
mod model_body;
mod model_file;
mod model_header;
mod ngrams;
mod params;
mod quick;
mod recorder;
mod sets;
mod smote;
mod token;
mod tree;

#[cfg(test)]
mod samples;

pub use balance::{BalanceError, Undersample};
pub use boosted::boost;
pub use bundle::{About, Bundle, BundleError};
pub use calibration::{Calibration, ReliabilityBin, calibration_error, reliability};
pub use column::{Column, Range, Schema, Unit, column_index, fingerprint};
pub use crf::{ChainLabels, Crf, CrfError, CrfFit, CrfParams, LabelledSequence};
pub use fit::{FitError, fit};
pub use flat::{Combination, FlatModel, StructureError};
pub use in_turn::InTurn;
pub use interval::{Interval, bootstrap_interval, mean_interval};
pub use linear::{Linear, LinearError, LinearParams, TokenRows, fit_linear};
pub use matrix::{Matrix, MatrixError};
pub use metrics::{
    BestThreshold, Confusion, MetricsError, PrPoint, average_precision, best_threshold, pr_curve,
};
pub use model_file::{FORMAT_VERSION, ModelFile, ModelFileError, read_header};
pub use model_header::{ColumnMark, Header, TrainedOn};
pub use ngrams::{NGramOverlap, ReferenceText, TokenId, text_tokens};
pub use params::{
    Algorithm, BoostedParams, ColumnsPerSplit, ForestParams, Params, ParamsError, TreeParams,
    UnknownAlgorithm, ValidBoostedParams, ValidForestParams, ValidTreeParams,
};
pub use sets::{Class, HeldOut, TrainingSet};
pub use smote::Smote;
pub use token::TokenHash;
