//! Main content of any page: text blocks, their columns, and the choice of nodes.

pub mod block;
pub mod columns;
pub mod context;
pub mod counts;
mod groups;
mod hash;
mod hints;
mod regions;
pub mod words;
