//! Writing a document: Markdown, HTML, text, JSON.

pub(crate) mod html;
mod inline;
mod json;
pub(crate) mod markdown;
mod table;

use crate::document::Document;
use std::fmt;
use std::str::FromStr;
use tsugi_page::text;

pub use json::json_line;

/// How a document is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `md`: Markdown, as in `CommonMark` with the tables and the strikethrough of GitHub.
    Markdown,
    /// `html`: one complete file.
    Html,
    /// `txt`: the text alone.
    Text,
    /// `json`: one object.
    Json,
}

impl Format {
    /// Returns the word that stands for the format.
    pub fn as_str(self) -> &'static str {
        match self {
            Format::Markdown => "md",
            Format::Html => "html",
            Format::Text => "txt",
            Format::Json => "json",
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
#[error("format is `{found}`, expected `md`, `html`, `txt` or `json`")]
pub struct FormatError {
    found: String,
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(word: &str) -> Result<Format, FormatError> {
        [Format::Markdown, Format::Html, Format::Text, Format::Json]
            .into_iter()
            .find(|format| format.as_str() == word)
            .ok_or_else(|| FormatError { found: word.to_owned() })
    }
}

/// Writes a document; the result ends with a newline.
///
/// The title stands above Markdown and HTML unless the text begins with it.
pub fn write(document: &Document, format: Format) -> String {
    match format {
        Format::Markdown => markdown::file(document),
        Format::Html => html::file(document),
        Format::Text => format!("{}\n", document.text),
        Format::Json => json::pretty(document),
    }
}

/// Returns the title, unless the text begins with it.
fn title_above(document: &Document) -> Option<&str> {
    let first = document.text.lines().next().unwrap_or_default();
    document.title.as_deref().filter(|title| text::fold(title) != text::fold(first))
}
