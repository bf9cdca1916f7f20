//! The models and the rules.

use crate::answers::{JsLook, JsReason, JsVerdict};
use crate::boundary::{address, object, response};
use crate::joiner::{Joiner, join_options};
use crate::learner::SiteLearner;
use robotxt::Robots;
use serde::Serialize;
use tsugi::page::text::fold;
use tsugi::rules::Siteinfo;
use tsugi::scan::ScanLine;
use tsugi::{Look, Page, Tsugi};
use wasm_bindgen::prelude::*;

/// The name under which sites may address tsugi in their `robots.txt`.
const PRODUCT: &str = "tsugi";

/// The most reasons of a candidate.
const MOST_REASONS: usize = 6;

/// The most characters of a candidate's text.
const MOST_TEXT: usize = 60;

thread_local! {
    /// The models without rules, which all engines without rules share.
    static SHARED: Tsugi = Tsugi::new();
}

/// The models and the rules. Models are read when first needed.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Engine(Tsugi);

#[wasm_bindgen]
impl Engine {
    /// Returns an engine; `rules` is a JSON array of Wedata items, which take precedence over the models.
    ///
    /// # Errors
    ///
    /// If the rules are no array of items. Unusable items are skipped.
    #[wasm_bindgen(constructor)]
    pub fn new(rules: Option<Vec<u8>>) -> Result<Engine, JsError> {
        let Some(json) = rules else {
            return Ok(Engine(SHARED.with(Tsugi::clone)));
        };
        Ok(Engine(Tsugi::new().with_rules(Siteinfo::read_dump(&json)?)))
    }

    /// Reads the models now.
    pub fn warm(&self) {
        self.0.next_model();
        self.0.content_model();
        self.0.judge_model();
    }

    /// Returns the object of `tsugi scan` for a page. `url` is the address after redirects.
    ///
    /// # Errors
    ///
    /// If `url` is no address.
    #[wasm_bindgen(unchecked_return_type = "Scan")]
    pub fn scan(
        &self,
        bytes: Vec<u8>,
        url: &str,
        #[wasm_bindgen(js_name = contentType)] content_type: Option<String>,
    ) -> Result<JsValue, JsError> {
        let page = response(bytes, url, content_type)?.page();
        object(&ScanLine::of(&self.0.look(&page)))
    }

    /// Explains the next link and the content of a page, with at most `most` candidates of each.
    ///
    /// # Errors
    ///
    /// If `url` is no address.
    #[wasm_bindgen(unchecked_return_type = "Explanation")]
    pub fn explain(
        &self,
        bytes: Vec<u8>,
        url: &str,
        #[wasm_bindgen(js_name = contentType)] content_type: Option<String>,
        most: Option<usize>,
    ) -> Result<JsValue, JsError> {
        let page = response(bytes, url, content_type)?.page();
        object(&JsExplanation::of(&self.0.look(&page), most.unwrap_or(5)))
    }

    /// Returns the facts that an extension needs about the page it is on.
    ///
    /// # Errors
    ///
    /// If `url` is no address.
    #[wasm_bindgen(unchecked_return_type = "Look")]
    pub fn look(
        &self,
        bytes: Vec<u8>,
        url: &str,
        #[wasm_bindgen(js_name = contentType)] content_type: Option<String>,
    ) -> Result<JsValue, JsError> {
        let page = response(bytes, url, content_type)?.page();
        object(&JsLook::of(&self.0.look(&page)))
    }

    /// Returns whether the second page continues the first one, as the target of its best link; `null` if the first page has
    /// no link.
    ///
    /// # Errors
    ///
    /// If an address is invalid.
    #[wasm_bindgen(unchecked_return_type = "Verdict | null")]
    pub fn verify(
        &self,
        before: Vec<u8>,
        #[wasm_bindgen(js_name = beforeUrl)] before_url: &str,
        #[wasm_bindgen(js_name = beforeType)] before_type: Option<String>,
        after: Vec<u8>,
        #[wasm_bindgen(js_name = afterUrl)] after_url: &str,
        #[wasm_bindgen(js_name = afterType)] after_type: Option<String>,
    ) -> Result<JsValue, JsError> {
        let before = response(before, before_url, before_type)?.page();
        let after = response(after, after_url, after_type)?.page();
        let verdict = self.0.look(&before).is_continued_by(&self.0.look(&after));
        object(&verdict.as_ref().map(JsVerdict::of))
    }

    /// Starts to follow next links from the page at `start`.
    ///
    /// # Errors
    ///
    /// If `start` is no address, or an option is unknown.
    pub fn follow(
        &self,
        start: &str,
        #[wasm_bindgen(unchecked_param_type = "FollowOptions | undefined")] options: &JsValue,
    ) -> Result<Joiner, JsError> {
        Ok(Joiner::new(&self.0, address(start)?, &join_options(options)?))
    }

    /// Returns a learner of a rule for a site.
    pub fn learner(&self) -> SiteLearner {
        SiteLearner::new(self.0.clone())
    }
}

/// Returns the object of `tsugi scan` for a page, without rules. `url` is the address after redirects.
///
/// # Errors
///
/// If `url` is no address.
#[wasm_bindgen(unchecked_return_type = "Scan")]
pub fn scan(
    bytes: Vec<u8>,
    url: &str,
    #[wasm_bindgen(js_name = contentType)] content_type: Option<String>,
) -> Result<JsValue, JsError> {
    Engine::new(None)?.scan(bytes, url, content_type)
}

/// Explains the next link and the content of a page, without rules.
///
/// # Errors
///
/// If `url` is no address.
#[wasm_bindgen(unchecked_return_type = "Explanation")]
pub fn explain(
    bytes: Vec<u8>,
    url: &str,
    #[wasm_bindgen(js_name = contentType)] content_type: Option<String>,
    most: Option<usize>,
) -> Result<JsValue, JsError> {
    Engine::new(None)?.explain(bytes, url, content_type, most)
}

/// Returns `true` if a `robots.txt` allows tsugi to fetch an address of its site.
#[wasm_bindgen]
pub fn allows(robots: &[u8], url: &str) -> bool {
    let Ok(url) = address(url) else { return false };
    Robots::parse(robots, PRODUCT).is_url_allowed(&url)
}

/// Returns the seconds between requests that a `robots.txt` asks for.
#[wasm_bindgen(js_name = crawlDelay)]
pub fn crawl_delay(robots: &[u8]) -> Option<f64> {
    Robots::parse(robots, PRODUCT).crawl_delay().map(|delay| delay.as_secs_f64())
}

#[derive(Debug, Serialize)]
struct JsExplanation {
    threshold: f32,
    candidates: usize,
    links: Vec<JsExplainedLink>,
    blocks: Vec<JsExplainedBlock>,
}

#[derive(Debug, Serialize)]
struct JsExplainedLink {
    url: String,
    score: f32,
    relation: &'static str,
    path: String,
    text: String,
    reasons: Vec<JsReason>,
}

#[derive(Debug, Serialize)]
struct JsExplainedBlock {
    score: f32,
    path: String,
    text: String,
    reasons: Vec<JsReason>,
}

impl JsExplanation {
    fn of(look: &Look<'_>, most: usize) -> JsExplanation {
        let page = look.page();
        let explained = look.explain(most);
        let links = explained.links.into_iter().map(|candidate| JsExplainedLink {
            url: candidate.url.to_string(),
            score: candidate.score,
            relation: candidate.relation.as_str(),
            path: page.location_path(candidate.node),
            text: shortened(page, candidate.node),
            reasons: strongest(candidate.reasons),
        });
        let blocks = explained.blocks.into_iter().map(|block| JsExplainedBlock {
            score: block.score,
            path: page.location_path(block.node),
            text: shortened(page, block.node),
            reasons: strongest(block.reasons),
        });
        JsExplanation {
            threshold: look.threshold(),
            candidates: explained.link_count,
            links: links.collect(),
            blocks: blocks.collect(),
        }
    }
}

/// Returns the first reasons; they come strongest first.
fn strongest(reasons: Vec<tsugi::page::Reason>) -> Vec<JsReason> {
    reasons.into_iter().take(MOST_REASONS).map(JsReason::from).collect()
}

fn shortened(page: &Page, node: tsugi::page::NodeId) -> String {
    fold(page.string_value(node)).chars().take(MOST_TEXT).collect()
}
