//! The result: a document made of pages.

use crate::direction::is_right_to_left;
use crate::images::ImageSources;
use crate::shape::{PageCut, PageShape, ParagraphRest};
use crate::stop::{Stopped, Tried};
use std::fmt::{self, Debug};
use std::ops::Range;
use tsugi_page::{Page, Url, Verdict};

/// A document made of one or more pages. It holds the text and the trees of the pages; other formats are made when they are
/// written.
///
/// # Examples
///
/// ```
/// use tsugi_document::Format;
/// # let document = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/document.rs"));
/// assert_eq!(document.title.as_deref(), Some("Snow"));
/// assert_eq!(document.text, "Snow\nIt falls slowly.\nIt melts.");
/// assert_eq!(document.pages[1].url.as_str(), "https://a.test/2");
/// let mut markdown = Vec::new();
/// document.write(Format::Markdown, &mut markdown)?;
/// assert!(markdown.starts_with(b"# Snow\n\nIt falls **slowly**.\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct Document {
    /// The address of the first page.
    pub url: Url,
    /// The title, without page number; [`stitch()`](crate::stitch()) says which.
    pub title: Option<String>,
    /// The authors' names, in the order of the first page; empty if it names none.
    pub authors: Vec<String>,
    /// When it was published, according to the first page: an ISO 8601 date (`2024-05-01`), or a time, with its offset from
    /// UTC if that is known (`2024-05-01T09:30:00+02:00`, `…Z`). `None` for a page that lists posts.
    pub published: Option<String>,
    /// When it was last changed, in the form of [`Document::published`].
    pub modified: Option<String>,
    /// The language as a BCP 47 tag (`ja`, `en-GB`): as the first page declares it, or as its words show it if the page declares
    /// no language, or one that its text cannot be in.
    pub lang: Option<String>,
    /// The canonical address that the first page names, if it is an http or https address of the same site.
    pub canonical: Option<Url>,
    /// The name of the site.
    pub site: Option<String>,
    /// The description that the first page gives of itself, in a few sentences.
    pub description: Option<String>,
    /// The address of the image that represents the first page.
    pub image: Option<Url>,
    /// The section of the site that it belongs to.
    pub section: Option<String>,
    /// The keywords.
    pub tags: Vec<String>,
    /// The pages, in order.
    pub pages: Vec<DocumentPage>,
    /// The text of all pages, with a newline between blocks. Pages are separated by a newline too, or by a space or nothing
    /// if the page break cuts a paragraph.
    pub text: String,
    /// The runs of the text that have one role, in order, if the content was chosen by roles; else empty.
    pub parts: Vec<DocumentPart>,
    /// Why the document ends where it does.
    pub stopped: Stopped,
    /// The links below the threshold that were followed all the same, to see whether the page behind them continues the
    /// document, in order.
    pub tried: Vec<Tried>,
    /// Possible faults of the pages, one line each.
    pub warnings: Vec<String>,
}

/// A run of the text of a document that has one role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentPart {
    /// The name of the role, such as `body`.
    pub role: &'static str,
    /// Its place in [`Document::text`], in bytes.
    pub text: Range<usize>,
}

/// One page of a document.
#[derive(Clone)]
pub struct DocumentPage {
    /// Its address.
    pub url: Url,
    /// The score of the link that led to it, in [0, 1]; 1 for the first page.
    pub score: f32,
    /// Source of that link: `model`, `rule` or `rel`; `start` for the first page, `single-page` for a page that replaces
    /// the others.
    pub by: String,
    /// Source of its content: `model`, `rule`, `rel` (plain text), or `embedded` (data in the page).
    pub content_by: &'static str,
    /// The score of its content, in [0, 1].
    pub content_score: f32,
    /// The siteinfo item that found its content, if one did.
    pub rule: Option<String>,
    /// Whether it continues the previous page, and why; `None` for the first page, and if no model judged.
    pub verdict: Option<Verdict>,
    /// Where its text is in [`Document::text`], in bytes. Between two pages there is one character or none.
    pub text: Range<usize>,
    /// The number of blocks removed because other pages repeat them, or because they are pagers.
    pub removed: usize,
    /// The title of the source that begins here, if the document is made of several: see [`book()`](crate::book()).
    pub chapter: Option<String>,
    /// The text of the comments below the article, if there are any. It is part of [`Document::text`] only if
    /// [`Comments`](crate::Comments) says so.
    pub comments: Option<String>,
    pub(crate) page: Page,
    pub(crate) cut: PageCut,
    pub(crate) anchor: Option<String>,
}

impl DocumentPage {
    /// Returns `true` if the page is read from right to left: by the nearest `dir` around its content, or else by `lang`, the
    /// language of the document.
    pub fn is_right_to_left(&self, lang: Option<&str>) -> bool {
        is_right_to_left(&self.page, self.cut.nodes.first().copied(), lang)
    }

    pub(crate) fn shape(&self) -> PageShape<'_> {
        PageShape::of(&self.page, &self.cut)
    }
}

impl Debug for Document {
    /// Names the pages; their trees take megabytes as text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("title", &self.title)
            .field("pages", &self.pages)
            .field("stopped", &self.stopped)
            .finish_non_exhaustive()
    }
}

impl Debug for DocumentPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DocumentPage { url, text, .. } = self;
        f.debug_struct("DocumentPage").field("url", &url.as_str()).field("text", text).finish_non_exhaustive()
    }
}

impl Document {
    /// Returns the text of a page; `None` if there are not so many.
    pub fn page_text(&self, index: usize) -> Option<&str> {
        self.text.get(self.pages.get(index)?.text.clone())
    }

    /// Returns where the text of each page is, in characters (Unicode scalar values), for languages that count so.
    pub fn page_characters(&self) -> Vec<Range<usize>> {
        self.in_characters(self.pages.iter().map(|page| &page.text))
    }

    /// Returns where each of [`parts`](Document::parts) is, in characters (Unicode scalar values).
    pub fn part_characters(&self) -> Vec<Range<usize>> {
        self.in_characters(self.parts.iter().map(|part| &part.text))
    }

    /// Counts the characters before each end of ranges of the text, which follow each other.
    fn in_characters<'a>(&self, ranges: impl Iterator<Item = &'a Range<usize>>) -> Vec<Range<usize>> {
        let (mut bytes, mut characters) = (0, 0);
        let mut character_at = |at: usize| {
            characters += self.text[bytes..at].chars().count();
            bytes = at;
            characters
        };
        ranges.map(|range| character_at(range.start)..character_at(range.end)).collect()
    }

    /// Returns `true` if the document is read from right to left: by the nearest `dir` around the content of its first page, or
    /// else by its language.
    pub fn is_right_to_left(&self) -> bool {
        self.pages.first().is_some_and(|page| page.is_right_to_left(self.lang.as_deref()))
    }

    /// Returns `true` if no next page is missing, as far as tsugi can tell: the last page has no next link, or one page was
    /// asked for. `false` if there is a next page that a button hides, that could not be fetched, or that a limit excluded.
    /// Missing pages *before* the first do not count; they are a warning.
    pub fn is_complete(&self) -> bool {
        self.stopped.complete
    }

    /// Returns the shape of a page and the rest of its last paragraph, which may continue on one or more of the next pages.
    /// `images` gives new places of the images, if they have moved.
    pub(crate) fn shapes<'a>(
        &'a self,
        index: usize,
        images: Option<&'a ImageSources>,
    ) -> Option<(PageShape<'a>, Vec<ParagraphRest<'a>>)> {
        let first = PageShape { images, ..self.pages.get(index)?.shape() };
        let mut rests: Vec<ParagraphRest<'_>> = Vec::new();
        let mut last = first;
        for page in self.pages.iter().skip(index + 1) {
            let Some(rest) = last.rest(PageShape { images, ..page.shape() }) else { break };
            // The paragraph goes on to a further page only if it also ends this one.
            if rests.last().is_some_and(|held| !held.seam.after.has(held.shape.page, rest.seam.before)) {
                break;
            }
            rests.push(rest);
            last = rest.shape;
        }
        Some((first, rests))
    }
}
