//! Writing a document: Markdown, HTML, text, JSON, EPUB.

mod above;
mod epub;
mod front_matter;
mod html;
mod images;
mod inline;
mod json;
mod markdown;
mod table;
mod wall;

use crate::document::Document;
use crate::reading::Reading;
use crate::shape::{Cut, Shape};
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;
use tsugi_page::{Content, NodeId, Page};

pub use epub::EpubOptions;
pub use images::{ImageFile, ImagePlace, Images};

/// How a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `md`: Markdown, as in `CommonMark` with the tables, the task lists and the strikethrough of GitHub.
    ///
    /// It has no form for some things that pages hold: terms of a definition list are bold paragraphs before those
    /// that define them, captions of figures are paragraphs in emphasis.
    Markdown,
    /// `html`: one complete file.
    Html,
    /// `txt`: the text alone.
    Text,
    /// `json`: one object.
    Json,
    /// `epub`: EPUB 3, the images left out; see [`Document::write_epub`] for how to have them.
    Epub,
}

impl Format {
    /// Returns the word that stands for the format.
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

/// A word that stands for no format.
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
    /// Writes the document: UTF-8 that ends with a newline, but for [`Format::Epub`], which is a ZIP archive.
    ///
    /// The title stands above Markdown, HTML and EPUB unless the text begins with it; under it authors and date, unless
    /// the text soon names one of them. Only what a format holds is rendered: text has no markup made for it.
    ///
    /// # Errors
    ///
    /// Those of `into`, and as [`Document::write_epub`].
    pub fn write(&self, format: Format, mut into: impl Write) -> io::Result<()> {
        match format {
            Format::Markdown => into.write_all(markdown::file(self, None).as_bytes()),
            Format::Html => into.write_all(html::file(self, None).as_bytes()),
            Format::Text => writeln!(into, "{}", self.text),
            Format::Json => into.write_all(json::pretty(self).as_bytes()),
            Format::Epub => self.write_epub(&EpubOptions::default(), into),
        }
    }

    /// Writes the document with the images that it takes with it: Markdown and HTML look for them at `place`, EPUB holds them,
    /// text and JSON have none. In Markdown and HTML, images that were not taken are shown from where they were.
    ///
    /// # Errors
    ///
    /// As [`Document::write`].
    pub fn write_with_images(
        &self,
        format: Format,
        images: &Images,
        place: ImagePlace<'_>,
        mut into: impl Write,
    ) -> io::Result<()> {
        match format {
            Format::Markdown => into.write_all(markdown::file(self, Some(&images.sources(place))).as_bytes()),
            Format::Html => into.write_all(html::file(self, Some(&images.sources(place))).as_bytes()),
            Format::Epub => {
                self.write_epub(&EpubOptions { images: Some(images), ..EpubOptions::default() }, into)
            }
            Format::Text | Format::Json => self.write(format, into),
        }
    }

    /// Writes the document as EPUB 3: `page-1.xhtml` and on, one file a page, and a table of contents of their headings.
    ///
    /// # Errors
    ///
    /// Those of `into`, and where the document is larger than ZIP allows: a file of 4 GiB.
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

    /// Returns what is known of the document as YAML front matter, to be written above its Markdown or text: from `---`
    /// to `---`, and a blank line.
    ///
    /// The keys are `title`, `authors`, `published`, `modified`, `language`, `source` (the address), `canonical`,
    /// `site`, `description`, `image`, `section`, `tags` and `pages` (a number). Those of which nothing is known are left
    /// out. All but `pages` are quoted texts or lists of them, so that any YAML parser reads the same.
    ///
    /// CHOICE: `source` and `language`, not `url` and `lang`: Hugo takes `url` for the address of its own page and refuses
    /// a whole address there, and warns of `lang`.
    ///
    /// # Examples
    ///
    /// ```
    /// # use tsugi_follow::Document;
    /// /// Writes a note, as Obsidian or Hugo reads it.
    /// fn note(document: &Document, mut into: impl std::io::Write) -> std::io::Result<()> {
    ///     into.write_all(document.front_matter().as_bytes())?;
    ///     document.write(tsugi_follow::Format::Markdown, into)
    /// }
    /// ```
    pub fn front_matter(&self) -> String {
        front_matter::block(self)
    }

    /// Returns the content of all pages as safe HTML: for each page a `section` with its address in `data-source` and the
    /// `id` `page-1`, `page-2`, ….
    pub fn html(&self) -> String {
        html::sections(self)
    }

    /// Returns the content of a page, counted from 0, as safe HTML, without the `section` around it. A paragraph that a
    /// page break cut is whole on the page it begins on.
    pub fn page_html(&self, index: usize) -> String {
        html::of_page(self, index)
    }

    /// Returns the content of a page, counted from 0, as Markdown; cut paragraphs as in HTML.
    pub fn page_markdown(&self, index: usize) -> String {
        markdown::of_page(self, index, None)
    }
}

/// The main content of a page as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentText {
    /// The text, a newline between blocks. What markup alone says is written out: powers, formulas, deletions.
    pub text: String,
    /// What below the content's nodes is not written; outermost nodes only, in document order.
    pub without: Vec<NodeId>,
}

impl ContentText {
    /// Writes the main content of a page.
    pub fn of(page: &Page, content: &Content) -> ContentText {
        let mut content = content.clone();
        let reading = Reading::of(page, &mut content);
        let text = page.text_in_forms(&content.nodes, &content.without, &reading.forms);
        ContentText { text, without: content.without }
    }
}

/// Returns the main content of a page as Markdown.
pub fn content_markdown(page: &Page, content: &Content) -> String {
    markdown::content(Shape::of(page, &cut(page, content)), &[], None)
}

/// Returns the main content of a page as safe HTML.
pub fn content_html(page: &Page, content: &Content) -> String {
    html::walled(&html::content(Shape::of(page, &cut(page, content)), &[]))
}

fn cut(page: &Page, content: &Content) -> Cut {
    let mut content = content.clone();
    let reading = Reading::for_document(page, &mut content);
    Cut::new(content.nodes, content.without.into_iter().collect(), reading)
}
