//! The thesis: its features and models, and its experiment: one page a website, 8:2 by website, link by link and node
//! by node.
//!
//! # Source
//!
//! Hanamura (2020), chapter 4. Numbers of tables and figures are the thesis'.

mod choices;
mod errors;
mod examples;
mod experiment;
mod methods;
mod parallel;
mod recipe;
mod report;
mod split;
mod trainer;

pub use examples::{ContentExample, LinkExample, PageExample, PaperExamples};
pub use experiment::{PaperPlan, PaperResult, run_paper};
pub use recipe::{DEFAULT_LEAF, default_forest, train_paper_content, train_paper_links};
pub use report::paper_report;
pub use trainer::PaperTrainer;
