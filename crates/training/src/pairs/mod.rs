//! Pairs of pages that do or do not continue each other: examples, and the training of the judge.

mod examples;
mod out_of_fold;
mod train;

pub use examples::{PairExamples, PairSources, PairsHeld};
pub use train::{PairParams, PairTrainer};
