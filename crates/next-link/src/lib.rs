//! Finds the link that leads from a page to its next page.
//!
//! [`NextLinkDetector`] works on any site. It describes every address that the page leads to on the same host
//! ([`Described`]): what its links are called, where they stand, what stands beside them, and how the address differs
//! from the page's own. Linear scores of words and names join in, boosted trees give a score, and a calibrated
//! threshold decides for the page. That no candidate reaches the threshold is an answer too.
//!
//! [`PairDetector`] judges whether the page behind a link continues the one before, from both pages: the links between
//! them, their addresses, titles, dates, templates and text ([`PageFacts`], [`PairColumns`]).
//!
//! [`paper`] holds the nine features of Hanamura (2020), chapter 3.2, as published, to compare with.
//!
//! This crate fetches nothing and trains nothing.
//!
//! ```text
//! Page ─LinkSurvey::of→ candidates ─first look→ few ─columns, token scores→ Matrix<LinkColumns> ─trees→ NextLink?
//! two Pages, link ─PageFacts::of→ Pair ─row→ PairColumns ─trees→ score ─calibrate, compare→ Verdict
//! ```
//!
//! # Examples
//!
//! ```
//! use tsugi_learning::Schema;
//! use tsugi_next_link::paper::{Candidates, PaperLinks, features};
//! let html = "<p>本文</p><a href='/news?page=1'>1</a> <a href='/news?page=2'>次へ</a>";
//! let page = tsugi_page::Page::from_text(html, &"https://a.test/news".parse().unwrap());
//! let candidates = Candidates::of(&page);
//! let rows = features(&page, &candidates)?;
//! assert_eq!((rows.rows(), PaperLinks::columns()[0].name, rows.row(1)[0]), (2, "next_label", 1.0));
//! # Ok::<(), tsugi_learning::MatrixError>(())
//! ```

mod address;
pub mod baseline;
mod columns;
mod describe;
mod detector;
mod lexicon;
mod names;
mod pair;
pub mod paper;
mod previous;
mod relation;
mod resolve;
mod runs;
mod shared;
mod sieve;
mod single_page;
mod survey;
#[cfg(test)]
mod tests;
mod tokens;
mod unfollowable;
mod words;

pub use describe::{Described, LinkColumns};
pub use detector::{Candidate, LinkSurvey, NEXT_LINK_KIND, NextLinkDetector, Part, TokenScores};
pub use pair::{CONTINUATION_KIND, PageFacts, Pair, PairColumns, PairDetector, PairPart};
pub use previous::Earlier;
pub use relation::relation;
pub use sieve::SieveColumns;
pub use tokens::TokenKind;
