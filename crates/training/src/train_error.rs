//! Why a model cannot be trained.

use tsugi_learning::{BalanceError, FitError, LinearError};
use tsugi_scoring::{BundleError, MatrixError, ModelFileError, StructureError};

/// Why a model cannot be trained.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// No page has the labels that are needed.
    #[error("no page of the data has {0} labels")]
    NoExamples(&'static str),
    /// No page has a next page among its candidates.
    #[error("no page of the data has a next page")]
    NoNext,
    /// There are no true pairs, or no false ones.
    #[error(
        "no stored page {0} the stored page that it links to: joins need two pages or more of a site that follow each other"
    )]
    NoPairs(&'static str),
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
    /// A linear model of the tokens of links cannot be learned.
    #[error("learning tokens: {0}")]
    Tokens(LinearError),
    /// The learner failed.
    #[error("learning: {0}")]
    Fit(#[from] FitError),
    /// The models cannot be averaged.
    #[error("averaging: {0}")]
    Mean(#[from] StructureError),
    /// The models cannot be stored.
    #[error("storing: {0}")]
    Bundle(#[from] BundleError),
    /// The model is too large for a file.
    #[error("writing the model: {0}")]
    File(#[from] ModelFileError),
}

impl TrainError {
    /// Returns `true` if the labels are too few or of the wrong kind, and other parts may still be learned from them.
    pub fn is_lack_of_labels(&self) -> bool {
        use TrainError::{NoExamples, NoNext, NoPairs, TooFewSites};
        matches!(self, NoExamples(_) | NoNext | NoPairs(_) | TooFewSites { .. })
    }
}
