//! Pairs of pages, of which one does or does not continue the other: examples, and the training of the judge.

mod examples;
mod out_of_fold;
mod train;

pub use examples::PairExamples;
pub(crate) use examples::PairSources;
pub use train::{PairParams, PairTrainError, PairTrainer};
