//! The detectors of a run: built-in models or given ones, with siteinfo before them where there is some.

use crate::args::DetectorArguments;
use crate::output::complain;
use anyhow::Context;
use std::path::Path;
use tsugi_learning::{ModelFile, Schema};
use tsugi_main_content::ContentDetector;
use tsugi_next_link::NextLinkDetector;
use tsugi_page::{Content, FindContent, FindNext, NextLink, Page};
use tsugi_siteinfo::Siteinfo;

/// The default models, trained on open data by `scripts/train-models`.
const NEXT_LINK_MODEL: &[u8] = include_bytes!("../../../models/next-link.model");
const CONTENT_MODEL: &[u8] = include_bytes!("../../../models/content.model");

/// Finds links and content: by the item that knows a page, else by the models.
#[derive(Debug)]
pub(crate) struct Detectors {
    pub(crate) next: NextLinkDetector,
    pub(crate) content: ContentDetector,
    rules: Option<Siteinfo>,
}

impl Detectors {
    /// Loads models and rules.
    pub(crate) fn load(arguments: &DetectorArguments) -> anyhow::Result<Detectors> {
        let next = model(arguments.next_model.as_deref(), NEXT_LINK_MODEL)?;
        let content = model(arguments.content_model.as_deref(), CONTENT_MODEL)?;
        let rules = arguments.rules.as_deref().map(read_siteinfo).transpose()?;
        Ok(Detectors { next: NextLinkDetector::new(next), content: ContentDetector::new(content)?, rules })
    }
}

/// Reads a model file, or the built-in one.
fn model<S: Schema>(path: Option<&Path>, built_in: &[u8]) -> anyhow::Result<ModelFile<S>> {
    match path {
        None => {
            ModelFile::from_bytes(built_in).context("the built-in model cannot be used; give one by option")
        }
        Some(path) => {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
            ModelFile::from_bytes(&bytes).with_context(|| format!("`{}` cannot be used", path.display()))
        }
    }
}

/// Reads a dump; items that cannot be used are listed.
pub(crate) fn read_siteinfo(path: &Path) -> anyhow::Result<Siteinfo> {
    let json = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let siteinfo = Siteinfo::read(&json).with_context(|| format!("`{}` is no siteinfo", path.display()))?;
    for problem in siteinfo.problems() {
        complain(&format!("{}: {problem}; passed over", path.display()));
    }
    Ok(siteinfo)
}

impl FindNext for Detectors {
    fn best_next(&self, page: &Page) -> Option<NextLink> {
        if let Some(rules) = &self.rules {
            if let Some(next) = rules.best_next(page) {
                return Some(next);
            }
            if rules.knows(page).is_some() {
                // An item for this page that finds no next link: the sequence ends.
                return None;
            }
        }
        self.next.best_next(page)
    }

    fn threshold(&self) -> f32 {
        self.next.threshold()
    }
}

impl FindContent for Detectors {
    fn find_content(&self, page: &Page, next: Option<&NextLink>) -> Content {
        let by_rule = self.rules.as_ref().map(|rules| rules.find_content(page, next));
        by_rule
            .filter(|content| !content.nodes.is_empty())
            .unwrap_or_else(|| self.content.find_content(page, next))
    }
}
