//! JSON: one object per document.

use super::html;
use crate::document::{Document, DocumentPage};
use crate::stop::Tried;
use serde::Serialize;
use std::ops::Range;
use tsugi_page::text::{is_alphanumeric, is_cjk, json_for_terminals};
use tsugi_page::{Url, Verdict};

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
    description: Option<&'a str>,
    image: Option<&'a str>,
    section: Option<&'a str>,
    tags: &'a [String],
    /// The number of words; each Chinese or Japanese character counts as one.
    words: usize,
    pages: Vec<PageObject<'a>>,
    text: &'a str,
    /// The runs of the text with one role.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartObject<'a>>,
    html: String,
    complete: bool,
    stopped: StoppedObject<'a>,
    /// Links below the threshold that were followed to see what is behind them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tried: Vec<TriedObject<'a>>,
    warnings: &'a [String],
}

#[derive(Serialize)]
struct PageObject<'a> {
    url: &'a str,
    score: f32,
    by: &'a str,
    content: ContentObject<'a>,
    /// The siteinfo item that found the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<&'a str>,
    /// `null` for the first page, and if no model judged.
    verified: Option<VerdictObject<'a>>,
    start: usize,
    end: usize,
    removed: usize,
    /// The text of the comments below the article.
    #[serde(skip_serializing_if = "Option::is_none")]
    comments: Option<&'a str>,
}

#[derive(Serialize)]
struct ContentObject<'a> {
    by: &'a str,
    score: f32,
}

#[derive(Serialize)]
struct VerdictObject<'a> {
    score: f32,
    /// The evidence for the pair and against it, the strongest first.
    r#for: Vec<&'a str>,
    against: Vec<&'a str>,
}

impl<'a> PageObject<'a> {
    fn of(page: &'a DocumentPage, characters: &Range<usize>) -> PageObject<'a> {
        PageObject {
            url: page.url.as_str(),
            score: page.score,
            by: &page.by,
            content: ContentObject { by: page.content_by, score: page.content_score },
            rule: page.rule.as_deref(),
            verified: page.verdict.as_ref().map(VerdictObject::of),
            start: characters.start,
            end: characters.end,
            removed: page.removed,
            comments: page.comments.as_deref(),
        }
    }
}

impl<'a> VerdictObject<'a> {
    fn of(verdict: &'a Verdict) -> VerdictObject<'a> {
        let mut object = VerdictObject { score: verdict.score, r#for: Vec::new(), against: Vec::new() };
        for reason in &verdict.reasons {
            let side = if reason.weight >= 0.0 { &mut object.r#for } else { &mut object.against };
            side.push(&reason.what);
        }
        object
    }
}

#[derive(Serialize)]
struct PartObject<'a> {
    role: &'a str,
    start: usize,
    end: usize,
}

#[derive(Serialize)]
struct StoppedObject<'a> {
    reason: &'a str,
    at: &'a str,
    detail: &'a str,
}

#[derive(Serialize)]
struct TriedObject<'a> {
    url: &'a str,
    score: f32,
    /// The score of the pair; `null` if it was not judged.
    verdict: Option<f32>,
    /// `null` if the page is part of the document.
    refused: Option<&'a str>,
}

impl<'a> TriedObject<'a> {
    fn of(tried: &'a Tried) -> TriedObject<'a> {
        let Tried { url, score, verdict, refused } = tried;
        TriedObject { url: url.as_str(), score: *score, verdict: *verdict, refused: refused.as_deref() }
    }
}

impl<'a> Object<'a> {
    fn of(document: &'a Document) -> Object<'a> {
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
            description: document.description.as_deref(),
            image: document.image.as_ref().map(Url::as_str),
            section: document.section.as_deref(),
            tags: &document.tags,
            words: words(&document.text),
            pages: std::iter::zip(&document.pages, &document.page_characters())
                .map(|(page, characters)| PageObject::of(page, characters))
                .collect(),
            text: &document.text,
            parts: std::iter::zip(&document.parts, document.part_characters())
                .map(|(part, Range { start, end })| PartObject { role: part.role, start, end })
                .collect(),
            html: html::sections(document),
            complete: document.is_complete(),
            stopped: StoppedObject {
                reason: stopped.reason.as_str(),
                at: stopped.at.as_str(),
                detail: &stopped.detail,
            },
            tried: document.tried.iter().map(TriedObject::of).collect(),
            warnings: &document.warnings,
        }
    }
}

/// Returns the number of words: runs of letters and digits, including marks inside them (`don't`, `3.5`), and each character of
/// scripts without spaces.
fn words(text: &str) -> usize {
    let mut words = 0;
    let mut inside = false;
    for c in text.chars() {
        let alone = is_cjk(c) && !matches!(c, '\u{ac00}'..='\u{d7af}');
        let counts = is_alphanumeric(c);
        words += usize::from(counts && (alone || !inside));
        inside = !alone && (counts || (inside && !c.is_whitespace() && !matches!(c, '—' | '–' | '/')));
    }
    words
}

/// As [`Document::json_line`].
#[cfg(feature = "serde")]
impl Serialize for Document {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Object::of(self).serialize(serializer)
    }
}

/// Returns a document as JSON on one line, without a newline at the end.
pub(super) fn line(document: &Document) -> String {
    // Strings, numbers and lists of them cannot fail.
    let json = serde_json::to_string(&Object::of(document)).unwrap_or_default();
    json_for_terminals(&json).into_owned()
}

pub(super) fn pretty(document: &Document) -> String {
    let json = serde_json::to_string_pretty(&Object::of(document)).unwrap_or_default();
    let mut json = json_for_terminals(&json).into_owned();
    json.push('\n');
    json
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_counted_in_all_scripts() {
        for (text, count) in [
            ("", 0),
            ("One two.", 2),
            ("don't stop – ever", 3),
            ("3.5 km", 2),
            ("雪が降る。", 4),
            ("눈이 내린다", 2),
            ("Rust で書く", 4),
            ("— …", 0),
        ] {
            assert_eq!(words(text), count, "{text}");
        }
    }
}
