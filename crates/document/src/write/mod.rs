//! Writes documents as Markdown, HTML, text, JSON and EPUB.

mod above;
mod code;
mod elements;
mod epub;
mod front_matter;
mod html;
mod images;
mod inline;
mod json;
mod markdown;
mod markup;
mod table;
mod wall;

use crate::document::Document;
use crate::reading::PageReading;
use crate::shape::{PageCut, PageShape};
use std::fmt;
use std::io::{self, Write};
use std::ops::Range;
use std::str::FromStr;
use tsugi_page::{Content, NodeId, Page};

pub use epub::EpubOptions;
pub use html::{HtmlOptions, PageMarks};
pub use images::{ImageFile, ImagePlace, Images};

/// The format of a written document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `md`: Markdown, as in `CommonMark` with GitHub's tables, task lists and strikethrough.
    ///
    /// Markdown lacks some things that pages have: terms of a definition list become bold paragraphs above their
    /// definitions, captions of figures become paragraphs in emphasis.
    Markdown,
    /// `html`: one complete file.
    Html,
    /// `txt`: the text alone, with a blank line between paragraphs, numbers before the items of lists, and tabs between the cells
    /// of tables. [`Document::text`](crate::Document::text) has the same words, one block a line.
    Text,
    /// `json`: one object.
    Json,
    /// `epub`: EPUB 3, without images; [`Document::write_epub`] can include them.
    Epub,
}

impl Format {
    /// Returns the word for the format, which is also the extension of its files.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Markdown => "md",
            Format::Html => "html",
            Format::Text => "txt",
            Format::Json => "json",
            Format::Epub => "epub",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that names no format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("format is `{found}`, expected `md`, `html`, `txt`, `json` or `epub`")]
pub struct FormatError {
    found: String,
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(word: &str) -> Result<Format, FormatError> {
        [Format::Markdown, Format::Html, Format::Text, Format::Json, Format::Epub]
            .into_iter()
            .find(|format| format.as_str() == word)
            .ok_or_else(|| FormatError { found: word.to_owned() })
    }
}

impl Document {
    /// Writes the document: UTF-8 text that ends with a newline, or a ZIP archive for [`Format::Epub`].
    ///
    /// Markdown, HTML and EPUB begin with the title, unless the text does, and with authors and date, unless the text soon
    /// names one of them.
    ///
    /// # Errors
    ///
    /// If `into` fails, and as [`Document::write_epub`].
    pub fn write(&self, format: Format, mut into: impl Write) -> io::Result<()> {
        match format {
            Format::Markdown => into.write_all(markdown::file(self, None).as_bytes()),
            Format::Html => self.write_html(&HtmlOptions::default(), into),
            Format::Text => into.write_all(markdown::plain_file(self).as_bytes()),
            Format::Json => into.write_all(json::pretty(self).as_bytes()),
            Format::Epub => self.write_epub(&EpubOptions::default(), into),
        }
    }

    /// Returns the document as Markdown.
    pub fn markdown(&self) -> String {
        markdown::file(self, None)
    }

    /// Writes the document together with its images: Markdown and HTML refer to them at `place`, EPUB contains them, text and
    /// JSON have none. All other images are replaced by their alternative text.
    ///
    /// # Errors
    ///
    /// As [`Document::write`].
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_document::{Format, ImagePlace, Images};
    /// # let document = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/document.rs"));
    /// let images = Images::of(&document, |_| Some(b"GIF89a".to_vec()), |_| ());
    /// let mut markdown = Vec::new();
    /// document.write_with_images(Format::Markdown, &images, ImagePlace::Folder("snow"), &mut markdown)?;
    /// assert!(String::from_utf8(markdown)?.ends_with("![Melt](snow/image-1.gif)\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_with_images(
        &self,
        format: Format,
        images: &Images,
        place: ImagePlace<'_>,
        mut into: impl Write,
    ) -> io::Result<()> {
        match format {
            Format::Markdown => into.write_all(markdown::file(self, Some(&images.sources(place))).as_bytes()),
            Format::Html => self
                .write_html(&HtmlOptions { images: Some((images, place)), ..HtmlOptions::default() }, into),
            Format::Epub => {
                self.write_epub(&EpubOptions { images: Some(images), ..EpubOptions::default() }, into)
            }
            Format::Text | Format::Json => self.write(format, into),
        }
    }

    /// Writes the document as one complete HTML file.
    ///
    /// # Errors
    ///
    /// If `into` fails.
    pub fn write_html(&self, options: &HtmlOptions<'_>, mut into: impl Write) -> io::Result<()> {
        into.write_all(html::file(self, options).as_bytes())
    }

    /// Writes the document as EPUB 3, with one file per page (`page-1.xhtml`, …) and a table of contents of their headings.
    ///
    /// # Errors
    ///
    /// If `into` fails, or if the document exceeds what ZIP allows: 4 GiB per file.
    ///
    /// # Determinism
    ///
    /// Equal documents, images and options give equal bytes.
    pub fn write_epub(&self, options: &EpubOptions<'_>, mut into: impl Write) -> io::Result<()> {
        into.write_all(&epub::archive(self, options)?)
    }

    /// Returns the document as JSON on one line, without a newline at the end.
    pub fn json_line(&self) -> String {
        json::line(self)
    }

    /// Returns the metadata as YAML front matter, to be written above Markdown or text: from `---` to `---`, and a blank line.
    ///
    /// The keys are `title`, `authors`, `published`, `modified`, `language`, `source` (the address), `canonical`, `site`,
    /// `description`, `image`, `section`, `tags` and `pages` (a number); those without a value are left out. All values but
    /// `pages` are quoted strings, or lists of them, so that all YAML parsers agree.
    // `source` and `language` instead of `url` and `lang`: Hugo takes `url` for the address of its own page and refuses a complete
    // one, and it warns about `lang`.
    pub fn front_matter(&self) -> String {
        front_matter::block(self)
    }

    /// Returns the content of all pages as safe HTML: one `section` per page, with its address in `data-source` and the `id`
    /// `page-1`, `page-2`, ….
    pub fn html(&self) -> String {
        html::sections(self)
    }

    /// Returns the content of the page at `index`, counted from 0, as safe HTML without a `section` around it. Empty if there
    /// is no such page. A paragraph cut by a page break is whole on the page on which it begins.
    pub fn page_html(&self, index: usize) -> String {
        html::of_page(self, index).map(|page| page.html).unwrap_or_default()
    }

    /// Returns the tree of [`page_html`](Self::page_html): the content is in the `body`. `None` if there is no such page.
    pub fn page_tree(&self, index: usize) -> Option<Page> {
        html::of_page(self, index).map(|page| page.tree)
    }

    /// Returns the content of the page at `index` as [`page_tree`](Self::page_tree) does, but with its own part of each cut
    /// paragraph: for readers who see the page before already.
    pub fn page_tree_apart(&self, index: usize) -> Option<Page> {
        html::of_page_apart(self, index).map(|page| page.tree)
    }

    /// Returns the content of the page at `index`, counted from 0, as Markdown; cut paragraphs as in HTML.
    pub fn page_markdown(&self, index: usize) -> String {
        markdown::of_page(self, index, None)
    }
}

/// The main content of a page as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentText {
    /// The text, with a newline between blocks. Powers, formulas and deletions, which only markup shows, are written out.
    pub text: String,
    /// The nodes below the content's nodes that are left out, in document order; none lies within another.
    pub without: Vec<NodeId>,
}

impl ContentText {
    /// Returns the text of the main content of a page; [`ContentText`] has an example.
    pub fn of(page: &Page, content: &Content) -> ContentText {
        let (content, reading) = ContentText::read(page, content);
        let text = page.text_in_forms(&content.nodes, &content.without, &reading.forms);
        ContentText { text, without: content.without }
    }

    /// Returns the text, and where in it each text node is, in characters (Unicode scalar values).
    pub fn with_places(page: &Page, content: &Content) -> (ContentText, Vec<(NodeId, Range<usize>)>) {
        let (content, reading) = ContentText::read(page, content);
        let (text, places) = page.text_with_places(&content.nodes, &content.without, &reading.forms);
        (ContentText { text, without: content.without }, places)
    }

    fn read(page: &Page, content: &Content) -> (Content, PageReading) {
        let mut content = content.clone();
        let reading = PageReading::of(page, &mut content);
        (content, reading)
    }
}

/// Returns the main content of a page as Markdown.
pub fn content_markdown(page: &Page, content: &Content) -> String {
    markdown::content(PageShape::of(page, &cut(page, content)), &[], None)
}

/// Returns the main content of a page as safe HTML.
///
/// # Examples
///
/// ```
/// use tsugi_page::{Content, Evidence, Page};
/// let page = Page::from_text("<p onclick=x()>It falls <b>slowly</b>.</p>", &"https://a.test/".parse()?);
/// let content = Content { nodes: page.first("p").into_iter().collect(), ..Content::nothing(Evidence::Model) };
/// assert_eq!(tsugi_document::content_html(&page, &content), "<p>It falls <b>slowly</b>.</p>");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn content_html(page: &Page, content: &Content) -> String {
    html::Settled::of(PageShape::of(page, &cut(page, content)), &[]).html
}

fn cut(page: &Page, content: &Content) -> PageCut {
    let mut content = content.clone();
    let reading = PageReading::for_document(page, &mut content);
    PageCut::new(content.nodes, content.without.into_iter().collect(), reading)
}
