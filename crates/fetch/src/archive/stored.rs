//! Finding pages of an archive by their address.

use super::error::{ArchiveError, ArchiveProblem, Flaw};
use super::index::{Index, Lookup};
use super::reader::{self, Walker};
use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::fetch::{Fetch, FetchImage};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tsugi_page::{Response, Url};

/// A WARC archive with its pages by address.
///
/// Opening reads the archive once and keeps addresses and offsets; bodies are read on demand. Of several records of one
/// address the first page counts, or the last record if there is no page. A failure that a [`Store`] recorded is
/// returned with the same word and message.
///
/// [`Store`]: crate::Store
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    index: Index,
    problems: Vec<ArchiveProblem>,
}

impl Archive {
    /// Opens an archive and indexes it.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Io`] if the file cannot be read, [`ArchiveError::NotAnArchive`] if it has bytes but no record.
    /// Damage is not an error: see [`Archive::problems`].
    ///
    /// # Cost
    ///
    /// One pass over the file. Memory grows with the number of addresses, not with the bodies.
    pub fn open(path: &Path) -> Result<Archive, ArchiveError> {
        let mut archive = Archive { path: path.to_owned(), index: Index::default(), problems: Vec::new() };
        for found in Walker::over_heads(archive.file()?) {
            match found {
                Ok((place, held)) => {
                    archive.index.add(&held, place);
                }
                Err(problem) => match problem.flaw {
                    Flaw::Unreadable(reason) => return Err(archive.failed(io::Error::other(reason))),
                    _ => archive.problems.push(problem),
                },
            }
        }
        let nothing = archive.is_empty();
        if nothing && archive.problems.first().is_some_and(|problem| problem.flaw == Flaw::NotARecord) {
            return Err(ArchiveError::NotAnArchive { path: archive.path });
        }
        Ok(archive)
    }

    fn held(&self, url: &Url, wanted: Wanted) -> Result<Response, FetchError> {
        self.index.fetch(url, Lookup::Alike, wanted, |place| {
            let damaged = |source| ArchiveError::Damaged { path: self.path.clone(), source };
            Ok(reader::read_at(self.file()?, place).map_err(damaged)?)
        })
    }

    fn file(&self) -> Result<File, ArchiveError> {
        File::open(&self.path).map_err(|error| self.failed(error))
    }

    fn failed(&self, source: io::Error) -> ArchiveError {
        ArchiveError::Io { path: self.path.clone(), source }
    }

    /// Returns the addresses that answered, each once, in the order of the archive. Redirects and errors are included,
    /// `robots.txt` and requests for images are not.
    pub fn urls(&self) -> impl Iterator<Item = &Url> {
        self.index.urls()
    }

    /// Returns the number of addresses.
    pub fn len(&self) -> usize {
        self.urls().count()
    }

    /// Returns `true` if the archive has no response.
    pub fn is_empty(&self) -> bool {
        self.urls().next().is_none()
    }

    /// Returns the records that could not be read, in the order of the archive.
    pub fn problems(&self) -> &[ArchiveProblem] {
        &self.problems
    }
}

impl Fetch for Archive {
    /// Returns a page of the archive, without using the network.
    ///
    /// The exact address counts first, then one with an equal [`address::page_key`] (scheme, `www.`, trailing
    /// slash, `index.html`); [`Response::url`] is the stored one. Stored redirects are followed inside the
    /// archive.
    ///
    /// [`address::page_key`]: tsugi_page::address::page_key
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        self.held(url, Wanted::Page)
    }
}

impl FetchImage for Archive {
    /// Returns an image of the archive, as for pages. Records of requests for images count first. Archives by other
    /// programs do not mark them, so any record may be one.
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError> {
        self.held(url, Wanted::Image)
    }
}
