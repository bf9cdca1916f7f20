//! Finds the main content of a page.
//!
//! Every element is a candidate; an element becomes a row of features ([`features()`]), a model gives the row a
//! score, and the scores are decoded into elements that do not overlap ([`decode()`], [`ContentDetector`]).
//!
//! The features are those of Hanamura (2020), chapter 3.3; the last of them is the distance to the next-page
//! link, which the caller passes in. This crate finds no links, fetches nothing and trains nothing.
//!
//! ```text
//! Page (+ next-link tag) ─features→ Matrix<PaperContent> ─model→ scores ─decode→ Content
//! ```
//!
//! # Examples
//!
//! ```
//! use tsugi_main_content::{decode, features};
//! let html = "<nav><a href=/>Home</a></nav><main><p>The text of the article, at length.</p></main>";
//! let page = tsugi_page::Page::from_text(html, &"https://a.test/".parse().unwrap());
//! let (ids, rows) = features(&page, None, 8.0)?;
//! // A stand-in for a model: `main` scores high.
//! let scores: Vec<f32> = ids.iter().map(|id| if page.is(*id, "main") { 0.9 } else { 0.1 }).collect();
//! assert_eq!(decode(&page, &ids, &scores, 0.5), [page.first("main").unwrap()]);
//! assert_eq!(rows.rows(), 7); // html, head, body, nav, a, main, p
//! # Ok::<(), tsugi_learning::MatrixError>(())
//! ```

pub mod baseline;
mod context;
mod decode;
mod detector;
mod features;
pub mod full;

pub use context::ElementContext;
pub use decode::decode;
pub use detector::{ContentDetector, ContentModelError, DISTANCE_NOTE, Scored};
pub use features::{DISTANCE, PaperContent, features};
pub use full::{FULL_CONTENT, FullContentDetector};
