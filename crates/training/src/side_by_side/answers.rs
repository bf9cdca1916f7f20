//! Answers that a program has written, one JSON line a page, as `tsugi scan` writes them.

use crate::dataset::DataSet;
use crate::label::url_key;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

/// The answers of a program about pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WrittenAnswers {
    by_url: BTreeMap<String, PageAnswer>,
    by_key: BTreeMap<String, PageAnswer>,
    /// Whether any line says something of the next page.
    pub(super) has_next: bool,
    /// Whether any line says something of the content.
    pub(super) has_text: bool,
}

/// What a program says of a page. A page without content has an empty text.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct PageAnswer {
    pub(super) next: Option<String>,
    pub(super) text: String,
}

/// A line that is not an answer.
#[derive(Debug, thiserror::Error)]
#[error("line {line} is not a line as `tsugi scan` writes them: {source}")]
pub struct AnswerError {
    line: usize,
    source: serde_json::Error,
}

/// A field that is absent says nothing; one that is null says “none”.
type Said<T> = Option<Option<T>>;

#[derive(Deserialize)]
struct WrittenLine {
    url: String,
    #[serde(default, deserialize_with = "said")]
    next: Said<AnswerLink>,
    #[serde(default, deserialize_with = "said")]
    content: Said<AnswerText>,
}

#[derive(Deserialize)]
struct AnswerLink {
    url: String,
}

#[derive(Deserialize)]
struct AnswerText {
    text: String,
}

fn said<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Said<T>, D::Error> {
    Option::deserialize(from).map(Some)
}

impl WrittenAnswers {
    /// Reads lines. Of each, `url`, `next.url` and `content.text` count. A field that no line has is not measured.
    ///
    /// # Errors
    ///
    /// [`AnswerError`] for the first line that is not such an object.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_training::side_by_side::WrittenAnswers;
    /// let lines = r#"{"url": "https://a.test/1", "next": {"url": "https://a.test/2"}}"#;
    /// assert_eq!(WrittenAnswers::read(lines)?.len(), 1);
    /// assert!(WrittenAnswers::read(r#"{"url": 1}"#).is_err());
    /// # Ok::<(), tsugi_training::side_by_side::AnswerError>(())
    /// ```
    pub fn read(lines: &str) -> Result<WrittenAnswers, AnswerError> {
        let mut answers = WrittenAnswers::default();
        for (at, line) in lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let line: WrittenLine =
                serde_json::from_str(line).map_err(|source| AnswerError { line: at + 1, source })?;
            answers.has_next |= line.next.is_some();
            answers.has_text |= line.content.is_some();
            let answer = PageAnswer {
                next: line.next.flatten().map(|next| next.url),
                text: line.content.flatten().map(|content| content.text).unwrap_or_default(),
            };
            // As in data sets, the first line of an address counts.
            answers.by_key.entry(url_key(&line.url)).or_insert_with(|| answer.clone());
            answers.by_url.entry(line.url).or_insert(answer);
        }
        Ok(answers)
    }

    /// Returns the number of pages.
    pub fn len(&self) -> usize {
        self.by_url.len()
    }

    /// Returns `true` if there is no page.
    pub fn is_empty(&self) -> bool {
        self.by_url.is_empty()
    }

    /// Returns the number of labelled pages without an answer, which count as answered by nothing.
    pub fn missing(&self, sets: &[DataSet]) -> usize {
        let labels = sets.iter().flat_map(DataSet::labels);
        labels.filter(|label| self.of(&label.url).is_none()).count()
    }

    /// Returns the text of a page; `None` if no line is about it.
    pub(crate) fn text_of(&self, url: &str) -> Option<&str> {
        self.of(url).map(|answer| answer.text.as_str())
    }

    pub(super) fn of(&self, url: &str) -> Option<&PageAnswer> {
        self.by_url.get(url).or_else(|| self.by_key.get(&url_key(url)))
    }
}
