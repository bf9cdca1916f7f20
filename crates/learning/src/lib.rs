//! Learning from rows of numbers: which candidate is the next-page link, which element is main content.
//!
//! The crate scores rows of `f32` under named columns by models that it loads, explains the scores and measures them.
//! With the feature `train`, which is not on by default, it also learns such models.
//!
//! It deliberately knows nothing of pages, links or elements, prints nothing and reads no clock. Every model of trees is
//! one [`FlatModel`], stored, explained and walked in the same way whatever trained it. Rows that follow each other are
//! labelled together by a [`Crf`]. Words become one number by a [`Linear`] model, scores become probabilities by a
//! [`Calibration`], and models that work together are one [`Bundle`]. Texts are compared by n-grams ([`ReferenceText`]).
//!
//! ```text
//! Column… ─Schema→ Matrix ─labels→ LabelledRows ─Smote, Undersample→ LabelledRows ─fit→ FlatModel ─→ ModelFile
//!                         └──────────────────────────score──────────────────────────────┘ └─metrics
//! ```
//!
//! # Features
//!
//! `train`: balancing, the learners (`fit`, `boost`, `fit_linear`, `Crf::fit`, `Calibration::fit`), importance of columns
//! and the bootstrap. Single trees and forests are left to a library, boosting is our own. Only this part draws random
//! numbers and starts threads. `fit` has an example.
//!
//! # Determinism
//!
//! Equal rows, equal parameters and an equal seed give equal bytes on any 64-bit machine whose `ln` and `exp` agree, for
//! nothing depends on hash order, on threads or on time. Only boosting, linear models and chains take those functions.

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
pub use token::TokenHash;
#[cfg(feature = "train")]
pub use train::{
    BalanceError, Class, CrfError, CrfFit, CrfParams, FitError, LabelledRows, LabelledSequence, LinearError,
    LinearParams, Smote, TokenRows, Undersample, boost, bootstrap_interval, fit, fit_linear,
};

#[cfg(test)]
mod samples;
