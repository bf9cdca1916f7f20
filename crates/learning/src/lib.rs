//! Learners of the models that [`tsugi_scoring`] scores with, behind one interface; balancing, calibration, measures.
//!
//! [`Params`](tsugi_scoring::Params) is the [`ModelLearner`] that its parameters are for. Trees, forests and logistic regression come
//! from libraries (`rafor`, `smartcore`, `linfa-trees`, `linfa-logistic`); boosting is our own. No crate that ships depends on
//! this one.
//!
//! ```text
//! Matrix ─labels→ LabelledRows ─Smote, Undersample→ LabelledRows ─ModelLearner→ FlatModel ─→ ModelFile
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
pub use boosted::{boost, boost_classes};
pub use bootstrap::{bootstrap_interval, bootstrap_of_sums};
pub use calibration::{ReliabilityBin, calibration_error, fit_calibration, reliability};
pub use fit::FitError;
pub use importance::importances;
pub use interval::{Interval, mean_interval};
pub use labelled_rows::{Class, LabelledRows};
pub use learner::ModelLearner;
pub use linear::{LinearError, LinearParams, TokenRows, fit_linear};
pub use metrics::{Confusion, MetricsError, PrPoint, pr_curve};
pub use smote::Smote;
