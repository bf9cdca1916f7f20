//! tsugi for JavaScript: finds next-page links and main content, joins pages, and learns rules, as WebAssembly with types.
//!
//! `scripts/npm` makes the npm package `tsugi` of it. It is also the engine of the browser extension (`extension`), in whose
//! background it runs, because Chromium lets no content script compile WebAssembly.
//!
//! Answers are plain objects, described in `types.d.ts`: the same as those of `tsugi scan` and `tsugi join -f json` if these
//! have them. Pages are bytes as served, with their content type, so that charsets are read as everywhere else. Nothing here
//! fetches, and nothing is stored: the background may stop at any time, and its caller gives a new [`Joiner`] the pages
//! again.
//!
//! [`Joiner::appended`] returns a tree of allowed elements, so that no caller needs to parse markup.

mod answers;
mod appended;
mod boundary;
mod engine;
mod joiner;
mod learner;
mod tree;

pub use engine::{Engine, allows, crawl_delay, explain, scan};
pub use joiner::{FinishedDocument, Joiner};
pub use learner::SiteLearner;

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");
