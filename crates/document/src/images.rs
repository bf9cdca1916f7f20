//! Where the images of a document are once it carries them.

use std::collections::BTreeMap;

/// The places of images by their addresses. Others are not shown: their alternative text replaces them.
#[derive(Debug)]
pub(crate) struct ImageSources(pub(crate) BTreeMap<String, String>);

impl ImageSources {
    pub(crate) fn of(&self, address: &str) -> Option<String> {
        self.0.get(address).cloned()
    }
}
