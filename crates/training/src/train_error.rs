//! Why a model cannot be trained.

use tsugi_learning::{BalanceError, FitError, LinearError};
use tsugi_scoring::{MatrixError, ModelFileError};

/// Why a model cannot be trained.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// No page has the labels that are needed.
    #[error("no page of the data has {0} labels")]
    NoExamples(&'static str),
    /// Too few websites to split.
    #[error("{found} websites have pages with both next and content labels; at least {needed} are needed")]
    TooFewSites {
        /// Websites with such pages.
        found: usize,
        /// How many there must be.
        needed: usize,
    },
    /// Rows do not fit the schema.
    #[error("features: {0}")]
    Rows(#[from] MatrixError),
    /// The rows cannot be balanced.
    #[error("balancing: {0}")]
    Balance(#[from] BalanceError),
    /// A linear model of tokens cannot be learned.
    #[error("token scores: {0}")]
    Linear(#[from] LinearError),
    /// The learner failed.
    #[error("learning: {0}")]
    Fit(#[from] FitError),
    /// The model is too large for a file.
    #[error("writing the model: {0}")]
    File(#[from] ModelFileError),
}
