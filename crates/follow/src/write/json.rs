//! JSON.

use super::html;
use crate::document::{Document, DocumentPage};
use serde::Serialize;
use tsugi_page::{Reason, Url, Verdict};

#[derive(Serialize)]
struct Object<'a> {
    url: &'a str,
    title: Option<&'a str>,
    authors: &'a [String],
    published: Option<&'a str>,
    modified: Option<&'a str>,
    lang: Option<&'a str>,
    canonical: Option<&'a str>,
    site: Option<&'a str>,
    pages: Vec<PageObject<'a>>,
    text: &'a str,
    html: String,
    complete: bool,
    stopped: StoppedObject<'a>,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct PageObject<'a> {
    url: &'a str,
    score: f32,
    by: &'a str,
    content: ContentObject<'a>,
    /// The siteinfo item that the content was found by.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    /// `null` for the first page, and where nobody judged.
    verified: Option<VerdictObject<'a>>,
    start: usize,
    end: usize,
    removed: usize,
    /// The text of the comments below the article.
    #[serde(skip_serializing_if = "Option::is_none")]
    comments: Option<&'a str>,
}

/// What the content of a page rests on, and how sure it is.
#[derive(Serialize)]
struct ContentObject<'a> {
    by: &'a str,
    score: f32,
}

#[derive(Serialize)]
struct VerdictObject<'a> {
    score: f32,
    /// What speaks for the pair, and against it, the weightiest first.
    r#for: Vec<&'a str>,
    against: Vec<&'a str>,
}

impl<'a> VerdictObject<'a> {
    fn of(verdict: &'a Verdict) -> VerdictObject<'a> {
        let (r#for, against): (Vec<&Reason>, _) =
            verdict.reasons.iter().partition(|reason| reason.weight >= 0.0);
        let words =
            |reasons: Vec<&'a Reason>| reasons.into_iter().map(|reason| reason.what.as_str()).collect();
        VerdictObject { score: verdict.score, r#for: words(r#for), against: words(against) }
    }
}

#[derive(Serialize)]
struct StoppedObject<'a> {
    reason: &'a str,
    at: &'a str,
    detail: &'a str,
}

impl<'a> Object<'a> {
    fn of(document: &'a Document) -> Object<'a> {
        let page = |page: &'a DocumentPage| PageObject {
            url: page.url.as_str(),
            score: page.score,
            by: &page.by,
            content: ContentObject { by: page.content_by, score: page.content_score },
            rule: page.rule.as_deref(),
            verified: page.verdict.as_ref().map(VerdictObject::of),
            start: page.start,
            end: page.end,
            removed: page.removed,
            comments: page.comments.as_deref(),
        };
        let stopped = &document.stopped;
        Object {
            url: document.url.as_str(),
            title: document.title.as_deref(),
            authors: &document.authors,
            published: document.published.as_deref(),
            modified: document.modified.as_deref(),
            lang: document.lang.as_deref(),
            canonical: document.canonical.as_ref().map(Url::as_str),
            site: document.site.as_deref(),
            pages: document.pages.iter().map(page).collect(),
            text: &document.text,
            html: html::sections(document),
            complete: document.is_complete(),
            stopped: StoppedObject {
                reason: stopped.reason.as_str(),
                at: stopped.at.as_str(),
                detail: &stopped.detail,
            },
            warnings: &document.warnings,
        }
    }
}

/// Writes a document as JSON on one line, without a newline at the end.
pub(super) fn line(document: &Document) -> String {
    // Strings, numbers and lists of them: there is nothing that could fail.
    serde_json::to_string(&Object::of(document)).unwrap_or_default()
}

pub(super) fn pretty(document: &Document) -> String {
    let mut text = serde_json::to_string_pretty(&Object::of(document)).unwrap_or_default();
    text.push('\n');
    text
}
