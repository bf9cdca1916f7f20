//! All that learns. Nothing else in this crate draws random numbers or starts threads.

mod balance;
mod bins;
mod boosted;
mod bootstrap;
mod by_params;
mod calibration;
mod crf;
mod fit;
mod forest;
mod grower;
mod importance;
mod labelled_rows;
mod learner;
mod linear;
mod linfa_logistic;
mod linfa_tree;
mod recorder;
mod smartcore_forest;
mod smote;
mod tree;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use balance::{BalanceError, Undersample};
pub use boosted::{Boosting, boost};
pub use bootstrap::bootstrap_interval;
pub use crf::{CrfError, CrfFit, CrfParams, LabelledSequence};
pub use fit::FitError;
pub use forest::RaforForest;
pub use labelled_rows::{Class, LabelledRows};
pub use learner::Learner;
pub use linear::{LinearError, LinearParams, TokenRows, fit_linear};
pub use linfa_logistic::LinfaLogistic;
pub use linfa_tree::LinfaTree;
pub use smartcore_forest::SmartcoreForest;
pub use smote::Smote;
pub use tree::RaforTree;
