//! The sites that a model learned from, as digests in its file, so that nobody measures it on them unawares.

use crate::dataset::DataSet;
use crate::label::PageLabel;
use data_encoding::BASE64_NOPAD;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use tsugi_page::{Url, address::registrable_domain};

/// The name of the note in a model file.
pub const SITES_NOTE: &str = "sites_seen";

/// Bytes of a digest. Of a strange site, one in 3,700 is taken for one of 4,500 that were seen.
const DIGEST: usize = 3;

/// The sites of some data sets, as digests of their domains and of the names in their labels.
///
/// # Examples
///
/// ```
/// use tsugi_training::label::PageLabel;
/// use tsugi_training::seen_sites::SeenSites;
/// let page = |url: &str| PageLabel { url: url.to_owned(), ..PageLabel::default() };
/// let seen = SeenSites::of_labels([&page("https://www.a.test/1")]);
/// let again = SeenSites::from_note(&seen.note()).unwrap();
/// assert!(again.knows(&page("http://a.test/2")) && !again.knows(&page("https://b.test/1")));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SeenSites(BTreeSet<[u8; DIGEST]>);

impl SeenSites {
    /// Returns the sites of data sets; made-up ones and copies under other addresses do not count.
    pub fn of(sets: &[DataSet]) -> SeenSites {
        SeenSites::of_labels(sets.iter().filter(|set| !set.only_teaches()).flat_map(DataSet::labels))
    }

    /// Returns the sites of labels.
    pub fn of_labels<'a>(labels: impl IntoIterator<Item = &'a PageLabel>) -> SeenSites {
        SeenSites(labels.into_iter().flat_map(names).map(|name| digest(&name)).collect())
    }

    /// Returns the digests as text, for the notes of a model file.
    pub fn note(&self) -> String {
        BASE64_NOPAD.encode(&self.0.iter().flatten().copied().collect::<Vec<u8>>())
    }

    /// Reads the digests from a note; `None` if it is none.
    pub fn from_note(note: &str) -> Option<SeenSites> {
        let bytes = BASE64_NOPAD.decode(note.as_bytes()).ok()?;
        let (digests, rest) = bytes.as_chunks::<DIGEST>();
        rest.is_empty().then(|| SeenSites(digests.iter().copied().collect()))
    }

    /// Adds the sites of another model.
    pub fn extend(&mut self, others: SeenSites) {
        self.0.extend(others.0);
    }

    /// Returns `true` if the site of a page is among them, by its domain or by the name in the label.
    pub fn knows(&self, label: &PageLabel) -> bool {
        names(label).any(|name| self.0.contains(&digest(&name)))
    }
}

fn names(label: &PageLabel) -> impl Iterator<Item = String> {
    let domain = label.url.parse::<Url>().ok().map(|url| registrable_domain(&url).to_owned());
    let named = Some(label.site.to_lowercase()).filter(|site| !site.is_empty());
    domain.into_iter().chain(named)
}

fn digest(name: &str) -> [u8; DIGEST] {
    let [a, b, c, ..]: [u8; 32] = Sha256::digest(name).into();
    [a, b, c]
}
