//! What learns. Random numbers are drawn and threads started here and nowhere else in the crate.

mod balance;
mod bins;
mod boosted;
mod bootstrap;
mod calibration;
mod crf;
mod fit;
mod forest;
mod grower;
mod importance;
mod labelled_rows;
mod linear;
mod recorder;
mod smote;
mod tree;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use balance::{BalanceError, Undersample};
pub use boosted::boost;
pub use bootstrap::bootstrap_interval;
pub use crf::{CrfError, CrfFit, CrfParams, LabelledSequence};
pub use fit::{FitError, fit};
pub use labelled_rows::{Class, LabelledRows};
pub use linear::{LinearError, LinearParams, TokenRows, fit_linear};
pub use smote::Smote;
