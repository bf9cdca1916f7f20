//! Finds the link that leads from a page to its next page.
//!
//! Every address that the page's anchors lead to on the same host is a candidate ([`Candidates`]); a candidate
//! becomes a row of features ([`features()`]), a model gives the row a score, and the best candidate above the
//! model's threshold is the answer ([`NextLinkDetector`]). No candidate above it is an answer too.
//!
//! The features are those of Hanamura (2020), chapter 3.2. This crate fetches nothing and trains nothing.
//!
//! ```text
//! Page ─Candidates::of→ Candidates ─features→ Matrix<PaperLinks> ─model→ scores ─choose→ NextLink?
//! ```
//!
//! # Examples
//!
//! ```
//! use tsugi_next_link::{Candidates, features, PaperLinks};
//! use tsugi_learning::Schema;
//! let html = "<p>本文</p><a href='/news?page=1'>1</a> <a href='/news?page=2'>次へ</a>";
//! let page = tsugi_page::Page::from_text(html, &"https://a.test/news".parse().unwrap());
//! let candidates = Candidates::of(&page);
//! let rows = features(&page, &candidates)?;
//! assert_eq!((rows.rows(), PaperLinks::columns()[0].name, rows.row(1)[0]), (2, "next_label", 1.0));
//! # Ok::<(), tsugi_learning::MatrixError>(())
//! ```

pub mod baseline;
mod full;
mod paper;
mod relation;

pub use full::{
    Candidate, Described, FULL_NEXT_LINK, FullLinks, FullNextLinkDetector, Part, TokenKind, TokenScores,
    unfollowable,
};
pub use paper::{Candidates, LinkSimilarity, NextLinkDetector, PaperLinks, Scored, Tag, features};
pub use relation::relation;
