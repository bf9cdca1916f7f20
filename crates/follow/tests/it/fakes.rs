//! A web of a few pages, and detectors that find what is marked.

use std::collections::BTreeMap;
use tsugi_follow::{Fetch, FetchError, Joiner, Limits, Response};
use tsugi_page::{Content, Evidence, FindContent, FindNext, NextLink, NodeId, Page, Relation, Url};

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

impl Fetch for Shelf {
    fn fetch(&self, at: &Url) -> Result<Response, FetchError> {
        match self.pages.get(at.as_str()) {
            Some(Answer::Page(html)) => Ok(response(at.as_str(), html)),
            Some(Answer::Redirect(to)) => self.fetch(&url(to)),
            Some(Answer::Disallowed) => {
                Err(FetchError::Disallowed { url: at.clone(), rule: "Disallow: /".to_owned() })
            }
            None => Err(FetchError::NotStored { url: at.clone() }),
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
/// the content is every outermost `main`.
#[derive(Debug)]
pub(crate) struct Marked;

impl FindNext for Marked {
    fn best_next(&self, page: &Page) -> Option<NextLink> {
        let node =
            page.elements().find(|id| page.is(*id, "a") && page.attribute(*id, "rel") == Some("next"))?;
        let score = page.attribute(node, "data-score").map_or(0.9, |score| score.parse().unwrap());
        let relation =
            if page.attribute(node, "data-chapter").is_some() { Relation::Chapter } else { Relation::Page };
        let url = page.resolve(page.attribute(node, "href")?)?;
        Some(NextLink { url, node, relation, score, evidence: Evidence::Markup })
    }

    fn threshold(&self) -> f32 {
        0.5
    }

    fn find_unfollowable(&self, page: &Page) -> Option<NodeId> {
        page.first("button")
    }

    /// Every `<a rel=prev>`.
    fn previous_candidates(&self, page: &Page) -> Vec<Url> {
        addresses(page, "rel", "prev")
    }

    /// Every `<a class=all>`.
    fn single_page_candidates(&self, page: &Page) -> Vec<Url> {
        addresses(page, "class", "all")
    }
}

/// Where the links lead that have an attribute of a value.
fn addresses(page: &Page, name: &str, value: &str) -> Vec<Url> {
    let links = page.elements().filter(|id| page.is(*id, "a") && page.attribute(*id, name) == Some(value));
    links.filter_map(|id| page.resolve(page.attribute(id, "href")?)).collect()
}

impl FindContent for Marked {
    fn find_content(&self, page: &Page, _: Option<&NextLink>) -> Content {
        let nodes = page.elements().filter(|id| page.is(*id, "main")).collect();
        Content { nodes: page.outermost(nodes), without: Vec::new(), score: 1.0, evidence: Evidence::Model }
    }
}

/// Joins what a shelf holds.
pub(crate) fn joiner(fetch: &dyn Fetch, limits: Limits) -> Joiner<'_> {
    Joiner { fetch, next: &Marked, content: &Marked, verify: None, limits }
}
