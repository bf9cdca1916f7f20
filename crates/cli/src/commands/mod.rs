//! One module a command.

mod batch;
pub(crate) mod blocks;
#[cfg(feature = "lab")]
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod join;
#[cfg(feature = "lab")]
pub(crate) mod label;
mod pages;
pub(crate) mod scan;
pub(crate) mod siteinfo;
#[cfg(feature = "lab")]
pub(crate) mod train;
pub(crate) mod updated;
