//! Main content of any page, from its text blocks.
//!
//! A page is cut into text blocks ([`Blocks`]); each is a row of columns ([`BlockColumns`]): its own text, where it
//! stands, what encloses it, how often what looks like it is repeated, and two linear scores, of its words and of the
//! names (tags, classes, roles) around it. Boosted trees say how likely a block is content. From these probabilities
//! come candidates, whole answers of nodes and parts left out of them ([`Candidate`]): exact decodings under several
//! settings, single elements, groups of similar siblings. A ranker says which F to expect of each
//! ([`CandidateColumns`]); where one is clearly better than the decoder's usual answer it is taken
//! ([`FullContentDetector`]), and its expected F is the score.
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
mod expected;
mod groups;
mod hash;
mod hints;
mod names;
mod regions;
mod words;

pub use block::{Blocks, TextBlock};
pub use candidates::{Candidate, CandidateColumns, Origin, candidates, choose};
pub use columns::{BlockColumns, LinearScores, block_rows};
pub use context::PageContext;
pub use decode::Taken;
pub use detector::{
    ContentModels, Explanation, FULL_CONTENT, FullContentDetector, ScoredBlock, ScoredCandidate,
    linear_scores,
};
pub use names::{Names, markup_tokens};
pub use words::word_tokens;
