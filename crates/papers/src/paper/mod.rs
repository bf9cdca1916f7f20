//! The thesis: its models, and its experiment with one page per website, split 8:2, link by link and node by node.
//!
//! # Source
//!
//! Hanamura (2020), chapter 4. Tables and figures are numbered as there.

mod choices;
mod errors;
mod examples;
mod experiment;
mod methods;
mod parallel;
mod pipeline;
mod readings;
mod recipe;
mod report;
mod rows;
mod shown;
mod split;
mod trainer;

pub use examples::{ContentExample, LinkExample, PageExample, PaperExamples};
pub use experiment::{PaperPlan, PaperResult, run_paper};
pub use pipeline::{PublishedThesis, concatenated};
pub use recipe::{DEFAULT_LEAF, train_paper_content, train_paper_links};
pub use report::paper_report;
pub use rows::{write_element_rows, write_link_rows};
pub use trainer::{PaperTrainer, ThesisDetector};
