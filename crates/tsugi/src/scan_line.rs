//! What is said of one page: one JSON object a line.

use crate::look::Look;
use serde::{Deserialize, Serialize};
use tsugi_follow::ContentText;
use tsugi_metadata::Metadata;
use tsugi_page::{Content, Evidence, Page};

/// One line of `tsugi scan`, and of the predictions that an evaluation writes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScanLine {
    /// The page's address.
    pub url: String,
    /// Its next page; `None` where no candidate reaches the threshold.
    pub next: Option<ScanNext>,
    /// Where there is no `next`: the location path of a button, form or script link that shows that a next page
    /// exists, which no address leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfollowable: Option<String>,
    /// Its main content; `None` where the page could not be read.
    pub content: Option<ScanContent>,
    /// The text of the comments below its article, where there are some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments: Option<String>,
    /// Its title, without the name of the site.
    pub title: Option<String>,
    /// Its language: the one that it declares, or that of its words.
    pub lang: Option<String>,
    /// Why the page could not be read.
    pub error: Option<String>,
}

/// A next page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScanNext {
    /// Its address.
    pub url: String,
    /// `page` or `chapter`.
    pub relation: String,
    /// How sure the detector is, in [0, 1].
    pub score: f32,
    /// What the answer rests on: `model`, `rule` or `rel`.
    pub by: String,
}

/// Main content.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScanContent {
    /// Location paths of the nodes, outermost only, in document order.
    pub nodes: Vec<String>,
    /// Location paths of what below them is no content, outermost only, in document order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// The text of the nodes without those parts.
    pub text: String,
    /// What it rests on: `model`, `rule`, `rel` (plain text), or `embedded`: data in the page, which have no nodes.
    #[serde(default)]
    pub by: String,
    /// How sure it is, in [0, 1].
    #[serde(default)]
    pub score: f32,
}

/// How many steps the location paths of a line may have together; they make some ten megabytes.
const MOST_STEPS: usize = 1 << 20;

/// The nodes of a page's content are too many, and too deep, to name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("its content stands at {nodes} places, whose paths have more than {MOST_STEPS} steps together")]
pub struct TooManyPlaces {
    /// Nodes, and those left out of them.
    pub nodes: usize,
}

impl ScanContent {
    /// Writes down what is content of a page.
    ///
    /// # Errors
    ///
    /// [`TooManyPlaces`] where naming the nodes would take far more room than the page.
    pub fn of(page: &Page, content: &Content) -> Result<ScanContent, TooManyPlaces> {
        let ContentText { text, without } = ContentText::of(page, content);
        let all = [&content.nodes[..], &without].concat();
        let mut nodes = page.location_paths(&all, MOST_STEPS).ok_or(TooManyPlaces { nodes: all.len() })?;
        let without = nodes.split_off(content.nodes.len());
        let (by, score) = (content.evidence.as_str().to_owned(), content.score);
        if content.evidence == Evidence::Embedded {
            return Ok(ScanContent { text, by, score, ..ScanContent::default() });
        }
        Ok(ScanContent { nodes, without, text, by, score })
    }
}

impl ScanLine {
    /// Says what was found on a page.
    pub fn of(look: &Look<'_>) -> ScanLine {
        let page = look.page();
        let next = look.next();
        let unfollowable = if next.is_none() { look.unfollowable() } else { None };
        let found = look.content();
        let content = match ScanContent::of(found.page(), &found) {
            Ok(content) => content,
            Err(error) => return ScanLine::failed(page.url().as_str(), error.to_string()),
        };
        let said = Metadata::title_and_language(found.page(), &found);
        ScanLine {
            url: page.url().to_string(),
            unfollowable: unfollowable.map(|node| page.location_path(node)),
            content: Some(content),
            comments: look.comments().map(|comments| comments.text()),
            next: next.map(|next| ScanNext {
                url: next.url.to_string(),
                relation: next.relation.as_str().to_owned(),
                score: next.score,
                by: next.evidence.as_str().to_owned(),
            }),
            title: said.title.map(|title| title.value),
            lang: said.lang.map(|lang| lang.value),
            error: None,
        }
    }

    /// Says why a page could not be read.
    pub fn failed(url: &str, error: String) -> ScanLine {
        ScanLine { url: url.to_owned(), error: Some(error), ..ScanLine::default() }
    }
}
