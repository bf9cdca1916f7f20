//! One module a command.

pub(crate) mod blocks;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod join;
pub(crate) mod label;
pub(crate) mod scan;
mod source;
pub(crate) mod train;
