//! JSON.

use crate::document::Document;
use serde::Serialize;

#[derive(Serialize)]
struct Object<'a> {
    url: &'a str,
    title: Option<&'a str>,
    lang: Option<&'a str>,
    pages: Vec<PageObject<'a>>,
    text: &'a str,
    html: &'a str,
    stopped: StoppedObject<'a>,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct PageObject<'a> {
    url: &'a str,
    score: f32,
    by: &'a str,
    start: usize,
    end: usize,
    removed: usize,
}

#[derive(Serialize)]
struct StoppedObject<'a> {
    reason: &'a str,
    at: &'a str,
    detail: &'a str,
}

impl<'a> Object<'a> {
    fn of(document: &'a Document) -> Object<'a> {
        let page = |page: &'a crate::DocumentPage| PageObject {
            url: page.url.as_str(),
            score: page.score,
            by: &page.by,
            start: page.start,
            end: page.end,
            removed: page.removed,
        };
        let stopped = &document.stopped;
        Object {
            url: document.url.as_str(),
            title: document.title.as_deref(),
            lang: document.lang.as_deref(),
            pages: document.pages.iter().map(page).collect(),
            text: &document.text,
            html: &document.html,
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
pub fn json_line(document: &Document) -> String {
    // Strings, numbers and lists of them: there is nothing that could fail.
    serde_json::to_string(&Object::of(document)).unwrap_or_default()
}

pub(crate) fn pretty(document: &Document) -> String {
    let mut text = serde_json::to_string_pretty(&Object::of(document)).unwrap_or_default();
    text.push('\n');
    text
}
