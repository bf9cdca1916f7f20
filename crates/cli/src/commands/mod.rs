//! One module a command.

mod batch;
pub(crate) mod blocks;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod join;
pub(crate) mod label;
mod pages;
pub(crate) mod scan;
pub(crate) mod siteinfo;
mod source;
pub(crate) mod train;
pub(crate) mod updated;
