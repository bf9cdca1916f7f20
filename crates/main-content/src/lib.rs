//! Finds the main content of a page.
//!
//! # Examples
//!
//! ```
//! use tsugi_scoring::Bundle;
//! use tsugi_main_content::{CONTENT_KIND, ContentDetector, Focus};
//! use tsugi_page::Page;
//!
//! let bundle = Bundle::from_bytes(&std::fs::read("../tsugi/models/content.model")?, CONTENT_KIND)?;
//! let detector = ContentDetector::from_bundle(&bundle)?.with_focus(Focus::Precision);
//! let html = "<ul><li><a href=/>Home</a><li><a href=/about>About</a></ul>
//!     <main><h1>Snow</h1><p>It began to fall in the evening, and by morning the valley was white.</p>
//!     <p>Nobody came up the road for three days, and nobody went down.</p></main><footer>© 2020 The Mill</footer>";
//! let page = Page::from_text(html, &"https://a.test/snow".parse()?);
//! let content = detector.find(&page, None);
//! assert_eq!(content.nodes, [page.first("main").unwrap()]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! A page is cut into text blocks ([`TextBlocks`]), since labels by text and labels by nodes both say something about
//! blocks. Each is a row of columns ([`BlockColumns`]): its text, its position, the elements around it, linear scores of
//! words and names (tags, classes, roles), and lines near it that end articles ("Comments", "Read more"). Boosted trees give
//! the probability that a block is content.
//!
//! Containers hold share bars and pagers, so an answer is nodes and the parts left out of them ([`CandidateAnswer`]). A ranker
//! predicts the F of each candidate ([`CandidateColumns`]): exact decodings of the probabilities under several settings,
//! single elements, groups of similar siblings. One that is clearly better than the decoder's usual answer replaces it
//! ([`ContentDetector`]). [`Focus`] leaves out or adds blocks by their calibrated probabilities.
//!
//! Roles of blocks are a model of their own ([`RoleDetector`]): a title, a byline, text, a caption, a teaser. Parts of a page are
//! chosen by them.
//!
//! Furniture and comments are removed afterwards ([`without_furniture`], [`comments`]). Articles that only scripts would
//! show are read from the page's data ([`embedded`](fn@embedded)). [`paper`] has the thesis' method: fourteen features of
//! every element.
//!
//! Callers give the tag of the next-page link. This crate finds no links, fetches nothing and trains nothing.
//!
//! ```text
//! Page ─blocks→ rows ─boosted→ probabilities ─decode, elements, siblings→ candidates ─ranker→ Content
//! ```

mod block;
mod candidates;
mod columns;
mod context;
mod decode;
mod detector;
mod embedded;
mod expected;
mod focus;
mod furniture;
mod groups;
mod hash;
mod hints;
mod lead_figure;
mod names;
mod needs_scripts;
#[cfg(any(test, feature = "paper"))]
pub mod paper;
mod regions;
mod roles;
mod stated;
mod tails;
mod word_hashes;
mod words;

pub use block::{TextBlock, TextBlocks};
pub use candidates::{CandidateAnswer, CandidateColumns, Origin, candidates, choose};
pub use columns::{BlockColumns, LinearScores, block_rows};
pub use context::{PageContext, Standing};
pub use decode::Taken;
pub use detector::{
    BlockExplanation, CONTENT_KIND, ContentDetector, ContentModels, JudgedPage, ScoredBlock, linear_scores,
};
pub use embedded::{DataSearch, Embedded, embedded};
pub use focus::Focus;
pub use furniture::{
    Furniture, Surroundings, comment_share, comments, has_comments, least_left, without_furniture,
};
pub use lead_figure::with_lead_figure;
pub use names::{MarkupNames, markup_tokens};
pub use needs_scripts::{may_show_more, needs_scripts};
pub use roles::{
    BlockRole, BlocksAround, PageRoles, ROLES_KIND, RoleColumns, RoleDetector, RoleLogOdds, RoleScores,
    RoleSet, UnknownRole, role_tokens, scored_roles,
};
pub use words::word_tokens;

#[cfg(test)]
fn page_of(html: &str) -> tsugi_page::Page {
    tsugi_page::Page::from_text(html, &"https://a.test/".parse().unwrap())
}
