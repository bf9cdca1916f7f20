//! Content by chains over blocks and by their hierarchy: training, and the paper's experiment on pages of other sites.
//!
//! # Source
//!
//! Fujita et al., sections 4 and 5; see [`crate::block_crf::BlockCrf`].

mod evaluate;
mod measure;
mod pages;
mod report;
pub(crate) mod train;

#[cfg(test)]
mod tests;

pub use crate::chain::{CrfError, CrfParams};
pub use evaluate::{CrfPageResult, CrfPlan, CrfResult, evaluate_crf};
pub use pages::{CrfExamples, CrfPage};
pub use report::{CrfLine, crf_report};
pub use train::{CrfTrainError, CrfTrainer, TrainedCrf};
