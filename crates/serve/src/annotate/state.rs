//! The state of labelling, which all requests share.

use super::sets::{FolderName, Sets};
use crate::error::ApiError;
use std::io;
use std::path::Path;
use tsugi::Archive;

/// The state of labelling.
#[derive(Debug)]
pub(crate) struct Labelling(pub(super) Sets);

impl Labelling {
    /// Opens the folder of the sets, or creates it.
    pub(crate) fn open(folder: &Path) -> io::Result<Labelling> {
        Sets::open(folder).map(Labelling)
    }

    /// Returns the archive of a set, so that its pages can be read without the web.
    pub(crate) fn archive(&self, set: &str) -> Result<Archive, ApiError> {
        self.0.archive(&FolderName::read(set)?)
    }
}
