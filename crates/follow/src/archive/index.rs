//! Finding pages of an archive by their address.

use super::reader::{self, Place, Walker};
use super::{ArchiveError, ArchiveProblem, Flaw};
use crate::fetch::{Fetch, FetchError, Response};
use crate::http::{is_redirect, redirected};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tsugi_page::{Url, address};

/// How many redirects are followed inside an archive.
const MAX_REDIRECTS: usize = 10;

/// A WARC archive whose pages can be had by address.
///
/// Opening reads the archive once and keeps addresses and offsets; bodies are read when asked for. Of several
/// captures of one address the first counts.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    entries: Vec<Entry>,
    /// By exact address.
    exact: BTreeMap<String, usize>,
    /// By [`address::page_key`].
    alike: BTreeMap<String, usize>,
    problems: Vec<ArchiveProblem>,
}

#[derive(Debug)]
struct Entry {
    url: Url,
    place: Place,
}

impl Archive {
    /// Opens an archive and indexes it.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Io`] if the file cannot be read, [`ArchiveError::NotAnArchive`] if it holds bytes but
    /// no record. Damage is no error: see [`Archive::problems`].
    ///
    /// # Cost
    ///
    /// One pass over the file. Memory grows with the number of addresses, not with the bodies.
    pub fn open(path: &Path) -> Result<Archive, ArchiveError> {
        let mut archive = Archive {
            path: path.to_owned(),
            entries: Vec::new(),
            exact: BTreeMap::new(),
            alike: BTreeMap::new(),
            problems: Vec::new(),
        };
        for found in Walker::over_heads(archive.file()?) {
            match found {
                Ok((place, stored)) => archive.add(stored.url, place),
                Err(problem) => match problem.flaw {
                    Flaw::Unreadable(reason) => return Err(archive.failed(io::Error::other(reason))),
                    _ => archive.problems.push(problem),
                },
            }
        }
        let nothing = archive.entries.is_empty();
        if nothing && archive.problems.first().is_some_and(|problem| problem.flaw == Flaw::NotARecord) {
            return Err(ArchiveError::NotAnArchive { path: archive.path });
        }
        Ok(archive)
    }

    fn file(&self) -> Result<File, ArchiveError> {
        File::open(&self.path).map_err(|error| self.failed(error))
    }

    fn failed(&self, source: io::Error) -> ArchiveError {
        ArchiveError::Io { path: self.path.clone(), source }
    }

    fn add(&mut self, url: Url, place: Place) {
        if self.exact.contains_key(url.as_str()) {
            return;
        }
        let index = self.entries.len();
        self.exact.insert(url.as_str().to_owned(), index);
        self.alike.entry(address::page_key(&url)).or_insert(index);
        self.entries.push(Entry { url, place });
    }

    /// Returns the stored addresses in the order of the archive, each once; redirects and errors are among
    /// them.
    pub fn urls(&self) -> impl ExactSizeIterator<Item = &Url> {
        self.entries.iter().map(|entry| &entry.url)
    }

    /// Returns the number of addresses.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Says whether the archive holds no response.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns what could not be read, in the order of the archive.
    pub fn problems(&self) -> &[ArchiveProblem] {
        &self.problems
    }

    /// Finds the entry of an address: the very one, else one that names the same page in practice.
    fn find(&self, url: &Url) -> Option<usize> {
        let exact = self.exact.get(url.as_str());
        exact.or_else(|| self.alike.get(&address::page_key(url))).copied()
    }
}

impl Fetch for Archive {
    /// Gets a page of the archive; nothing is asked of the network.
    ///
    /// The exact address counts first, then one with an equal [`address::page_key`] (scheme, `www.`, trailing
    /// slash, `index.html`); [`Response::url`] is the stored one. Stored redirects are followed inside the
    /// archive.
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        let mut wanted = address::without_fragment(url);
        let mut before = None;
        for _ in 0..=MAX_REDIRECTS {
            let found = self.find(&wanted);
            // A redirect to an address that is stored only as the redirect itself leads nowhere.
            let Some(index) = found.filter(|_| found != before) else {
                return Err(FetchError::NotStored { url: wanted });
            };
            let stored = reader::read_at(self.file()?, self.entries[index].place)
                .map_err(|source| ArchiveError::Damaged { path: self.path.clone(), source })?;
            match &stored.http.location {
                Some(location) if is_redirect(stored.http.status) => {
                    wanted = redirected(&stored.url, location)?;
                    before = found;
                }
                _ => return stored.into_response(),
            }
        }
        Err(FetchError::TooManyRedirects { url: url.clone(), limit: MAX_REDIRECTS })
    }
}
