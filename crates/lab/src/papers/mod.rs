//! The methods of the papers: the thesis' features, unique blocks, chains over blocks, dates of updates.

pub(crate) mod arguments;
pub(crate) mod blocks;
pub(crate) mod evaluate;
pub(crate) mod features;
pub(crate) mod thesis;
pub(crate) mod train;
pub(crate) mod updated;
