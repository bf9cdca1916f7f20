//! The pages of a sequence.

use crate::shown::Shown;
use crate::stop::Stopped;
use tsugi_page::{Content, NextLink, Page, Verdict};

/// One page of a sequence.
#[derive(Debug)]
pub struct Part {
    /// The page.
    pub page: Page,
    /// Its main content.
    pub content: Content,
    /// The comments of an article, which are no part of its content.
    pub comments: Option<Content>,
    /// The score of the link that led here, in [0, 1]; 1 for the first page.
    pub score: f32,
    /// What that link rests on: `model`, `rule` or `rel`; `start` for the first page, `single-page` for one that
    /// stands for all.
    pub by: &'static str,
    /// What was found of whether it continues the page before; `None` for the first page, and where nobody asks.
    pub verdict: Option<Verdict>,
    /// Its best next link, however unsure.
    pub next: Option<NextLink>,
}

/// The pages of a sequence, in order.
#[derive(Debug)]
pub struct Reassembly {
    /// The pages; never empty.
    pub parts: Vec<Part>,
    /// Why there are no more.
    pub stopped: Stopped,
    /// What is odd about the pages.
    pub warnings: Vec<String>,
    /// What the document shows besides its text.
    pub shown: Shown,
}
