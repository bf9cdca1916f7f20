//! Finding pages of an archive by their address.

use super::catalog::{Catalog, CatalogOptions, CatalogPage, Catalogued};
use super::error::{ArchiveError, ArchiveProblem};
use super::record::DigestCheck;
use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::fetch::{Fetch, FetchImage};
use crate::sorter::Scratch;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use tsugi_page::{Response, Url};

/// A WARC archive with its pages by address.
///
/// Opening reads the archive once and keeps addresses and offsets; bodies are read on demand. Of several records of one
/// address the first page counts, or the last record if there is no page. A revisit counts as the answer that it refers
/// to, at its own address. A page that a browser drew counts before the answer that it was drawn of. A failure that a [`Store`] recorded is returned with the same word and message.
///
/// [`Store`]: crate::Store
#[derive(Debug)]
pub struct Archive {
    catalog: Catalog,
    urls: Vec<Url>,
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
        let mut problems = Vec::new();
        let scratch = Scratch::in_memory();
        // The file may change while it is open, so digests are compared whenever a record is read.
        let (threads, digests) = (NonZeroUsize::MIN, DigestCheck::Compared);
        let options = CatalogOptions { threads, least: u64::MAX, digests, scratch: &scratch };
        let catalog = Catalog::open_with(&[path.to_owned()], options, |seen| {
            if let Catalogued::Broken(_, problem) = seen {
                problems.push(problem);
            }
            ControlFlow::Continue(())
        })?;
        let catalog = catalog.ok_or_else(|| io::Error::from(io::ErrorKind::Interrupted))?;
        let mut pages: Vec<CatalogPage> =
            (0..catalog.len()).map(|number| catalog.page(number)).collect::<io::Result<_>>()?;
        pages.sort_unstable_by_key(|page| page.turn);
        Ok(Archive { catalog, urls: pages.into_iter().map(|page| page.url).collect(), problems })
    }

    /// Returns the addresses that answered, each once, in the order of the archive. Redirects and errors are included,
    /// `robots.txt` and requests for images are not.
    pub fn urls(&self) -> impl Iterator<Item = &Url> {
        self.urls.iter()
    }

    /// Returns the number of addresses.
    pub fn len(&self) -> usize {
        self.urls.len()
    }

    /// Returns `true` if the archive has no response.
    pub fn is_empty(&self) -> bool {
        self.urls.is_empty()
    }

    /// Returns the records that could not be read, in the order of the archive.
    pub fn problems(&self) -> &[ArchiveProblem] {
        &self.problems
    }
}

impl Archive {
    /// Returns a page as a browser drew it: 0 as it opened, a higher number after going on in it so many times.
    ///
    /// # Errors
    ///
    /// [`FetchError::NotStored`] if it was not drawn, and the recorded failure if that failed.
    pub fn drawn(&self, url: &Url, number: u16) -> Result<Response, FetchError> {
        self.catalog.held(url, Wanted::Drawn(number))
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
        self.catalog.fetch(url)
    }
}

impl FetchImage for Archive {
    /// Returns an image of the archive, as for pages. Records of requests for images count first. Archives by other
    /// programs do not mark them, so any record may be one.
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError> {
        self.catalog.fetch_image(url)
    }
}
