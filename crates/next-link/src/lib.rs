//! Finds the link that leads from a page to its next page, and judges whether the page behind it continues the first.
//!
//! # Examples
//!
//! ```
//! use tsugi_scoring::Bundle;
//! use tsugi_next_link::{LinkSurvey, NEXT_LINK_KIND, NextLinkDetector};
//! use tsugi_page::Page;
//!
//! let bundle = Bundle::from_bytes(&std::fs::read("../tsugi/models/next-link.model")?, NEXT_LINK_KIND)?;
//! let detector = NextLinkDetector::from_bundle(&bundle)?;
//! let html = "<main><p>The first part of a story.</main>
//!     <div class=pager><b>1</b> <a href='?page=2'>2</a> <a href='?page=2'>Next page »</a></div>";
//! let page = Page::from_text(html, &"https://a.test/story".parse()?);
//! let next = detector.best(&LinkSurvey::of(&page)).filter(|next| next.score >= detector.threshold());
//! assert_eq!(next.unwrap().url.as_str(), "https://a.test/story?page=2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! [`NextLinkDetector`] works on any site. It describes every address that the page links to on the same host
//! ([`Described`]): the texts of its links, their position, the items beside them, and how the address differs from the
//! page's own. Linear models score words and names, boosted trees score the whole, and a calibrated threshold decides.
//!
//! [`PairDetector`] judges whether the page behind a link continues the previous one, by the links between them, their
//! addresses, titles, dates, templates and text ([`PageFacts`], [`PairColumns`]).
//!
//! [`paper`] has the nine features of Hanamura (2020), chapter 3.2. This crate fetches nothing and trains nothing.
//!
//! ```text
//! Page ─LinkSurvey::of→ candidates ─first look→ few ─columns, token scores→ Matrix<LinkColumns> ─trees→ NextLink?
//! two Pages, link ─PageFacts::of→ Pair ─row→ PairColumns ─trees→ score ─calibrate, compare→ Verdict
//! ```

/// Declares a set of flags, each with the number of its bit.
macro_rules! flags {
    ($name:ident: $bits:ty; $($flag:ident = $bit:literal),* $(,)?) => {
        bitflags::bitflags! {
            #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
            pub(crate) struct $name: $bits {
                $(const $flag = 1 << $bit;)*
            }
        }
    };
}

mod address;
mod arrow;
mod columns;
mod describe;
mod detector;
mod elsewhere;
mod features;
mod names;
mod numerals;
mod ordinals;
mod pair;
#[cfg(any(test, feature = "paper"))]
pub mod paper;
mod previous;
mod refresh;
mod relation;
mod resolve;
mod runs;
mod said;
mod seat;
mod shared;
mod sieve;
mod single_page;
mod survey;
#[cfg(test)]
mod tests;
mod titles;
mod tokens;
mod unfollowable;
mod ways;
mod words;

pub use describe::{Described, LinkColumns};
pub use detector::{ExplainedCandidate, LinkPart, LinkSurvey, NEXT_LINK_KIND, NextLinkDetector, TokenScores};
pub use pair::{CONTINUATION_KIND, FactsOfLinks, PageFacts, Pair, PairColumns, PairDetector, PairPart};
pub use previous::Earlier;
pub use relation::relation;
pub use said::SaidPages;
pub use sieve::SieveColumns;
pub use tokens::TokenKind;
pub use ways::LinkWay;
