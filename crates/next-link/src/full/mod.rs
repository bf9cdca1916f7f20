//! The full model: every address that a page leads to, under columns made for any site.
//!
//! The page is surveyed once ([`survey`]): links, pager texts, runs of numbers. Addresses that name one page are
//! one candidate. A first look ([`sieve`]) lets few of them through. What these are like becomes a row ([`columns`])
//! and three bags of hashed tokens ([`tokens`]), whose linear scores are columns too.

pub(crate) mod address;
mod columns;
mod describe;
mod detector;
mod lexicon;
pub(crate) mod names;
mod previous;
mod resolve;
pub(crate) mod runs;
pub(crate) mod shared;
mod sieve;
mod single_page;
pub(crate) mod survey;
#[cfg(test)]
mod tests;
mod tokens;
mod unfollowable;
pub(crate) mod words;

pub use describe::{Described, FullLinks};
pub use detector::{Candidate, FULL_NEXT_LINK, FullNextLinkDetector, LinkSurvey, Part, TokenScores};
pub use previous::previous_candidates;
pub use sieve::SieveLinks;
pub use single_page::single_page_candidates;
pub use tokens::TokenKind;
pub use unfollowable::unfollowable;
