//! The line that `tsugi scan` writes for each page.

use crate::look::Look;
use crate::roles::{PageRoles, RoleSet};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tsugi_document::ContentText;
use tsugi_metadata::Metadata;
use tsugi_page::{Content, Evidence, NodeId, Page};

/// One line of `tsugi scan`, as JSON: what was found on one page. Evaluations write their predictions in the same form.
///
/// # Examples
///
/// ```
/// use tsugi::scan::ScanLine;
/// let line = ScanLine::failed("https://a.test/1", "not found".to_owned());
/// assert_eq!((line.url.as_str(), line.next), ("https://a.test/1", None));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScanLine {
    /// The page's address.
    pub url: String,
    /// The next page; `None` if no candidate reaches the threshold.
    pub next: Option<ScanNext>,
    /// If there is no `next`: the location path of a button, form or script link which shows that there is a next page
    /// without giving its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfollowable: Option<String>,
    /// The main content; `None` if the page could not be read.
    pub content: Option<ScanContent>,
    /// The text of the comments below the article, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments: Option<String>,
    /// The title, without the name of the site.
    pub title: Option<String>,
    /// The language: as declared, or as detected from the words.
    pub lang: Option<String>,
    /// Why the page could not be read.
    pub error: Option<String>,
}

/// The next page, in a [`ScanLine`].
///
/// # Examples
///
/// ```
/// # let (tsugi, page) = include!("../doc/page.rs");
/// let next = tsugi::scan::ScanLine::of(&tsugi.look(&page)).next.unwrap();
/// assert_eq!((next.relation.as_str(), next.by.as_str()), ("page", "model"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScanNext {
    /// Its address.
    pub url: String,
    /// `page` or `chapter`.
    pub relation: String,
    /// The score of the link, in [0, 1].
    pub score: f32,
    /// What found it: `model`, `rule` or `rel`.
    pub by: String,
}

/// The main content, in a [`ScanLine`].
///
/// # Examples
///
/// ```
/// # let (tsugi, page) = include!("../doc/page.rs");
/// let content = tsugi::scan::ScanLine::of(&tsugi.look(&page)).content.unwrap();
/// assert!(content.nodes[0].starts_with("/html[1]/body[1]"));
/// assert!(content.text.contains("tide"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScanContent {
    /// Location paths of the content's nodes, in document order; none lies within another.
    pub nodes: Vec<String>,
    /// Location paths of what is left out of those nodes, in document order; none lies within another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// The text of the nodes, without what is left out.
    pub text: String,
    /// What found it: `model`, `rule`, `rel` (plain text), or `embedded` (data in the page, which has no nodes).
    #[serde(default)]
    pub by: String,
    /// The score of the content, in [0, 1].
    #[serde(default)]
    pub score: f32,
    /// The runs of the text with one role each, in order, if roles were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ScanPart>,
}

/// A run of the text of a [`ScanContent`] that has one role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScanPart {
    /// The role, such as `body`.
    pub role: String,
    /// Its first character in the text, counted in Unicode scalar values.
    pub start: usize,
    /// The first character after it.
    pub end: usize,
}

/// Joins the places of text nodes that follow each other and have one role.
fn parts(roles: &PageRoles<'_>, places: &[(NodeId, Range<usize>)]) -> Vec<ScanPart> {
    let of_nodes = roles.by_node();
    let mut parts: Vec<ScanPart> = Vec::new();
    for (node, place) in places {
        let Some(role) = of_nodes.get(node).map(|role| role.as_str()) else { continue };
        match parts.last_mut().filter(|last| last.role == role) {
            Some(last) => last.end = place.end,
            None => parts.push(ScanPart { role: role.to_owned(), start: place.start, end: place.end }),
        }
    }
    parts
}

/// The most steps that the location paths of a line may have in all, which make about ten megabytes.
const MOST_STEPS: usize = 1 << 20;

/// The content has too many nodes, too deep in the page, to list their location paths.
///
/// # Examples
///
/// ```
/// let error = tsugi::scan::TooManyPlaces { nodes: 3_000_000 };
/// assert!(error.to_string().starts_with("its content has 3000000 nodes"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("its content has {nodes} nodes, too many to list their paths (limit: {MOST_STEPS} steps)")]
pub struct TooManyPlaces {
    /// The number of nodes, including those that are left out of others.
    pub nodes: usize,
}

impl ScanContent {
    /// Returns the main content of a page with its location paths.
    ///
    /// # Errors
    ///
    /// [`TooManyPlaces`] if the location paths would take far more room than the page.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (tsugi, page) = include!("../doc/page.rs");
    /// let look = tsugi.look(&page);
    /// let found = look.content();
    /// let content = tsugi::scan::ScanContent::of(found.page(), found.as_content())?;
    /// assert_eq!(content.by, "model");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(page: &Page, content: &Content) -> Result<ScanContent, TooManyPlaces> {
        ScanContent::of_text(page, content, ContentText::of(page, content))
    }

    fn of_text(
        page: &Page,
        content: &Content,
        ContentText { text, without }: ContentText,
    ) -> Result<ScanContent, TooManyPlaces> {
        let all = [&content.nodes[..], &without].concat();
        let mut nodes = page.location_paths(&all, MOST_STEPS).ok_or(TooManyPlaces { nodes: all.len() })?;
        let without = nodes.split_off(content.nodes.len());
        let (by, score) = (content.evidence.as_str().to_owned(), content.score);
        if content.evidence == Evidence::Embedded {
            return Ok(ScanContent { text, by, score, ..ScanContent::default() });
        }
        Ok(ScanContent { nodes, without, text, by, score, ..ScanContent::default() })
    }
}

impl ScanLine {
    /// Returns the line for a page.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (tsugi, page) = include!("../doc/page.rs");
    /// let line = tsugi::scan::ScanLine::of(&tsugi.look(&page));
    /// assert_eq!(line.lang.as_deref(), Some("en-GB"));
    /// ```
    pub fn of(look: &Look<'_>) -> ScanLine {
        ScanLine::keeping(look, None)
    }

    /// Returns the line for a page, with the parts that have some roles as its content. Content that a rule or the page's data
    /// chose stays as it is.
    ///
    /// # Examples
    ///
    /// ```
    /// # let (tsugi, page) = include!("../doc/page.rs");
    /// use tsugi::roles::RoleSet;
    /// let line = tsugi::scan::ScanLine::keeping(&tsugi.look(&page), RoleSet::BODY);
    /// let content = line.content.unwrap();
    /// assert!(content.parts.iter().any(|part| part.role == "body" && part.end <= content.text.chars().count()));
    /// ```
    pub fn keeping(look: &Look<'_>, keep: impl Into<Option<RoleSet>>) -> ScanLine {
        let page = look.page();
        let next = look.next();
        let unfollowable = if next.is_none() { look.unfollowable() } else { None };
        look.forget_links();
        // Before the content, which is chosen by the same scores.
        let kept = keep.into().and_then(|roles| look.kept(roles));
        let found = look.content();
        let content = match kept {
            Some((kept, roles)) => {
                let (text, places) = ContentText::with_places(page, &kept);
                let parts = parts(&roles, &places);
                ScanContent::of_text(page, &kept, text).map(|content| ScanContent { parts, ..content })
            }
            None => ScanContent::of(found.page(), found.as_content()),
        };
        let content = match content {
            Ok(content) => content,
            Err(error) => return ScanLine::failed(page.url().as_str(), error.to_string()),
        };
        let said = look
            .ruled_metadata()
            .unwrap_or_else(|| Metadata::title_and_language(found.page(), found.as_content()));
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

    /// Returns the line for a page that could not be read.
    pub fn failed(url: &str, error: String) -> ScanLine {
        ScanLine { url: url.to_owned(), error: Some(error), ..ScanLine::default() }
    }
}
