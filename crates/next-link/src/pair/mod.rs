//! Judges whether a page continues another: two pages and the link between them form one row.
//!
//! The facts of a page are collected once ([`PageFacts`]). A pair of pages becomes a row of [`PairColumns`], and a boosted
//! model gives the probability that the second page continues the first ([`PairDetector`]).
//!
//! The model learned from pairs that a link model might follow, and from made-up ones that archives lack: redirects,
//! the same page again, pages past the end, pages of other sites. It also learned from sites whose addresses say nothing. The
//! score of the link is a column, by models that saw no page of the site: link and pair decide together.

mod columns;
mod detector;
mod facts;
mod head;
mod links;
mod template;
#[cfg(test)]
mod tests;
mod text;

pub use columns::PairColumns;
pub use detector::{CONTINUATION_KIND, PairDetector, PairPart};
pub use facts::{FactsOfLinks, PageFacts, Pair};
