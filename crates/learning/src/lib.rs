//! Learns from rows of numbers which candidate is the next-page link, or which element is main content.
//!
//! The crate scores rows of `f32` with trained models, explains the scores and measures them. With the feature `train`,
//! which is off by default, it also trains models.
//!
//! ```
//! # #[cfg(feature = "train")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use tsugi_learning::{
//!     Algorithm, Column, Confusion, Header, LabelledRows, Learner, Matrix, ModelFile, Params, Range, Schema, Unit,
//! };
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
//! // Train on labelled rows, one for each link.
//! let rows: Matrix<Links> = Matrix::from_rows([[1.0, 4.0], [1.0, 60.0], [0.0, 4.0], [0.0, 90.0]])?;
//! let rows = LabelledRows::new(rows, vec![true, true, false, false])?;
//! let params = Params::of(Algorithm::Tree);
//! let model = params.fit(&rows, 1)?;
//!
//! // Store the model, and load it again.
//! let file = ModelFile { header: Header::new::<Links>(params, 1), model };
//! let file = ModelFile::<Links>::from_bytes(&file.to_bytes()?)?;
//!
//! // Score, explain, measure.
//! let scores = file.model.score(rows.x());
//! assert_eq!(scores, [1.0, 1.0, 0.0, 0.0]);
//! let (column, value, part) = file.model.reasons(rows.x().row(0))[0];
//! assert_eq!((column.name, value), ("says_next", 1.0));
//! assert!(part > 0.0);
//! assert_eq!(Confusion::at(&scores, rows.y(), file.header.threshold)?.f1(), 1.0);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "train"))]
//! # fn main() {}
//! ```
//!
//! Every model of rows is a [`FlatModel`], whatever trained it, and is stored, scored and explained in the same way. A
//! [`Crf`] labels rows that follow each other together. A [`Linear`] model turns words into one number, a [`Calibration`]
//! turns scores into probabilities, and a [`Bundle`] holds models that work together. [`ReferenceText`] compares texts by
//! n-grams.
//!
//! ```text
//! Column… ─Schema→ Matrix ─labels→ LabelledRows ─Smote, Undersample→ LabelledRows ─Learner→ FlatModel ─→ ModelFile
//!                         └──────────────────────────score────────────────────────────────┘ └─metrics
//! ```
//!
//! The crate knows nothing of pages, links or elements. It prints nothing and reads no clock.
//!
//! # Features
//!
//! `train`: balancing, learners ([`Params`] implements `Learner`; `boost`, `fit_linear`, `Crf::fit`, `Calibration::fit`),
//! importance of columns and the bootstrap. Trees, forests and logistic regression come from libraries (`rafor`,
//! `smartcore`, `linfa-trees`, `linfa-logistic`); boosting is our own. Only this part draws random numbers and starts
//! threads.
//!
//! # Determinism
//!
//! Equal rows, parameters and seed give equal bytes on any 64-bit machine with the same `ln` and `exp`: nothing depends on
//! hash order, threads or time. Only boosting, linear models and chains use `ln` and `exp`. `linfa-logistic` also depends
//! on the vector instructions of the processor.

mod bounded;
mod bundle;
mod calibration;
mod column;
mod contribution;
mod crf;
mod flat;
mod hash;
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
mod token;
#[cfg(feature = "train")]
mod train;

pub use bundle::{About, Bundle, BundleError};
pub use calibration::{Calibration, ReliabilityBin, calibration_error, reliability};
pub use column::{Column, Range, Schema, Unit, check_columns, column_index, fingerprint};
pub use crf::{ChainLabels, Crf};
pub use flat::{Combination, FlatModel, StructureError};
pub use hash::{Fnv1a32, Fnv1a64};
pub use in_turn::InTurn;
pub use interval::{Interval, mean_interval};
pub use linear::Linear;
pub use matrix::{Matrix, MatrixError, WithoutLast};
pub use metrics::{
    BestThreshold, Confusion, MetricsError, PrPoint, average_precision, best_threshold, pr_curve,
};
pub use model_file::{FORMAT_VERSION, ModelFile, ModelFileError, read_header};
pub use model_header::{ColumnMark, Header, TrainedOn};
pub use ngrams::{NGramOverlap, ReferenceText, TokenId, text_tokens};
pub use params::{
    Algorithm, BoostedParams, ColumnsPerSplit, ForestParams, LogisticParams, Params, ParamsError, TreeParams,
    UnknownAlgorithm, ValidBoostedParams, ValidForestParams, ValidLogisticParams, ValidTreeParams,
};
pub use token::TokenHash;
#[cfg(feature = "train")]
pub use train::{
    BalanceError, Boosting, Class, CrfError, CrfFit, CrfParams, FitError, LabelledRows, LabelledSequence,
    Learner, LinearError, LinearParams, LinfaLogistic, LinfaTree, RaforForest, RaforTree, SmartcoreForest,
    Smote, TokenRows, Undersample, boost, bootstrap_interval, fit_linear,
};

#[cfg(test)]
mod samples;
