//! Learners of the models that [`tsugi_scoring`] scores with, behind one interface; balancing, calibration, measures.
//!
//! [`Params`](tsugi_scoring::Params) is the [`Learner`] that its parameters are for. Trees, forests and logistic regression come
//! from libraries (`rafor`, `smartcore`, `linfa-trees`, `linfa-logistic`); boosting is our own. No crate that ships depends on
//! this one.
//!
//! ```text
//! Matrix ─labels→ LabelledRows ─Smote, Undersample→ LabelledRows ─Learner→ FlatModel ─→ ModelFile
//! ```
//!
//! # Determinism
//!
//! Equal rows, parameters and seed give equal bytes on any 64-bit machine with the same `ln` and `exp`: nothing depends on
//! hash order, threads or time. Only boosting and linear models use `ln` and `exp`. `linfa-logistic` also depends on the
//! vector instructions of the processor.

mod balance;
mod bins;
mod boosted;
mod bootstrap;
mod by_params;
mod calibration;
mod fit;
mod forest;
mod grower;
mod importance;
mod interval;
mod labelled_rows;
mod learner;
mod linear;
mod linfa_logistic;
mod linfa_tree;
mod metrics;
mod recorder;
mod smartcore_forest;
mod smote;
mod tree;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use balance::{BalanceError, Undersample};
pub use bins::cuts_of;
pub use boosted::{Boosting, boost};
pub use bootstrap::bootstrap_interval;
pub use calibration::{ReliabilityBin, calibration_error, fit_calibration, reliability};
pub use fit::FitError;
pub use forest::RaforForest;
pub use importance::importances;
pub use interval::{Interval, mean_interval};
pub use labelled_rows::{Class, LabelledRows};
pub use learner::Learner;
pub use linear::{LinearError, LinearParams, TokenRows, fit_linear};
pub use linfa_logistic::LinfaLogistic;
pub use linfa_tree::LinfaTree;
pub use metrics::{
    BestThreshold, Confusion, MetricsError, PrPoint, average_precision, best_threshold, pr_curve,
};
pub use smartcore_forest::SmartcoreForest;
pub use smote::Smote;
pub use tree::RaforTree;
