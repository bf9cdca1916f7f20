//! Main content of any page: text blocks, their columns, and the choice of nodes.

pub mod block;
pub mod candidates;
pub mod columns;
pub mod context;
pub mod counts;
pub mod decode;
pub mod expected;
mod groups;
mod hash;
mod hints;
mod regions;
pub mod words;

pub use candidates::{Candidate, CandidateColumns, candidate_rows, candidates};
pub use columns::stacked::{StackedColumns, stacked_rows};
pub use columns::{BlockColumns, LinearScores, block_rows};
pub use context::PageContext;
pub use decode::{DecodeParams, Taken, decode_blocks};
pub use words::{Names, markup_tokens, word_tokens};
