//! The pages of a sequence.

use crate::shown::Shown;
use crate::stop::{Stopped, Tried};
use std::collections::BTreeMap;
use tsugi_metadata::Metadata;
use tsugi_page::{Content, NextLink, NodeId, Page, Verdict};

/// One page of a sequence. [`stitch()`](crate::stitch()) has an example.
#[derive(Debug, Clone)]
pub struct Part {
    /// The page.
    pub page: Page,
    /// Its main content.
    pub content: Content,
    /// The name of the role of each text node, such as `body`, if the content was chosen by roles; else empty.
    pub roles: BTreeMap<NodeId, &'static str>,
    /// What is said of the page, where a rule says some of it; otherwise the page tells.
    pub metadata: Option<Metadata>,
    /// The comments below the article, which are not part of its content.
    pub comments: Option<Content>,
    /// The score of the link that led here, in [0, 1]; 1 for the first page.
    pub score: f32,
    /// Source of that link: `model`, `rule` or `rel`; `start` for the first page, `single-page` for a page that replaces
    /// the others.
    pub by: &'static str,
    /// Whether it continues the previous page, and why; `None` for the first page, and if no model judged.
    pub verdict: Option<Verdict>,
    /// Its best next link, however low its score.
    pub next: Option<NextLink>,
}

impl Part {
    /// Returns a page with its content; `by` is the source of the link that led to it. Nothing else is known of it.
    pub fn of(page: Page, content: Content, by: &'static str) -> Part {
        Part {
            page,
            content,
            roles: BTreeMap::new(),
            metadata: None,
            comments: None,
            score: 1.0,
            by,
            verdict: None,
            next: None,
        }
    }

    /// Returns what is said of the page; `read` reads what the page says.
    pub(crate) fn metadata(&self, read: fn(&Page, &Content) -> Metadata) -> Metadata {
        self.metadata.clone().unwrap_or_else(|| read(&self.page, &self.content))
    }
}

/// The pages of a sequence, in order. [`stitch()`](crate::stitch()) has an example.
#[derive(Debug)]
pub struct Reassembly {
    /// The pages; never empty.
    pub parts: Vec<Part>,
    /// Why there are no more pages.
    pub stopped: Stopped,
    /// The links that were followed to see whether the page behind them continues the document, in order.
    pub tried: Vec<Tried>,
    /// Possible faults of the pages, one line each.
    pub warnings: Vec<String>,
    /// What the document shows besides its text.
    pub shown: Shown,
}
