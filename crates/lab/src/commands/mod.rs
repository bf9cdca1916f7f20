//! The commands, one module each.

pub(crate) mod blocks;
pub(crate) mod evaluate;
pub(crate) mod label;
pub(crate) mod train;
pub(crate) mod updated;
