//! Finds the main content of a page.
//!
//! There are two ways. [`full`] cuts the page into text blocks, scores them with boosted trees, and chooses nodes,
//! and parts to leave out of them, by what the blocks' scores let expect; it is what the command uses. [`paper`] is
//! the thesis': every element becomes a row of fourteen features, and the elements' scores are decoded into elements
//! that do not overlap. Both take the tag of the next-page link, which the caller passes in. This crate finds no
//! links, fetches nothing and trains nothing.
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
pub mod full;
pub mod paper;

pub use full::{FULL_CONTENT, FullContentDetector};
pub use paper::{
    ContentDetector, ContentModelError, DISTANCE, DISTANCE_NOTE, ElementContext, PaperContent, Scored,
    decode, features,
};
