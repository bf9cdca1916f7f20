//! Writing a document: Markdown, HTML, text, JSON, EPUB.

mod epub;
pub(crate) mod html;
mod inline;
mod json;
pub(crate) mod markdown;
mod table;
mod wall;

use crate::document::Document;
use std::fmt;
use std::io;
use std::str::FromStr;
use tsugi_page::text;

pub use epub::{EpubOptions, GetImage, write_epub};
pub use json::json_line;

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
    /// `epub`: EPUB 3, the images left out; see [`write_epub`] for how to have them.
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

/// Writes a document: UTF-8 that ends with a newline, but for [`Format::Epub`], which is a ZIP archive.
///
/// The title stands above Markdown, HTML and EPUB unless the text begins with it; under it authors and date, unless
/// the text soon names one of them.
///
/// # Errors
///
/// As [`write_epub`]; none for the other formats.
pub fn write(document: &Document, format: Format) -> io::Result<Vec<u8>> {
    Ok(match format {
        Format::Markdown => markdown::file(document).into_bytes(),
        Format::Html => html::file(document).into_bytes(),
        Format::Text => format!("{}\n", document.text).into_bytes(),
        Format::Json => json::pretty(document).into_bytes(),
        Format::Epub => write_epub(document, &EpubOptions::default())?,
    })
}

/// Returns the title, unless the text begins with it. A kicker, a date or a path to the page may stand before it.
fn title_above(document: &Document) -> Option<&str> {
    /// Lines that the title may be among.
    const BEGIN: usize = 4;
    let title = document.title.as_deref()?;
    let folded = text::fold(title);
    let stands = document.text.lines().take(BEGIN).any(|line| text::fold(line) == folded);
    (!stands).then_some(title)
}

/// Returns authors and day of publication where the title stands above the text, and the text does not soon name
/// an author.
fn byline_above(document: &Document) -> Option<String> {
    /// How many characters of a text its byline may be in.
    const SOON: usize = 600;
    title_above(document)?;
    let begin: String = document.text.chars().take(SOON).collect();
    let is_named = document.authors.iter().any(|author| begin.contains(author.as_str()));
    if document.authors.is_empty() || is_named {
        return None;
    }
    let day = document.published.as_deref().and_then(|date| date.get(.."2024-05-01".len()));
    let day = day.map(|day| format!(" · {day}")).unwrap_or_default();
    Some(document.authors.join(", ") + &day)
}
