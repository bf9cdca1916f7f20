//! The models of the repository.

use std::path::{Path, PathBuf};
use tsugi_learning::Bundle;
use tsugi_main_content::{FULL_CONTENT, FullContentDetector};
use tsugi_next_link::{FULL_NEXT_LINK, FullNextLinkDetector};

/// The detectors of `tsugi scan`.
pub(crate) struct Models {
    pub(crate) next: FullNextLinkDetector,
    pub(crate) content: FullContentDetector,
}

impl Models {
    pub(crate) fn load() -> Result<Models, Box<dyn std::error::Error>> {
        let next = bundle("next-link.model", FULL_NEXT_LINK)?;
        let content = bundle("content.model", FULL_CONTENT)?;
        Ok(Models {
            next: FullNextLinkDetector::from_bundle(&next)?,
            content: FullContentDetector::from_bundle(&content)?,
        })
    }
}

/// Reads a model file of the repository.
pub(crate) fn bundle(name: &str, what: &str) -> Result<Bundle, Box<dyn std::error::Error>> {
    Ok(Bundle::from_bytes(&std::fs::read(repository().join("models").join(name))?, what)?)
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
