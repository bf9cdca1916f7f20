//! Whether a page continues another: two pages and the link between them as one row.
//!
//! What a page is compared by is taken from it once ([`PageFacts`]): its links and pager, what it calls itself, its
//! template, the text of its content. A pair of pages becomes a row of [`PairColumns`], and a boosted model says how
//! likely it is that the second continues the first ([`PairDetector`]).

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
pub use facts::{PageFacts, Pair};
