//! The models that ship.

use tsugi::Tsugi;
use tsugi_main_content::ContentDetector;
use tsugi_next_link::NextLinkDetector;

/// Models that are read ahead.
#[derive(Debug)]
pub struct Models {
    /// What scans.
    pub tsugi: Tsugi,
}

impl Models {
    /// Reads the models ahead.
    pub fn load() -> Models {
        let models = Models { tsugi: Tsugi::new() };
        let _ = (models.next(), models.content());
        models
    }

    /// Finds next links.
    pub fn next(&self) -> &NextLinkDetector {
        self.tsugi.next_model().detector()
    }

    /// Finds content.
    pub fn content(&self) -> &ContentDetector {
        self.tsugi.content_model().detector()
    }
}
