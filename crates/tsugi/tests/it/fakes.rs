//! A web of a few pages, and a detector that finds what is marked.

use std::cell::Cell;
use std::collections::BTreeMap;
use tsugi_document::{Detector, Following, Limits, PageLook, Reassembly};
use tsugi_page::{
    Content, Evidence, NextLink, NodeId, Page, Reason, Relation, Response, Unavailable, Url, Verdict,
};

pub(crate) fn url(text: &str) -> Url {
    text.parse().unwrap()
}

/// Pages by address.
#[derive(Default)]
pub(crate) struct Shelf {
    pages: BTreeMap<String, Answer>,
}

pub(crate) enum Answer {
    Page(String),
    Redirect(String),
    Disallowed,
}

impl Shelf {
    pub(crate) fn page(mut self, at: &str, html: &str) -> Self {
        self.pages.insert(at.to_owned(), Answer::Page(html.to_owned()));
        self
    }

    pub(crate) fn answer(mut self, at: &str, answer: Answer) -> Self {
        self.pages.insert(at.to_owned(), answer);
        self
    }
}

impl Shelf {
    pub(crate) fn get(&self, at: &Url) -> Result<Response, Unavailable> {
        let unavailable = |word: &str, message: String| Unavailable { word: word.to_owned(), message };
        match self.pages.get(at.as_str()) {
            Some(Answer::Page(html)) => Ok(response(at.as_str(), html)),
            Some(Answer::Redirect(to)) => self.get(&url(to)),
            Some(Answer::Disallowed) => {
                Err(unavailable("robots", format!("`{at}` may not be fetched: Disallow: /")))
            }
            None => Err(unavailable("not-stored", format!("`{at}` is not stored"))),
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

/// The next link is the first `<a rel=next>`, its score in `data-score`, a chapter if `data-chapter` is there;
/// the content is every outermost `main`. A page continues any other unless it has an `aside`; nobody judges pages
/// without a `section`.
#[derive(Debug, Default)]
pub(crate) struct Marked {
    /// What links rest on, and content but for that in an `article`.
    pub(crate) evidence: Option<Evidence>,
    /// How many pages were looked at.
    pub(crate) looks: Cell<usize>,
}

#[derive(Debug)]
pub(crate) struct MarkedLook<'p> {
    page: &'p Page,
    best: Option<NextLink>,
    content: Content,
}

impl Detector for Marked {
    type Look<'p> = MarkedLook<'p>;
    /// Whether the page is judged, and whether it continues others.
    type Facts = (bool, bool);

    fn look<'p>(&'p self, page: &'p Page) -> MarkedLook<'p> {
        self.looks.set(self.looks.get() + 1);
        let links = || page.elements().filter(|id| page.is(*id, "a"));
        let next = links().find(|id| page.attribute(*id, "rel") == Some("next"));
        let best = next.and_then(|node| {
            let score = page.attribute(node, "data-score").map_or(0.9, |score| score.parse().unwrap());
            let is_chapter = page.attribute(node, "data-chapter").is_some();
            let relation = if is_chapter { Relation::Chapter } else { Relation::Page };
            let url = page.resolve(page.attribute(node, "href")?)?;
            let evidence = self.evidence.clone().unwrap_or(Evidence::Markup);
            Some(NextLink { url, node, relation, score, evidence })
        });
        let content = |nodes, evidence| Content { nodes, without: Vec::new(), score: 1.0, evidence };
        let content = if let Some(node) = page.first("article") {
            content(vec![node], Evidence::Model)
        } else {
            let nodes = page.elements().filter(|id| page.is(*id, "main")).collect();
            content(page.outermost(nodes), self.evidence.clone().unwrap_or(Evidence::Model))
        };
        MarkedLook { page, best, content }
    }

    fn judge(
        &self,
        before: &(bool, bool),
        _: &NextLink,
        after: &(bool, bool),
        _: Option<&NextLink>,
    ) -> Option<Verdict> {
        let reasons = [("another story", -2.0), ("same title", 1.0)];
        let reasons = reasons.map(|(what, weight)| Reason { what: what.to_owned(), weight }).into();
        let score = if after.1 { 0.9 } else { 0.1 };
        (before.0 && after.0).then_some(Verdict { score, holds: after.1, reasons })
    }
}

impl PageLook for MarkedLook<'_> {
    type Facts = (bool, bool);

    fn best(&self) -> Option<&NextLink> {
        self.best.as_ref()
    }

    fn threshold(&self) -> f32 {
        0.5
    }

    fn content(&self) -> &Content {
        &self.content
    }

    fn unfollowable(&self) -> Option<NodeId> {
        self.page.first("button")
    }

    fn earlier(&self) -> Option<String> {
        let has_one = !addresses(self.page, "rel", "prev").is_empty();
        has_one.then(|| "this is a later page".to_owned())
    }

    /// Every `<a rel=prev>`.
    fn previous(&self) -> Vec<Url> {
        addresses(self.page, "rel", "prev")
    }

    /// Every `<a class=all>`.
    fn single_page(&self) -> Vec<Url> {
        addresses(self.page, "class", "all")
    }

    fn facts(&self) -> (bool, bool) {
        (self.page.first("section").is_some(), self.page.first("aside").is_none())
    }
}

/// Where the links lead that have an attribute of a value.
fn addresses(page: &Page, name: &str, value: &str) -> Vec<Url> {
    let links = page.elements().filter(|id| page.is(*id, "a") && page.attribute(*id, name) == Some(value));
    links.filter_map(|id| page.resolve(page.attribute(id, "href")?)).collect()
}

/// Joins what a shelf holds.
pub(crate) fn joined_by(
    detector: &Marked,
    shelf: &Shelf,
    start: &str,
    limits: Limits,
) -> Result<Reassembly, Unavailable> {
    let mut following = Following::new(detector, url(start), limits);
    while let Some(at) = following.wanted() {
        let answer = shelf.get(at);
        following.give(answer);
    }
    following.finish()
}

/// Joins what a shelf holds, from its first page on.
pub(crate) fn joined(shelf: &Shelf, limits: Limits) -> Reassembly {
    joined_by(&Marked::default(), shelf, "https://a.test/1", limits).unwrap()
}
