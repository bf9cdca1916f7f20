//! The models of the repository.

use std::path::{Path, PathBuf};
use tsugi_learning::Bundle;
use tsugi_main_content::{CONTENT_KIND, ContentDetector};
use tsugi_next_link::{NEXT_LINK_KIND, NextLinkDetector};

/// The detectors of `tsugi scan`.
pub(crate) struct Models {
    pub(crate) next: NextLinkDetector,
    pub(crate) content: ContentDetector,
}

impl Models {
    pub(crate) fn load() -> Result<Models, Box<dyn std::error::Error>> {
        let next = bundle("next-link.model", NEXT_LINK_KIND)?;
        let content = bundle("content.model", CONTENT_KIND)?;
        Ok(Models {
            next: NextLinkDetector::from_bundle(&next)?,
            content: ContentDetector::from_bundle(&content)?,
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
