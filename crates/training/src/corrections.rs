//! Corrections of labels that are known to be wrong. Training uses them; evaluation uses the labels as they are, and reports
//! corrected figures apart.

use crate::label::{PageLabel, url_key};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One line of a corrections file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Correction {
    /// The page's address.
    pub url: String,
    /// The next page; `null` if the page has none.
    pub next: Option<String>,
    /// The mistake in the label, for human readers.
    pub reason: String,
}

/// Why corrections cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorrectionsError {
    /// The file cannot be read.
    #[error("`{path}` cannot be read")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A line is not a correction.
    #[error("`{path}`, line {line}: expected `url`, `next` (an address or null) and `reason`")]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The reason.
        source: serde_json::Error,
    },
}

impl Correction {
    /// Reads a file with one JSON object per line.
    ///
    /// # Errors
    ///
    /// [`CorrectionsError`] if the file cannot be read, or for the first line that is not a correction.
    pub fn read(path: &Path) -> Result<Vec<Correction>, CorrectionsError> {
        let text = std::fs::read_to_string(path)
            .map_err(|source| CorrectionsError::Io { path: path.to_owned(), source })?;
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines
            .map(|(index, line)| {
                serde_json::from_str(line).map_err(|source| CorrectionsError::Line {
                    path: path.to_owned(),
                    line: index + 1,
                    source,
                })
            })
            .collect()
    }

    /// Returns the corrected label.
    pub fn apply(&self, label: &PageLabel) -> PageLabel {
        let same = self.next.as_deref().map(url_key) == label.next.as_deref().map(url_key);
        let relation = if same { label.relation.clone() } else { None };
        PageLabel { next: self.next.clone(), next_any: Vec::new(), relation, ..label.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_replaces_every_right_page() {
        let label = PageLabel {
            next: Some("http://a.test/2".into()),
            next_any: vec!["http://a.test/2".into(), "http://a.test/3".into()],
            relation: Some("page".into()),
            ..PageLabel::default()
        };
        let correct = |next: Option<&str>| {
            let next = next.map(str::to_owned);
            Correction { url: String::new(), next, reason: "it goes back".into() }.apply(&label)
        };
        assert_eq!(correct(Some("http://a.test/4")).next_keys(), [url_key("http://a.test/4")]);
        assert_eq!((correct(None).next_keys(), correct(None).relation), (vec![], None));
        assert_eq!(correct(Some("http://a.test/2/")).relation.as_deref(), Some("page"));
    }

    #[test]
    fn a_line_that_is_no_correction_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("corrections.jsonl");
        let line = r#"{"url":"http://a.test/","next":null,"reason":"the last page"}"#;
        std::fs::write(&path, format!("{line}\n\n")).unwrap();
        assert_eq!(Correction::read(&path).unwrap().len(), 1);
        std::fs::write(&path, format!("{line}\n{{\"url\":\"x\"}}\n")).unwrap();
        let error = Correction::read(&path).unwrap_err().to_string();
        assert!(
            error.ends_with("line 2: expected `url`, `next` (an address or null) and `reason`"),
            "{error}"
        );
    }
}
