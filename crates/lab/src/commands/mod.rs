//! The commands, one module each.

pub(crate) mod agreement;
pub(crate) mod card;
pub(crate) mod evaluate;
pub(crate) mod evaluate_sites;
pub(crate) mod fetch;
pub(crate) mod judge;
pub(crate) mod label;
pub(crate) mod train;
