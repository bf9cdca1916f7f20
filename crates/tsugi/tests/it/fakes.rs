//! A web of a few pages, and models that find what is marked.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tsugi::{
    Content, ContentModel, Evidence, FindContent, FindNext, JudgeModel, JudgePair, Limits, LinkModel,
    NextLink, NodeId, Page, Pair, Reason, Reassembly, Relation, Response, Tsugi, Unavailable, Url, Verdict,
};

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
                Err(Unavailable::named("robots", format!("`{at}` may not be fetched: Disallow: /")))
            }
            None => Err(Unavailable::named("not-stored", format!("`{at}` is not stored"))),
        }
    }
}

pub(crate) fn response(at: &str, html: &str) -> Response {
    Response {
        url: url(at),
        status: 200,
        content_type: Some("text/html; charset=utf-8".into()),
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

impl FindNext for Marked {
    fn best(&self, page: &Page) -> Option<NextLink> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        let node =
            page.elements().find(|id| page.is(*id, "a") && page.attribute(*id, "rel") == Some("next"))?;
        let score = page.attribute(node, "data-score").map_or(0.9, |score| score.parse().unwrap());
        let is_chapter = page.attribute(node, "data-chapter").is_some();
        let relation = if is_chapter { Relation::Chapter } else { Relation::Page };
        let url = page.resolve(page.attribute(node, "href")?)?;
        Some(NextLink { url, node, relation, score, evidence: Evidence::Markup })
    }

    fn threshold(&self) -> f32 {
        0.5
    }
}

impl FindContent for Marked {
    /// The evidence is `Markup`, so that no words of such short pages are taken for remains of a pager.
    fn find(&self, page: &Page, _: Option<NodeId>) -> Content {
        let nodes = page.elements().filter(|id| page.is(*id, "main")).collect();
        Content { nodes: page.outermost(nodes), score: 1.0, ..Content::nothing(Evidence::Markup) }
    }
}

impl JudgePair for Marked {
    fn judge(&self, pair: &Pair<'_>) -> Verdict {
        let holds = !pair.link.0.path_segments().is_some_and(|mut segments| segments.any(|at| at == "other"));
        let reasons = [("another story", -2.0), ("same title", 1.0)];
        let reasons = reasons.map(|(what, weight)| Reason { what: what.to_owned(), weight }).into();
        Verdict { score: if holds { 0.9 } else { 0.1 }, holds, reasons }
    }
}

/// Returns a `Tsugi` with these models.
pub(crate) fn with_models(marked: &Arc<Marked>) -> Tsugi {
    Tsugi::new()
        .with_next_model(LinkModel::Own(Arc::clone(marked) as Arc<dyn FindNext>))
        .with_content_model(ContentModel::Own(Arc::clone(marked) as Arc<dyn FindContent>))
        .with_judge(Some(JudgeModel::Own(Arc::clone(marked) as Arc<dyn JudgePair>)))
}

pub(crate) fn marked() -> Tsugi {
    with_models(&Arc::default())
}

/// Joins stored pages from a page on.
pub(crate) fn joined_from(
    pages: &StoredPages,
    start: &str,
    limits: Limits,
) -> Result<Reassembly, Unavailable> {
    marked().reassemble(&url(start), limits, |at| pages.get(at))
}

/// Joins stored pages from `https://a.test/1` on.
pub(crate) fn joined(pages: &StoredPages, limits: Limits) -> Reassembly {
    joined_from(pages, "https://a.test/1", limits).unwrap()
}
