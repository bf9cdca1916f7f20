//! The commands, one module each.

mod batch;
pub(crate) mod explain;
pub(crate) mod extract;
pub(crate) mod join;
mod join_all;
pub(crate) mod lab;
pub(crate) mod pages;
pub(crate) mod scan;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod siteinfo;
