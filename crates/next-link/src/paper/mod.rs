//! The thesis' detector: nine features of a link, as published.

pub mod baseline;
mod candidate;
mod detector;
mod features;
mod similarity;

pub use candidate::{AnchorTag, Candidates};
pub use detector::PaperLinkDetector;
pub use features::{PaperLinks, features};
