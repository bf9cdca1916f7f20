//! Main content of any page: text blocks, their columns, and the choice of nodes.

pub mod block;
pub mod candidates;
pub mod columns;
pub mod context;
pub mod counts;
pub mod decode;
mod detector;
pub mod expected;
mod groups;
mod hash;
mod hints;
mod regions;
pub mod words;

pub use candidates::{Candidate, CandidateColumns, candidates};
pub use columns::{BlockColumns, LinearScores, block_rows};
pub use context::PageContext;
pub use decode::Taken;
pub use detector::{
    ContentModels, Explanation, FULL_CONTENT, FullContentDetector, ScoredBlock, ScoredCandidate,
    linear_scores,
};
pub use words::{Names, markup_tokens, word_tokens};
