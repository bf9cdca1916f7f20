//! A web of a few pages, and models that find what is marked.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tsugi::detect::{Detect, Findings, Pair};
use tsugi::page::{Content, Evidence, Reason, Relation, UnavailableKind};
use tsugi::{JoinOptions, NextLink, Page, Reassembly, Response, Tsugi, Unavailable, Url, Verdict};

pub(crate) fn url(text: &str) -> Url {
    text.parse().unwrap()
}

/// Pages by address.
#[derive(Default)]
pub(crate) struct StoredPages(BTreeMap<String, StoredAnswer>);

enum StoredAnswer {
    Page(String),
    Redirect(String),
    Disallowed,
}

impl StoredPages {
    pub(crate) fn page(self, at: &str, html: &str) -> Self {
        self.with(at, StoredAnswer::Page(html.to_owned()))
    }

    pub(crate) fn redirect(self, at: &str, to: &str) -> Self {
        self.with(at, StoredAnswer::Redirect(to.to_owned()))
    }

    pub(crate) fn disallowed(self, at: &str) -> Self {
        self.with(at, StoredAnswer::Disallowed)
    }

    fn with(mut self, at: &str, answer: StoredAnswer) -> Self {
        self.0.insert(at.to_owned(), answer);
        self
    }

    pub(crate) fn get(&self, at: &Url) -> Result<Response, Unavailable> {
        match self.0.get(at.as_str()) {
            Some(StoredAnswer::Page(html)) => Ok(response(at.as_str(), html)),
            Some(StoredAnswer::Redirect(to)) => self.get(&url(to)),
            Some(StoredAnswer::Disallowed) => {
                let message = format!("`{at}` may not be fetched: Disallow: /");
                Err(Unavailable::new(UnavailableKind::Robots, at, message))
            }
            None => Err(Unavailable::new(UnavailableKind::NotStored, at, format!("`{at}` is not stored"))),
        }
    }
}

pub(crate) fn response(at: &str, html: &str) -> Response {
    Response {
        url: url(at),
        status: 200,
        content_type: Some("text/html; charset=utf-8".into()),
        link: None,
        body: html.into(),
    }
}

/// The next link is the first `<a rel=next>`, with its score in `data-score`, and a chapter if it has `data-chapter`.
/// The content is every outermost `main`. A page continues any other unless the followed address has the path segment
/// `other`.
#[derive(Debug, Default)]
pub(crate) struct Marked {
    looks: AtomicUsize,
}

impl Marked {
    /// Returns how many pages were looked at.
    pub(crate) fn looks(&self) -> usize {
        self.looks.load(Ordering::Relaxed)
    }
}

impl Detect for Marked {
    /// The evidence of the content is `Markup`, so that no words of such short pages are taken for remains of a pager.
    fn find(&self, page: &Page) -> Findings {
        self.looks.fetch_add(1, Ordering::Relaxed);
        let nodes = page.elements().filter(|id| page.is(*id, "main")).collect();
        let content =
            Content { nodes: page.outermost(nodes), score: 1.0, ..Content::nothing(Evidence::Markup) };
        Findings::new(marked_link(page), 0.5, content)
    }

    fn judge(&self, pair: &Pair<'_>) -> Option<Verdict> {
        let holds =
            !pair.link.url.path_segments().is_some_and(|mut segments| segments.any(|at| at == "other"));
        let reasons = [("another story", -2.0), ("same title", 1.0)];
        let reasons = reasons.map(|(what, weight)| Reason { what: what.to_owned(), weight }).into();
        Some(Verdict { score: if holds { 0.9 } else { 0.1 }, holds, reasons })
    }
}

fn marked_link(page: &Page) -> Option<NextLink> {
    let node = page.elements().find(|id| page.is(*id, "a") && page.attribute(*id, "rel") == Some("next"))?;
    let score = page.attribute(node, "data-score").map_or(0.9, |score| score.parse().unwrap());
    let is_chapter = page.attribute(node, "data-chapter").is_some();
    let relation = if is_chapter { Relation::Chapter } else { Relation::Page };
    let url = page.resolve(page.attribute(node, "href")?)?;
    Some(NextLink { url, node, relation, score, evidence: Evidence::Markup })
}

/// Returns a `Tsugi` with this detector.
pub(crate) fn with_models(marked: &Arc<Marked>) -> Tsugi {
    Tsugi::new().with_detector(Arc::clone(marked))
}

pub(crate) fn marked() -> Tsugi {
    with_models(&Arc::default())
}

/// Joins stored pages from a page on.
pub(crate) fn joined_from(
    pages: &StoredPages,
    start: &str,
    options: JoinOptions,
) -> Result<Reassembly, Unavailable> {
    marked().reassemble(&url(start), &options, |at| pages.get(at))
}

/// Joins stored pages from `https://a.test/1` on.
pub(crate) fn joined(pages: &StoredPages, options: JoinOptions) -> Reassembly {
    joined_from(pages, "https://a.test/1", options).unwrap()
}
