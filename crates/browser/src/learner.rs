//! Learning a rule for a site from the pages that a reader has seen.

use crate::boundary::{object, response};
use serde::Serialize;
use serde_json::Value;
use tsugi::Tsugi;
use tsugi_siteinfo::{export, learn};
use wasm_bindgen::prelude::*;

/// `Learned` of `types.d.ts`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Learned {
    item: Value,
    css: Value,
    five_filters: String,
    pages: Vec<Check>,
}

#[derive(Debug, Serialize)]
struct Check {
    url: String,
    agrees: bool,
}

/// Learns a rule for one site: is given pages, then asked.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Learner {
    tsugi: Tsugi,
    observed: Vec<learn::Observed>,
}

impl Learner {
    pub(crate) fn new(tsugi: Tsugi) -> Learner {
        Learner { tsugi, observed: Vec::new() }
    }
}

#[wasm_bindgen]
impl Learner {
    /// Adds a page of the site. `url` is its address after redirects.
    ///
    /// # Errors
    ///
    /// If `url` is no address.
    pub fn add(
        &mut self,
        bytes: Vec<u8>,
        url: &str,
        #[wasm_bindgen(js_name = contentType)] content_type: Option<String>,
    ) -> Result<(), JsError> {
        let page = response(bytes, url, content_type)?.page();
        self.observed.push(self.tsugi.observe(page));
        Ok(())
    }

    /// Returns the rule that agrees best with what was found on the pages.
    ///
    /// # Errors
    ///
    /// If there is none: no page has a next link or content, or they are from several hosts.
    #[wasm_bindgen(unchecked_return_type = "Learned")]
    pub fn learn(&self) -> Result<JsValue, JsError> {
        let observed: Vec<&learn::Observed> = self.observed.iter().collect();
        let learned = learn::learn(&observed, self.tsugi.next_model().threshold())?;
        let check = |check: &learn::PageCheck| Check { url: check.url.to_string(), agrees: check.agrees() };
        object(&Learned {
            item: learned.item.to_json(),
            css: export::css(&learned),
            five_filters: export::five_filters(&learned.item),
            pages: learned.checks.iter().map(check).collect(),
        })
    }
}
