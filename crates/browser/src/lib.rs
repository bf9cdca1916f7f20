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
mod engine;
mod joiner;
mod learner;
mod tree;

pub use engine::{Engine, allows, crawl_delay, explain, scan};
pub use joiner::{Joined, Joiner};
pub use learner::Learner;

use serde::Serialize;
use tsugi::{Response, Url};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// Returns a value as a plain object.
fn object(value: &impl Serialize) -> Result<JsValue, JsError> {
    let json = serde_json::to_string(value)?;
    js_sys::JSON::parse(&json).map_err(|_| JsError::new("the answer is no JSON"))
}

/// Returns an address.
fn address(url: &str) -> Result<Url, JsError> {
    Url::parse(url).map_err(|error| JsError::new(&format!("`{url}` is no address: {error}")))
}

/// Returns what was fetched; `url` is the address after redirects.
fn response(bytes: Vec<u8>, url: &str, content_type: Option<String>) -> Result<Response, JsError> {
    let mut url = address(url)?;
    url.set_fragment(None);
    Ok(Response { url, status: 200, content_type, body: bytes })
}
