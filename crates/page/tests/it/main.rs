//! Tests of the crate from outside.

mod tree_construction;
