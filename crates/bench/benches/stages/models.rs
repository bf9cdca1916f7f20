//! The models that ship.

use tsugi::{ContentModel, LinkModel, Tsugi};
use tsugi_main_content::ContentDetector;
use tsugi_next_link::NextLinkDetector;

pub(crate) struct Models {
    pub(crate) tsugi: Tsugi,
}

impl Models {
    /// Reads the models ahead.
    pub(crate) fn load() -> Models {
        let models = Models { tsugi: Tsugi::new() };
        let _ = (models.next(), models.content());
        models
    }

    pub(crate) fn next(&self) -> &NextLinkDetector {
        match self.tsugi.next_model() {
            LinkModel::Learned(detector) => detector,
            LinkModel::Own(_) => unreachable!("the built-in models are the product's"),
        }
    }

    pub(crate) fn content(&self) -> &ContentDetector {
        match self.tsugi.content_model() {
            ContentModel::Learned(detector) => detector,
            ContentModel::Own(_) => unreachable!("the built-in models are the product's"),
        }
    }
}
