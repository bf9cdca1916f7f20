//! Labels that are clearly wrong, put right for training.

use super::page::LinkPage;
use crate::label::{Label, url_key};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A label that is wrong, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Correction {
    /// The page.
    pub url: String,
    /// Its next page; `None`: it has none.
    pub next: Option<String>,
    /// What shows that the label is wrong.
    pub reason: String,
}

/// A line of a file of corrections is none.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {source}")]
pub struct CorrectionsError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub source: serde_json::Error,
}

/// Corrections by page.
#[derive(Debug, Clone, Default)]
pub struct Corrections(BTreeMap<String, Correction>);

impl Corrections {
    /// Reads corrections, one JSON object a line.
    ///
    /// # Errors
    ///
    /// [`CorrectionsError`] for the first line that is none.
    ///
    /// # Examples
    ///
    /// ```
    /// let line = r#"{"url": "http://a.test/9", "next": null, "reason": "the link leads back to page 1"}"#;
    /// assert_eq!(tsugi_experiments::Corrections::read(line)?.len(), 1);
    /// # Ok::<(), tsugi_experiments::CorrectionsError>(())
    /// ```
    pub fn read(text: &str) -> Result<Corrections, CorrectionsError> {
        let mut corrections = BTreeMap::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let correction: Correction =
                serde_json::from_str(line).map_err(|source| CorrectionsError { line: index + 1, source })?;
            corrections.insert(url_key(&correction.url), correction);
        }
        Ok(Corrections(corrections))
    }

    /// Returns how many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Says whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Puts the next page of a page right, where a correction is known; says whether one is.
    ///
    /// Only what is trained on should be corrected: figures are measured against labels as they are.
    pub fn apply(&self, label: &Label, page: &mut LinkPage) -> bool {
        let Some(correction) = self.0.get(&url_key(&label.url)) else { return false };
        let keys: Vec<String> = correction.next.iter().map(|url| url_key(url)).collect();
        page.set_next(&keys);
        true
    }
}
