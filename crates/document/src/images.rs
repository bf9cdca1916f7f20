//! Where the images of a document are once it carries them.

use std::collections::BTreeMap;

#[derive(Debug)]
pub(crate) struct ImageSources {
    pub(crate) sources: BTreeMap<String, String>,
    /// Whether other images stay where they were; if not, their alternative text replaces them.
    pub(crate) others_stay: bool,
}

impl ImageSources {
    pub(crate) fn of(&self, address: String) -> Option<String> {
        self.sources.get(&address).cloned().or_else(|| self.others_stay.then_some(address))
    }
}
