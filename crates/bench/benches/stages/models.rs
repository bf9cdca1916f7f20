//! The models that ship.

use tsugi::Tsugi;
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
        self.tsugi.next_model().detector()
    }

    pub(crate) fn content(&self) -> &ContentDetector {
        self.tsugi.content_model().detector()
    }
}
