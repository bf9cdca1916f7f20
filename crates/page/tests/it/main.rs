//! Tests of the crate from outside.

#[cfg(feature = "oracle")]
mod archive;
#[cfg(feature = "oracle")]
mod tokens;
mod tree_construction;
