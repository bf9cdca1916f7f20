//! What comes out: one document of many pages.

use crate::images::ImageSources;
use crate::shape::{Cut, Rest, Shape};
use crate::stop::Stopped;
use tsugi_page::{Page, Url, Verdict};

/// The joined pages: their text, and of each the tree of what is kept. Nothing is rendered until it is written.
#[derive(Debug)]
pub struct Document {
    /// The address of the first page.
    pub url: Url,
    /// The title; see [`stitch()`](crate::stitch()) for which.
    pub title: Option<String>,
    /// The authors' names, in the order that the first page gives them in; empty where it names none.
    pub authors: Vec<String>,
    /// When it was published, as the first page says; a page that lists posts says nothing. A date (`2024-05-01`), or a time with its
    /// distance from UTC where that is known (`2024-05-01T09:30:00+02:00`, `…Z`), by ISO 8601.
    pub published: Option<String>,
    /// When it was changed last; as [`Document::published`].
    pub modified: Option<String>,
    /// The language, as a tag of BCP 47 (`ja`, `en-GB`): the one that the first page declares, or that of its words where
    /// it declares none, or one that its text cannot be in.
    pub lang: Option<String>,
    /// The address that the first page calls its own, if it is an http or https address of the same site.
    pub canonical: Option<Url>,
    /// The name of the site.
    pub site: Option<String>,
    /// What the first page says of itself in a sentence or some.
    pub description: Option<String>,
    /// The address of the image that stands for the first page.
    pub image: Option<Url>,
    /// The part of the site that it is in.
    pub section: Option<String>,
    /// Its keywords.
    pub tags: Vec<String>,
    /// The pages, in order.
    pub pages: Vec<DocumentPage>,
    /// The text of all pages, a newline between blocks. Between pages there is a newline, too; a space or nothing
    /// where a page break cuts a paragraph.
    pub text: String,
    /// Why the document ends where it does.
    pub stopped: Stopped,
    /// What is odd about the pages.
    pub warnings: Vec<String>,
}

/// What one page gave to a document.
#[derive(Debug)]
pub struct DocumentPage {
    /// Its address.
    pub url: Url,
    /// The score of the link that led to it, in [0, 1]; 1 for the first page.
    pub score: f32,
    /// What that link rests on: `start`, `model`, `rule` or `rel`.
    pub by: String,
    /// What its content rests on: `model`, `rule`, `rel` (plain text), or `embedded` (data in the page).
    pub content_by: &'static str,
    /// How sure the content is, in [0, 1].
    pub content_score: f32,
    /// The siteinfo item that its content was found by, where one was.
    pub rule: Option<String>,
    /// Whether it continues the page before, and why; `None` for the first page, and where nobody judged.
    pub verdict: Option<Verdict>,
    /// Where its text starts in [`Document::text`], in characters (Unicode scalar values). Pages follow each other,
    /// with one character or none between them.
    pub start: usize,
    /// Where its text ends, in characters.
    pub end: usize,
    /// How many blocks were taken out as repeats of other pages, or as pagers.
    pub removed: usize,
    /// The text of the comments below the article, where there are some. It is no part of [`Document::text`], unless
    /// [`Limits::comments`](crate::Limits::comments) says so.
    pub comments: Option<String>,
    pub(crate) page: Page,
    pub(crate) cut: Cut,
    /// The name of the place where the page begins, if a link leads there.
    pub(crate) anchor: Option<String>,
}

impl DocumentPage {
    pub(crate) fn shape(&self) -> Shape<'_> {
        Shape::of(&self.page, &self.cut)
    }
}

impl Document {
    /// Returns `true` if the document is whole: the sequence ends with its last page, as far as can be told. `false`
    /// where a next page is known and missing: it is behind a button, could not be had, or a limit came first. What
    /// stands before the first page does not count; a document that starts in the middle has a warning.
    pub fn is_complete(&self) -> bool {
        self.stopped.complete
    }

    /// Returns the shape of a page, and how its last paragraph goes on: on the next page, and where that holds nothing
    /// but a part of it, on those after it. `images` says where images are, if not where they were.
    pub(crate) fn shapes<'a>(
        &'a self,
        index: usize,
        images: Option<&'a ImageSources>,
    ) -> Option<(Shape<'a>, Vec<Rest<'a>>)> {
        let shape = |page: &'a DocumentPage| Shape { images, ..page.shape() };
        let first = shape(self.pages.get(index)?);
        let mut rests: Vec<Rest<'_>> = Vec::new();
        let mut last = first;
        for page in self.pages.iter().skip(index + 1) {
            let Some(rest) = last.rest(shape(page)) else { break };
            if rests.last().is_some_and(|held| !held.seam.after.has(held.shape.page, rest.seam.before)) {
                break;
            }
            rests.push(rest);
            last = rest.shape;
        }
        Some((first, rests))
    }
}
