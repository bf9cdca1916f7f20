//! Conversions from and to JavaScript: addresses, pages, plain objects.

use serde::Serialize;
use tsugi::{Response, Url};
use wasm_bindgen::prelude::*;

/// Returns a value as a plain object.
pub(crate) fn object(value: &impl Serialize) -> Result<JsValue, JsError> {
    let json = serde_json::to_string(value)?;
    js_sys::JSON::parse(&json).map_err(|_| JsError::new("the answer is no JSON"))
}

pub(crate) fn address(url: &str) -> Result<Url, JsError> {
    Url::parse(url).map_err(|error| JsError::new(&format!("`{url}` is no address: {error}")))
}

/// Returns a fetched page; `url` is the address after redirects.
pub(crate) fn response(bytes: Vec<u8>, url: &str, content_type: Option<String>) -> Result<Response, JsError> {
    let mut url = address(url)?;
    url.set_fragment(None);
    Ok(Response { url, status: 200, content_type, link: None, body: bytes })
}
