//! Finds the main content of a page.
//!
//! A page is cut into text blocks ([`Blocks`]); each is a row of columns ([`BlockColumns`]): its own text, where it
//! stands, what encloses it, how often what looks like it is repeated, and two linear scores, of its words and of the
//! names (tags, classes, roles) around it. Boosted trees say how likely a block is content. From these probabilities
//! come candidates, whole answers of nodes and parts left out of them ([`Candidate`]): exact decodings under several
//! settings, single elements, groups of similar siblings. A ranker says which F to expect of each
//! ([`CandidateColumns`]); where one is clearly better than the decoder's usual answer it is taken
//! ([`ContentDetector`]), and its expected F is the score.
//!
//! [`paper`] is the thesis' way, to compare with: every element becomes a row of fourteen features, and the elements'
//! scores are decoded into elements that do not overlap.
//!
//! Furniture (hidden text, marks at headings, share bars) and comments go afterwards ([`without_furniture`], [`comments`]).
//!
//! Both take the tag of the next-page link, which the caller passes in. This crate finds no links, fetches nothing and
//! trains nothing.
//!
//! ```text
//! Page ─blocks→ rows ─boosted→ probabilities ─decode, elements, siblings→ candidates ─ranker→ Content
//! ```
//!
//! # Examples
//!
//! ```
//! use tsugi_main_content::paper::{decode, features};
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
mod block;
mod candidates;
mod columns;
mod context;
mod decode;
mod detector;
mod embedded;
mod expected;
mod furniture;
mod groups;
mod hash;
mod hints;
mod names;
mod needs_scripts;
pub mod paper;
mod regions;
mod words;

pub use block::{Blocks, TextBlock};
pub use candidates::{Candidate, CandidateColumns, Origin, candidates, choose};
pub use columns::{BlockColumns, LinearScores, block_rows};
pub use context::PageContext;
pub use decode::Taken;
pub use detector::{
    CONTENT_KIND, ContentDetector, ContentModels, Explanation, ScoredBlock, ScoredCandidate, linear_scores,
};
pub use embedded::{Embedded, embedded};
pub use furniture::{Around, Furniture, comments, has_comments, without_furniture};
pub use names::{Names, markup_tokens};
pub use needs_scripts::needs_scripts;
pub use words::word_tokens;
