//! tsugi for JavaScript: finds next-page links and main content, joins pages, and learns rules, as WebAssembly with types.
//!
//! `scripts/npm` makes the npm package `tsugi` of it, and the browser extension (`extension`) carries it as its engine.
//! Answers are plain objects, described in `types.d.ts`: those of `tsugi scan` and `tsugi join -f json` where these have one.
//! Bytes go in as they were served, with their content type, so that charsets are read as everywhere else. Nothing here
//! fetches: whoever holds a [`Joiner`] brings the pages that it wants.
//!
//! What a page appends to another one is a tree of allowed elements ([`Joiner::appended`]), so that no caller needs to parse
//! markup.

mod answers;
mod appended;
mod boundary;
mod engine;
mod joiner;
mod learner;
mod tree;

pub use engine::{Engine, allows, crawl_delay, explain, scan};
pub use joiner::{Joined, Joiner};
pub use learner::Learner;

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");
