//! A rule for a site, learned from a person's annotations, and tried on the site's other pages.

use super::annotation::Annotation;
use super::sets::{FolderName, SavedAnnotation, Sets};
use crate::error::ApiError;
use serde::Serialize;
use serde_json::Value;
use tsugi::page::address;
use tsugi::page::{Content, Evidence, Relation};
use tsugi::rules::Item;
use tsugi::rules::learn::{FactNodes, Observed, apply, learn};
use tsugi::{Archive, Fetch, NextLink, Page, Url};

/// The fewest pages of a site to learn from.
const TEACHERS: usize = 3;

/// The most pages to try a rule on.
const PREVIEWS: usize = 20;

/// Characters of text to show of each.
const SHOWN: usize = 200;

/// The lowest score of a link to learn from. Those of annotations have a score of 1.
const THRESHOLD: f32 = 0.5;

#[derive(Debug, Serialize)]
pub(super) struct RuleTrial {
    /// The number of annotated pages that the rule agrees with.
    agree: usize,
    /// The rule, as a Wedata item.
    item: Value,
    previews: Vec<RulePreview>,
    taught: usize,
}

/// The answer of the rule on a page that the person has not annotated.
#[derive(Debug, Serialize)]
struct RulePreview {
    content: usize,
    next: Option<Url>,
    text: String,
    url: Url,
}

pub(super) fn learn_and_try(
    sets: &Sets,
    set: &FolderName,
    person: &FolderName,
    host: &str,
) -> Result<RuleTrial, ApiError> {
    let saved = sets.saved(set, person)?.pages;
    let mut observed = Vec::new();
    let is_lesson =
        |saved: &&SavedAnnotation| saved.url.host_str() == Some(host) && !saved.annotation.roles_only;
    for one in saved.values().filter(is_lesson) {
        observed.push(taught(sets.page(set, &one.url)?, &one.annotation)?);
    }
    if observed.len() < TEACHERS {
        let message =
            format!("annotate at least {TEACHERS} pages of `{host}` first; there are {}", observed.len());
        return Err(ApiError::bad(message));
    }
    let all: Vec<&Observed> = observed.iter().collect();
    let learned = learn(&all, THRESHOLD).map_err(|error| ApiError::bad(tsugi::fetch::chain(&error)))?;
    let archive = sets.archive(set)?;
    let others = sets.queue(set)?.into_iter().map(|queued| queued.url);
    let others = others.filter(|url| url.host_str() == Some(host) && !saved.contains_key(url));
    Ok(RuleTrial {
        agree: learned.checks.iter().filter(|check| check.agrees()).count(),
        item: learned.item.to_json(),
        previews: others
            .take(PREVIEWS)
            .filter_map(|url| RulePreview::of(&learned.item, &archive, url))
            .collect(),
        taught: observed.len(),
    })
}

impl RulePreview {
    fn of(item: &Item, archive: &Archive, url: Url) -> Option<RulePreview> {
        let page = archive.fetch(&url).ok()?.page();
        let (next, content) = apply(item, &page);
        let text = page.text_of_content(&content, &[]).chars().take(SHOWN).collect();
        Some(RulePreview { content: content.len(), next, text, url })
    }
}

/// Returns an annotation as if a model had found the same, and were sure.
fn taught(page: Page, annotation: &Annotation) -> Result<Observed, ApiError> {
    let marked = annotation.on(&page)?;
    let next = marked.next.map(|(node, url)| NextLink {
        url: address::without_fragment(&url),
        node,
        relation: Relation::Page,
        score: 1.0,
        evidence: Evidence::Model,
    });
    let content =
        Content { nodes: marked.content, without: marked.without, score: 1.0, evidence: Evidence::Model };
    Ok(Observed { page, next, content, facts: FactNodes::default() })
}
