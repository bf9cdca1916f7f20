//! What answers are made of, in the words of `types.d.ts`.

use serde::Serialize;
use std::collections::BTreeMap;
use tsugi::{Evidence, Look, Metadata, NextLink, NodeId, Page};
use tsugi_page::text::fold;

/// How many characters of an element's text are part of its mark.
const MARKED: usize = 120;

/// A reason in words.
#[derive(Debug, Serialize)]
pub(crate) struct Reason {
    pub(crate) what: String,
    pub(crate) weight: f64,
}

/// Whether one page continues another.
#[derive(Debug, Serialize)]
pub(crate) struct Verdict {
    score: f32,
    holds: bool,
    reasons: Vec<Reason>,
}

impl Verdict {
    pub(crate) fn of(verdict: &tsugi::Verdict) -> Verdict {
        let reason =
            |reason: &tsugi::Reason| Reason { what: reason.what.clone(), weight: reason.weight.into() };
        let reasons = verdict.reasons.iter().map(reason).collect();
        Verdict { score: verdict.score, holds: verdict.holds, reasons }
    }
}

/// Where an element is, and by what it is found if it has moved.
#[derive(Debug, Serialize)]
pub(crate) struct Mark {
    path: String,
    tag: String,
    id: Option<String>,
    text: String,
    characters: usize,
}

impl Mark {
    pub(crate) fn of(page: &Page, node: NodeId) -> Mark {
        let text = fold(page.string_value(node));
        Mark {
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
struct Best {
    url: String,
    relation: &'static str,
    score: f32,
    by: &'static str,
    accepted: bool,
    link: Mark,
}

#[derive(Debug, Serialize)]
struct Content {
    nodes: Vec<Mark>,
    score: f32,
    by: &'static str,
    rule: Option<String>,
}

/// What an extension needs to know about the page it is on.
#[derive(Debug, Serialize)]
pub(crate) struct Looked {
    best: Option<Best>,
    threshold: f32,
    content: Content,
    previous: Vec<String>,
    earlier: Option<String>,
    unfollowable: Option<Mark>,
    doubt: Option<String>,
    lang: Option<String>,
}

/// The most elements of content that are marked. A page appends below the last of them, and tables have thousands.
const MOST_MARKS: usize = 64;

impl Looked {
    pub(crate) fn of(look: &Look<'_>) -> Looked {
        let page = look.page();
        let best = look.best().map(|link: &NextLink| Best {
            url: link.url.to_string(),
            relation: link.relation.as_str(),
            score: link.score,
            by: match link.evidence {
                Evidence::Rule { .. } => "rule",
                Evidence::Markup => "rel",
                _ => "model",
            },
            accepted: look.accepts(link),
            link: Mark::of(page, link.node),
        });
        // Content that only the page's data holds has no place on the page.
        let shown = look.shown_content();
        let elements: Vec<NodeId> =
            shown.nodes.iter().copied().filter(|node| page.is_element(*node)).collect();
        let skipped = elements.len().saturating_sub(MOST_MARKS);
        let nodes = elements[skipped..].iter().map(|node| Mark::of(page, *node)).collect();
        let found = look.content();
        Looked {
            best,
            threshold: look.threshold(),
            content: Content {
                nodes,
                score: found.score,
                by: match found.evidence {
                    Evidence::Rule { .. } => "rule",
                    Evidence::Markup => "rel",
                    Evidence::Embedded => "embedded",
                    _ => "model",
                },
                rule: found.evidence.rule().map(str::to_owned),
            },
            previous: look.previous().into_iter().map(String::from).collect(),
            earlier: look.earlier(),
            unfollowable: look.unfollowable().map(|node| Mark::of(page, node)),
            doubt: look.doubt(),
            lang: Metadata::title_and_language(found.page(), &found).lang.map(|lang| lang.value),
        }
    }
}

/// Text, or an element with its attributes and what is in it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Tree {
    Text(String),
    Element(String, BTreeMap<String, String>, Vec<Tree>),
}
