//! Finds the link that leads from a page to its next page.
//!
//! Two detectors. The full one ([`FullNextLinkDetector`]) is made for any site: it describes every address that the
//! page leads to on the same host ([`Described`]), by what its links are called, where they stand, what stands beside
//! them and how the address differs from the page's own; linear scores of words and names join in, boosted trees give
//! a score, and a calibrated threshold decides for the page. The thesis' one ([`NextLinkDetector`]) has the nine
//! features of Hanamura (2020), chapter 3.2, as published ([`Candidates`], [`features()`]), to compare with. For both,
//! no candidate above the threshold is an answer too.
//!
//! Whether the page that a link led to continues the one before, [`PairDetector`] judges from both: by the links
//! between them, their addresses, titles, dates, templates and text ([`PageFacts`], [`PairColumns`]).
//!
//! This crate fetches nothing and trains nothing.
//!
//! ```text
//! Page ─Described::of→ values + tokens ─token scores→ Matrix<FullLinks> ─trees→ scores ─calibrate, choose→ NextLink?
//! two Pages, link ─PageFacts::of→ Pair ─row→ PairColumns ─trees→ score ─calibrate, compare→ Verdict
//! Page ─Candidates::of→ Candidates ─features→ Matrix<PaperLinks> ─forest→ scores ─choose→ NextLink?
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
mod pair;
mod paper;
mod relation;

pub use full::{
    Candidate, Described, FULL_NEXT_LINK, FullLinks, FullNextLinkDetector, LinkSurvey, Part, SieveLinks,
    TokenKind, TokenScores, previous_candidates, single_page_candidates, unfollowable,
};
pub use pair::{CONTINUATION, PageFacts, Pair, PairColumns, PairDetector, PairPart};
pub use paper::{Candidates, LinkSimilarity, NextLinkDetector, PaperLinks, Scored, Tag, features};
pub use relation::relation;
