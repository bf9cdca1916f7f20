//! The commands, one module each.

mod batch;
pub(crate) mod blocks;
#[cfg(feature = "lab")]
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod extract;
pub(crate) mod join;
mod join_all;
#[cfg(feature = "lab")]
pub(crate) mod label;
pub(crate) mod pages;
pub(crate) mod scan;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod siteinfo;
#[cfg(feature = "lab")]
pub(crate) mod train;
pub(crate) mod updated;
