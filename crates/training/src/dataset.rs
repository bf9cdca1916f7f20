//! Data sets on disk: `DIR/pages.warc.gz` and `DIR/labels.jsonl`.

use crate::corrections::Correction;
use crate::label::{PageLabel, url_key};
use crate::readdressed::Readdressing;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tsugi_fetch::{ArchiveError, Record, records};
use tsugi_page::{Page, Response};

/// The labels of a data set, and where its pages are.
#[derive(Debug)]
pub struct DataSet {
    /// The folder's name.
    pub name: String,
    folder: PathBuf,
    /// The pages, if they are not in an archive.
    responses: Option<Vec<Response>>,
    labels: Vec<PageLabel>,
    corrected: BTreeMap<usize, PageLabel>,
    by_url: BTreeMap<String, usize>,
    by_key: BTreeMap<String, usize>,
    addresses: Option<Readdressing>,
}

/// Why a data set cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataSetError {
    /// A file cannot be read.
    #[error("`{path}` cannot be read: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// A line of the labels file is not a label.
    #[error("`{path}`, line {line}: {source}")]
    Label {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The reason.
        source: serde_json::Error,
    },
    /// The archive cannot be read.
    #[error("`{path}`: {source}")]
    Archive {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: ArchiveError,
    },
}

/// A problem with a data set. The rest of the data set is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The data set.
    pub set: String,
    /// The page, if it is about one.
    pub url: Option<String>,
    /// The reason.
    pub what: String,
}

/// What is said of a stored page, or a stored failure, without a label.
const UNLABELLED: &str = "the page has no label";

impl Complaint {
    /// Returns `true` if it is about a stored page that nobody labelled, which is no fault of the data.
    pub fn is_unlabelled(&self) -> bool {
        self.what == UNLABELLED
    }
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.url {
            Some(url) => write!(f, "{}: {url}: {}", self.set, self.what),
            None => write!(f, "{}: {}", self.set, self.what),
        }
    }
}

impl DataSet {
    /// Reads the labels of a data set.
    ///
    /// # Errors
    ///
    /// [`DataSetError`] if `labels.jsonl` is missing or a line of it is not a label.
    pub fn open(folder: &Path) -> Result<DataSet, DataSetError> {
        DataSet::of_labels(&folder.join("labels.jsonl"))
    }

    /// Reads the labels of a data set from a file with another name, in the folder of the data set.
    ///
    /// # Errors
    ///
    /// [`DataSetError`] if the file cannot be read or a line of it is not a label.
    pub fn of_labels(path: &Path) -> Result<DataSet, DataSetError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let text = std::fs::read_to_string(path)
            .map_err(|source| DataSetError::Io { path: path.to_owned(), source })?;
        let mut labels = Vec::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let label = serde_json::from_str(line);
            let error = |source| DataSetError::Label { path: path.to_owned(), line: index + 1, source };
            labels.push(label.map_err(error)?);
        }
        let name =
            folder.file_name().map_or_else(|| "data".into(), |name| name.to_string_lossy().into_owned());
        Ok(DataSet::of(name, folder, labels))
    }

    /// Returns a data set of labels, whose pages are in `folder`.
    pub fn of(name: String, folder: &Path, labels: Vec<PageLabel>) -> DataSet {
        // The first label of an address counts: later insertions win, so the order is turned round.
        let keyed = labels.iter().enumerate().rev().map(|(index, label)| (url_key(&label.url), index));
        let named = labels.iter().enumerate().rev().map(|(index, label)| (label.url.clone(), index));
        DataSet {
            name,
            folder: folder.to_owned(),
            responses: None,
            by_url: named.collect(),
            by_key: keyed.collect(),
            labels,
            corrected: BTreeMap::new(),
            addresses: None,
        }
    }

    /// Returns the same pages under new addresses.
    pub(crate) fn with_addresses(&self, addresses: Readdressing) -> DataSet {
        let labels = self.labels.iter().map(|label| addresses.label(label)).collect();
        let corrected = self.corrected.iter().map(|(at, label)| (*at, addresses.label(label))).collect();
        let name = format!("{} (readdressed)", self.name);
        DataSet { corrected, addresses: Some(addresses), ..DataSet::of(name, &self.folder, labels) }
    }

    /// Returns a data set whose pages are in memory. They are visited in their order, as those of an archive are.
    pub fn in_memory(name: String, labels: Vec<PageLabel>, responses: Vec<Response>) -> DataSet {
        DataSet { responses: Some(responses), ..DataSet::of(name, Path::new(""), labels) }
    }

    /// Returns the labels, in the order of the file.
    pub fn labels(&self) -> &[PageLabel] {
        &self.labels
    }

    /// Returns `true` if its pages are made of others or made up. Models learn from them, but they choose no threshold, and
    /// nothing is measured on them.
    pub fn only_teaches(&self) -> bool {
        self.addresses.is_some() || self.is_made_up()
    }

    /// Returns `true` if its pages are made up.
    pub(crate) fn is_made_up(&self) -> bool {
        self.responses.is_some()
    }

    /// Applies corrections, except those of pages outside the set. Returns the number of corrected labels.
    pub fn correct(&mut self, corrections: &[Correction]) -> usize {
        for correction in corrections {
            if let Some(index) = self.label_of(&correction.url) {
                self.corrected.insert(index, correction.apply(&self.labels[index]));
            }
        }
        self.corrected.len()
    }

    pub(crate) fn corrections(&self) -> usize {
        self.corrected.len()
    }

    pub(crate) fn corrected(&self, index: usize) -> &PageLabel {
        self.corrected.get(&index).unwrap_or(&self.labels[index])
    }

    /// Returns `true` if a page is stored together with the next page by its label.
    pub fn has_pairs(&self) -> bool {
        self.labels.iter().any(|label| {
            label.knows_next() && label.next.as_deref().is_some_and(|next| self.label_of(next).is_some())
        })
    }

    /// Returns the place of a page's label: the one with just its address, else one that names the same page.
    pub fn label_of(&self, url: &str) -> Option<usize> {
        self.by_url.get(url).or_else(|| self.by_key.get(&url_key(url))).copied()
    }

    /// Makes a complaint about a labelled page.
    pub fn complaint(&self, label: usize, what: String) -> Complaint {
        Complaint { set: self.name.clone(), url: Some(self.labels[label].url.clone()), what }
    }

    /// Returns the file of the set's own pages.
    pub fn pages_path(&self) -> PathBuf {
        self.folder.join(PAGES)
    }

    /// Reads the archive once and hands each labelled page to `visit`, with the place of its label. Pages whose labels name the
    /// archive of another set beside this one (`archive`) are read from there, by name of the archive.
    ///
    /// Adds bodies and labels to `digest`. Returns complaints about unreadable pages, pages without a label and labels
    /// without a page; the rest is visited.
    ///
    /// # Errors
    ///
    /// [`DataSetError::Archive`] if the archive cannot be opened.
    pub fn visit(
        &self,
        digest: Option<&mut DataDigest>,
        mut visit: impl FnMut(usize, Page),
    ) -> Result<Vec<Complaint>, DataSetError> {
        self.visit_responses(digest, |label, response| visit(label, response.page()))
    }

    /// Like [`DataSet::visit`], but with the response of the server instead of the parsed page.
    ///
    /// # Errors
    ///
    /// [`DataSetError`] if the archive cannot be read.
    pub fn visit_responses(
        &self,
        mut digest: Option<&mut DataDigest>,
        mut visit: impl FnMut(usize, Response),
    ) -> Result<Vec<Complaint>, DataSetError> {
        let mut complaints = Vec::new();
        let mut seen = vec![false; self.labels.len()];
        for (archive, pages) in self.archives() {
            for answer in self.answers(&pages)? {
                let (url, response) = match answer {
                    Ok((url, Ok(response))) => (url, response),
                    // Another set answers for the records of its own archive.
                    _ if archive.is_some() => continue,
                    Ok((url, Err(error))) => {
                        let what = if self.label_of(&url).is_some() { error } else { UNLABELLED.to_owned() };
                        complaints.push(self.complaint_of(Some(&url), what));
                        continue;
                    }
                    Err(problem) => {
                        complaints.push(self.complaint_of(None, problem));
                        continue;
                    }
                };
                let (url, response) = match &self.addresses {
                    Some(addresses) => addresses.record(&url, response),
                    None => (url, response),
                };
                let label = self.label_of(&url).filter(|label| self.labels[*label].archive() == archive);
                let Some(index) = label else {
                    if archive.is_none() {
                        complaints.push(self.complaint_of(Some(&url), UNLABELLED.to_owned()));
                    }
                    continue;
                };
                if std::mem::replace(&mut seen[index], true) {
                    complaints.push(self.complaint_of(Some(&url), "the page is stored twice".to_owned()));
                    continue;
                }
                if let Some(digest) = digest.as_deref_mut() {
                    digest.add(self.corrected(index), &response.body);
                }
                visit(index, response);
            }
        }
        for (label, _) in self.labels.iter().zip(&seen).filter(|(_, seen)| !**seen) {
            complaints.push(self.complaint_of(Some(&label.url), "the label has no page".to_owned()));
        }
        Ok(complaints)
    }

    /// Returns the archives that hold the pages, each with its file. `None` stands for the set's own.
    fn archives(&self) -> Vec<(Option<&str>, PathBuf)> {
        let names: BTreeSet<Option<&str>> = self.labels.iter().map(PageLabel::archive).collect();
        let file = |name: Option<&str>| match name {
            Some(name) => self.folder.with_file_name(name).join(PAGES),
            None => self.pages_path(),
        };
        let own = names.is_empty().then_some(None);
        names.into_iter().chain(own).map(|name| (name, file(name))).collect()
    }

    /// Returns the answers that are stored in a file, in their order.
    fn answers(&self, pages: &Path) -> Result<Box<dyn Iterator<Item = StoredAnswer> + '_>, DataSetError> {
        if let Some(responses) = &self.responses {
            let answer = |response: &Response| Ok((response.url.to_string(), Ok(response.clone())));
            return Ok(Box::new(responses.iter().map(answer)));
        }
        let records =
            records(pages).map_err(|source| DataSetError::Archive { path: pages.to_owned(), source })?;
        Ok(Box::new(records.map(|record| match record {
            Ok(Record { target, response, .. }) => Ok((target, response.map_err(|error| error.to_string()))),
            Err(problem) => Err(problem.to_string()),
        })))
    }

    fn complaint_of(&self, url: Option<&str>, what: String) -> Complaint {
        Complaint { set: self.name.clone(), url: url.map(str::to_owned), what }
    }
}

const PAGES: &str = "pages.warc.gz";

/// An address and its answer, or why there is none. The outer error is of a record without an address.
type StoredAnswer = Result<(String, Result<Response, String>), String>;

/// A digest of everything that was trained on, pages and labels.
#[derive(Debug, Default)]
pub struct DataDigest(Sha256);

impl DataDigest {
    fn add(&mut self, label: &PageLabel, body: &[u8]) {
        let known = (&label.url, &label.site, label.next_keys(), &label.content, &label.labels);
        let json = serde_json::to_vec(&known).unwrap_or_default();
        for part in [json.as_slice(), body] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
    }

    /// Returns the first 16 bytes of the digest, in hexadecimal.
    pub fn finish(self) -> String {
        use std::fmt::Write as _;
        self.0.finalize().iter().take(16).fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_in_memory_are_visited_as_those_of_an_archive() {
        let url = |name: &str| format!("https://a.test/{name}");
        let label = |name: &str| PageLabel { url: url(name), ..PageLabel::default() };
        let answer = |name: &str| Response::new(url(name).parse().unwrap(), format!("<p>{name}</p>"));
        let labels = vec![label("one"), label("two"), label("three")];
        let stored = vec![answer("two"), answer("one"), answer("none"), answer("two")];
        let set = DataSet::in_memory("made".to_owned(), labels, stored);
        let (mut visited, mut digest) = (Vec::new(), DataDigest::default());
        let complaints =
            set.visit(Some(&mut digest), |label, page| visited.push((label, page.url().to_string())));
        assert_eq!(visited, [(1, url("two")), (0, url("one"))]);
        let complaint = |name: &str, what: &str| Complaint {
            set: "made".to_owned(),
            url: Some(url(name)),
            what: what.to_owned(),
        };
        let expected = [
            complaint("none", "the page has no label"),
            complaint("two", "the page is stored twice"),
            complaint("three", "the label has no page"),
        ];
        assert_eq!(complaints.unwrap(), expected);
        assert_ne!(digest.finish(), DataDigest::default().finish());
    }
}
