//! Learning a rule for a site from the pages that a reader has seen.

use crate::boundary::{object, response};
use serde::Serialize;
use serde_json::Value;
use tsugi::Tsugi;
use tsugi::rules::{export, learn};
use wasm_bindgen::prelude::*;

/// `Learned` of `types.d.ts`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct JsLearned {
    item: Value,
    css: Value,
    five_filters: String,
    pages: Vec<JsPageCheck>,
}

#[derive(Debug, Serialize)]
struct JsPageCheck {
    url: String,
    agrees: bool,
}

/// Learns a rule for one site from pages that the caller adds.
#[wasm_bindgen(js_name = Learner)]
#[derive(Debug)]
pub struct SiteLearner {
    tsugi: Tsugi,
    observed: Vec<learn::Observed>,
}

impl SiteLearner {
    pub(crate) fn new(tsugi: Tsugi) -> SiteLearner {
        SiteLearner { tsugi, observed: Vec::new() }
    }
}

#[wasm_bindgen(js_class = Learner)]
impl SiteLearner {
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

    /// Returns the rule that agrees best with the models on the added pages.
    ///
    /// # Errors
    ///
    /// If no page has a next link or content, or if the pages are from several hosts.
    #[wasm_bindgen(unchecked_return_type = "Learned")]
    pub fn learn(&self) -> Result<JsValue, JsError> {
        let observed: Vec<&learn::Observed> = self.observed.iter().collect();
        let learned = learn::learn(&observed, self.tsugi.threshold())?;
        let check =
            |check: &learn::PageCheck| JsPageCheck { url: check.url.to_string(), agrees: check.agrees() };
        object(&JsLearned {
            item: learned.item.to_json(),
            css: export::css(&learned),
            five_filters: export::five_filters(&learned.item),
            pages: learned.checks.iter().map(check).collect(),
        })
    }
}
