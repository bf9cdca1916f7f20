//! The URLs that a batch works on, written down before the work begins.
//!
//! Memory that runs out, or a stack, ends the process at once, and the URL is neither done nor failed. Without these lines every
//! later run would end at the same URL. With them, the next run does all others first and that one last, and the run after it
//! goes past it.

use crate::journal::Journal;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tsugi::pipeline::locked;

pub(crate) const BEGUN: &str = "begun.jsonl";

/// So many runs may end while they work on a URL: one beside others, which may be at fault or a `kill`, and one with no other.
const MOST_ENDED: u32 = 2;

#[derive(Debug, Serialize, Deserialize)]
struct BegunLine {
    url: String,
    /// The number of runs that ended while they worked on it.
    ended_runs: u32,
    is_running: bool,
}

#[derive(Debug)]
pub(crate) struct BegunUrls {
    path: PathBuf,
    journal: Journal,
    /// The URLs at which a run has ended, and how many did.
    suspects: Mutex<BTreeMap<String, u32>>,
}

impl BegunUrls {
    /// Reads which URLs the runs before have begun and not ended. Lines of URLs that are not wanted stay as they are.
    pub(crate) fn open(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> anyhow::Result<BegunUrls> {
        let path = folder.join(BEGUN);
        let mut suspects = BTreeMap::new();
        let journal = Journal::open(&path, |line| {
            let Ok(BegunLine { url, ended_runs, is_running }) = serde_json::from_value(line.clone()) else {
                return false;
            };
            if !is_wanted(&url) {
                return true;
            }
            match ended_runs.saturating_add(u32::from(is_running)) {
                0 => suspects.remove(&url),
                ended_runs => suspects.insert(url, ended_runs),
            };
            false
        })?;
        let begun = BegunUrls { path, journal, suspects: Mutex::new(suspects) };
        begun.add_suspects()?;
        Ok(begun)
    }

    fn add_suspects(&self) -> anyhow::Result<()> {
        for (url, ended_runs) in locked(&self.suspects).iter() {
            let line = BegunLine { url: url.clone(), ended_runs: *ended_runs, is_running: false };
            self.journal.add(&line)?;
        }
        Ok(())
    }

    /// Returns how many runs ended while they worked on a URL.
    pub(crate) fn ended_runs(&self, url: &str) -> u32 {
        locked(&self.suspects).get(url).copied().unwrap_or(0)
    }

    /// Returns `true` if a URL is not worked on any more.
    pub(crate) fn is_given_up(&self, url: &str) -> bool {
        self.ended_runs(url) >= MOST_ENDED
    }

    pub(crate) fn begin(&self, url: &str) -> anyhow::Result<()> {
        let ended_runs = self.ended_runs(url);
        self.journal.add(&BegunLine { url: url.to_owned(), ended_runs, is_running: true })
    }

    /// Notes that a URL is done or has failed: no run ended at it.
    pub(crate) fn end(&self, url: &str) -> anyhow::Result<()> {
        locked(&self.suspects).remove(url);
        self.journal.add(&BegunLine { url: url.to_owned(), ended_runs: 0, is_running: false })
    }

    /// Leaves only the lines that later runs need, at the end of a run that was not killed.
    pub(crate) fn finish(self, is_wanted: impl Fn(&str) -> bool) -> anyhow::Result<()> {
        let BegunUrls { path, journal, suspects } = self;
        drop(journal);
        let is_of_others = |line: &serde_json::Value| line["url"].as_str().is_some_and(|url| !is_wanted(url));
        let journal = Journal::open(&path, is_of_others)?;
        let begun = BegunUrls { path, journal, suspects };
        begun.add_suspects()?;
        let BegunUrls { path, journal, .. } = begun;
        drop(journal);
        let length = path.metadata().map(|file| file.len());
        if length.is_ok_and(|length| length == 0) {
            std::fs::remove_file(&path).with_context(|| format!("cannot remove `{}`", path.display()))?;
        }
        Ok(())
    }
}
