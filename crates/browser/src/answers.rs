//! Answers to JavaScript, with the fields of `types.d.ts`.

use serde::Serialize;
use std::collections::BTreeMap;
use tsugi::metadata::Metadata;
use tsugi::page::text::fold;
use tsugi::page::{Evidence, NodeId, Reason};
use tsugi::{Look, NextLink, Page};

/// The most characters of an element's text in its mark.
const MARKED: usize = 120;

#[derive(Debug, Serialize)]
pub(crate) struct JsReason {
    what: String,
    weight: f64,
}

impl From<Reason> for JsReason {
    fn from(Reason { what, weight }: Reason) -> JsReason {
        JsReason { what, weight: weight.into() }
    }
}

#[derive(Debug, Serialize)]
pub(crate) struct JsVerdict {
    score: f32,
    holds: bool,
    reasons: Vec<JsReason>,
}

impl JsVerdict {
    pub(crate) fn of(verdict: &tsugi::Verdict) -> JsVerdict {
        let reasons = verdict.reasons.iter().cloned().map(JsReason::from).collect();
        JsVerdict { score: verdict.score, holds: verdict.holds, reasons }
    }
}

/// Where an element is, and how to find it if it has moved.
#[derive(Debug, Serialize)]
pub(crate) struct ElementMark {
    path: String,
    tag: String,
    id: Option<String>,
    text: String,
    characters: usize,
}

impl ElementMark {
    pub(crate) fn of(page: &Page, node: NodeId) -> ElementMark {
        let text = fold(page.string_value(node));
        ElementMark {
            path: page.location_path(node),
            tag: page.tag(node).to_owned(),
            id: page.attribute(node, "id").map(str::to_owned),
            characters: text.chars().count(),
            text: text.chars().take(MARKED).collect(),
        }
    }
}

/// A candidate for the next page.
#[derive(Debug, Serialize)]
struct JsBest {
    url: String,
    relation: &'static str,
    score: f32,
    by: &'static str,
    accepted: bool,
    link: ElementMark,
}

#[derive(Debug, Serialize)]
struct JsContent {
    nodes: Vec<ElementMark>,
    score: f32,
    by: &'static str,
    rule: Option<String>,
}

/// `Look` of `types.d.ts`.
#[derive(Debug, Serialize)]
pub(crate) struct JsLook {
    best: Option<JsBest>,
    threshold: f32,
    content: JsContent,
    previous: Vec<String>,
    earlier: Option<String>,
    unfollowable: Option<ElementMark>,
    doubt: Option<String>,
    lang: Option<String>,
}

/// The most content elements to mark, counted from the last, below which an extension appends. Tables have thousands.
const MOST_MARKS: usize = 64;

impl JsLook {
    pub(crate) fn of(look: &Look<'_>) -> JsLook {
        let page = look.page();
        let best = look.best().map(|link: &NextLink| JsBest {
            url: link.url.to_string(),
            relation: link.relation.as_str(),
            score: link.score,
            by: match link.evidence {
                Evidence::Rule { .. } => "rule",
                Evidence::Markup => "rel",
                _ => "model",
            },
            accepted: look.accepts(link),
            link: ElementMark::of(page, link.node),
        });
        // Content from the page's data may have no element on the page.
        let shown = look.shown_content();
        let elements: Vec<NodeId> =
            shown.nodes().iter().copied().filter(|node| page.is_element(*node)).collect();
        let skipped = elements.len().saturating_sub(MOST_MARKS);
        let nodes = elements[skipped..].iter().map(|node| ElementMark::of(page, *node)).collect();
        let found = look.content();
        JsLook {
            best,
            threshold: look.threshold(),
            content: JsContent {
                nodes,
                score: found.score(),
                by: match found.evidence() {
                    Evidence::Rule { .. } => "rule",
                    Evidence::Markup => "rel",
                    Evidence::Embedded => "embedded",
                    _ => "model",
                },
                rule: found.evidence().rule().map(str::to_owned),
            },
            previous: look.previous().into_iter().map(String::from).collect(),
            earlier: look.earlier(),
            unfollowable: look.unfollowable().map(|node| ElementMark::of(page, node)),
            doubt: look.doubt(),
            lang: Metadata::title_and_language(found.page(), found.as_content()).lang.map(|lang| lang.value),
        }
    }
}

/// Text, or an element: its name, attributes and children.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum MarkupTree {
    Text(String),
    Element(String, BTreeMap<String, String>, Vec<MarkupTree>),
}
