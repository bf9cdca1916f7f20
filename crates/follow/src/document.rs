//! What comes out: one document of many pages.

use crate::reassemble::Stopped;
use tsugi_page::{Url, Verdict};

/// The joined pages.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The address of the first page.
    pub url: Url,
    /// The title; see [`stitch()`](crate::stitch()) for which.
    pub title: Option<String>,
    /// The language that the first page to declare one declares (`ja`, `en-GB`).
    pub lang: Option<String>,
    /// The pages, in order.
    pub pages: Vec<DocumentPage>,
    /// The text of all pages, a newline between blocks and between pages.
    pub text: String,
    /// The content of all pages as safe HTML: one `section` with a `data-source` attribute a page.
    pub html: String,
    /// Why the document ends where it does.
    pub stopped: Stopped,
    /// What is odd about the pages.
    pub warnings: Vec<String>,
}

/// What one page gave to a document.
#[derive(Debug, Clone, PartialEq)]
pub struct DocumentPage {
    /// Its address.
    pub url: Url,
    /// The score of the link that led to it, in [0, 1]; 1 for the first page.
    pub score: f32,
    /// What that link rests on: `start`, `model`, `rule` or `rel`.
    pub by: String,
    /// Whether it continues the page before, and why; `None` for the first page, and where nobody judged.
    pub verdict: Option<Verdict>,
    /// Where its text starts in [`Document::text`], in characters (Unicode scalar values).
    pub start: usize,
    /// Where its text ends, in characters.
    pub end: usize,
    /// How many blocks were taken out as repeats of the page before.
    pub removed: usize,
    /// Its content as safe HTML, without the `section` around it.
    pub html: String,
    /// Its content as Markdown.
    pub markdown: String,
}
