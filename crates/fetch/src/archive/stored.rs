//! Finding pages of an archive by their address.

use super::error::{ArchiveError, ArchiveProblem, Flaw};
use super::format;
use super::index::{Index, Indexing, Lookup};
use super::reader::{Reader, Walker};
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
/// address the first page counts, or the last record if there is no page. A revisit counts as the answer that it refers
/// to, at its own address. A failure that a [`Store`] recorded is returned with the same word and message.
///
/// [`Store`]: crate::Store
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    index: Index,
    reader: Reader,
    problems: Vec<ArchiveProblem>,
}

impl Archive {
    /// Opens an archive and indexes it.
    ///
    /// # Errors
    ///
    /// [`ArchiveError::Io`] if the file cannot be read, [`ArchiveError::NotAnArchive`] if it has bytes but no record,
    /// [`ArchiveError::Format`] for archives of other formats. Damage is not an error: see [`Archive::problems`].
    ///
    /// # Cost
    ///
    /// One pass over the file. Memory is for one record and all addresses.
    pub fn open(path: &Path) -> Result<Archive, ArchiveError> {
        let (mut indexing, mut problems) = (Indexing::default(), Vec::new());
        for found in Walker::new(format::open(path)?) {
            match found {
                Ok((place, held)) => indexing.add(&held, place),
                Err(ArchiveProblem { flaw: Flaw::Unreadable(reason), .. }) => {
                    return Err(ArchiveError::Io { path: path.to_owned(), source: io::Error::other(reason) });
                }
                Err(problem) => problems.push(problem),
            }
        }
        let archive =
            Archive { path: path.to_owned(), index: indexing.finish(), reader: Reader::default(), problems };
        let nothing = archive.is_empty();
        if nothing && archive.problems.first().is_some_and(|problem| problem.flaw == Flaw::NotARecord) {
            return Err(ArchiveError::NotAnArchive { path: archive.path });
        }
        Ok(archive)
    }

    fn held(&self, url: &Url, wanted: Wanted) -> Result<Response, FetchError> {
        self.index.fetch(url, Lookup::Alike, wanted, |place| {
            let read = self.reader.read(place, || File::open(&self.path));
            read.map_err(|problem| ArchiveError::of_record(&self.path, problem).into())
        })
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
