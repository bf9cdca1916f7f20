//! Estimates of update times compared with right answers.

use super::Update;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tsugi_page::address;

/// The time in which a page was updated; `after` is `None` before the first capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateInterval {
    /// The last capture with the old text.
    pub after: Option<Timestamp>,
    /// The first capture with the current text.
    pub before: Timestamp,
}

impl Update {
    /// Returns the time in which the page was updated.
    pub fn interval(&self) -> UpdateInterval {
        UpdateInterval { after: self.after, before: self.before }
    }
}

/// The right answers by page, and whether the page was looked at.
#[derive(Debug)]
pub struct UpdateLabels(BTreeMap<String, (UpdateInterval, bool)>);

/// A right answer. Other fields are ignored.
#[derive(Deserialize)]
struct UpdateLabel {
    url: String,
    updated: UpdateInterval,
}

impl UpdateLabels {
    /// Reads JSON lines with `url` and `updated`; blank lines are skipped.
    ///
    /// # Errors
    ///
    /// The number of the first line, from 1, that is no label, and the reason.
    pub fn read(lines: &str) -> Result<UpdateLabels, (usize, serde_json::Error)> {
        let lines = lines.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let read = |(at, line)| {
            let label: UpdateLabel = serde_json::from_str(line).map_err(|error| (at + 1, error))?;
            Ok((page_key(&label.url), (label.updated, false)))
        };
        Ok(UpdateLabels(lines.map(read).collect::<Result<_, _>>()?))
    }

    /// Returns the right answer for a page.
    pub fn of(&self, url: &str) -> Option<UpdateInterval> {
        self.0.get(&page_key(url)).map(|(updated, _)| *updated)
    }

    /// Returns the right answer for a page that was looked at.
    pub fn answered(&mut self, url: &str) -> Option<UpdateInterval> {
        let (updated, is_answered) = self.0.get_mut(&page_key(url))?;
        *is_answered = true;
        Some(*updated)
    }

    /// Returns the number of pages with a label that were not looked at.
    pub fn unanswered(&self) -> usize {
        self.0.values().filter(|(_, is_answered)| !is_answered).count()
    }
}

fn page_key(url: &str) -> String {
    url.parse().map_or_else(|_| url.to_owned(), |url| address::page_key(&url))
}

/// Counts of right and wrong answers.
#[derive(Debug, Default, Serialize)]
pub struct UpdateScore {
    right: usize,
    /// The answer is an earlier change than the right one.
    too_early: usize,
    /// The answer is a later change than the right one, or a change where there was none.
    too_late: usize,
    missed: usize,
    /// Pages with a right answer and without ours: unreadable, not in the archive, or not asked for.
    pub failed: usize,
    /// Pages without a right answer.
    unlabelled: usize,
}

impl UpdateScore {
    /// Returns `true` if no answer was compared with a right one.
    pub fn is_empty(&self) -> bool {
        self.right + self.too_early + self.too_late + self.missed == 0
    }

    /// Counts an answer.
    pub fn add(&mut self, answer: Option<UpdateInterval>, right: Option<UpdateInterval>) {
        *match (answer, right) {
            (_, None) => &mut self.unlabelled,
            (None, Some(_)) => &mut self.failed,
            (Some(answer), Some(right)) if answer == right => &mut self.right,
            (Some(answer), Some(right)) if answer.after.is_none() && right.after.is_some() => {
                &mut self.missed
            }
            (Some(answer), Some(right)) if (answer.before, answer.after) < (right.before, right.after) => {
                &mut self.too_early
            }
            (Some(_), Some(_)) => &mut self.too_late,
        } += 1;
    }
}
