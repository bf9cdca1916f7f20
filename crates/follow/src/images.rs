//! Where the images of a document are, once it takes them with it.

use std::collections::BTreeMap;

/// Where the images of a document are, if not where they were.
#[derive(Debug)]
pub(crate) struct ImageSources {
    sources: BTreeMap<String, String>,
    /// Whether an image that is not among them is shown from where it was; else its words stand in its place.
    pub(crate) others_stay: bool,
}

impl ImageSources {
    /// Takes note of where images are, by the addresses where they were.
    pub(crate) fn new(sources: BTreeMap<String, String>, others_stay: bool) -> ImageSources {
        ImageSources { sources, others_stay }
    }

    /// Returns where an image is, by the address where it was.
    pub(crate) fn of(&self, address: String) -> Option<String> {
        self.sources.get(&address).cloned().or_else(|| self.others_stay.then_some(address))
    }
}
