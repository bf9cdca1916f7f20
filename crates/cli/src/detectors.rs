//! The detectors of a run: built-in models or given ones, with siteinfo before them where there is some.

use crate::args::{DetectorArguments, Features};
use crate::commands::siteinfo_update::{self, FETCHED};
use crate::output::complain;
use anyhow::Context;
use std::path::Path;
use tsugi_follow::{Fetch, Joiner, Limits};
use tsugi_learning::{Bundle, ModelFile};
use tsugi_main_content::{ContentDetector, FULL_CONTENT, FullContentDetector};
use tsugi_next_link::{CONTINUATION, FULL_NEXT_LINK, FullNextLinkDetector, NextLinkDetector, PairDetector};
use tsugi_page::{Content, FindContent, FindNext, NextLink, NodeId, Page, Url};
use tsugi_siteinfo::Siteinfo;

/// The models that are part of the command, trained on open data by `scripts/train-models`.
const NEXT_LINK: [&[u8]; 2] = [
    include_bytes!("../../../models/next-link.model"),
    include_bytes!("../../../models/paper/next-link.model"),
];
const CONTENT: [&[u8]; 2] =
    [include_bytes!("../../../models/content.model"), include_bytes!("../../../models/paper/content.model")];
const CONTINUATION_MODEL: &[u8] = include_bytes!("../../../models/continuation.model");

fn built_in(models: [&'static [u8]; 2], features: Features) -> &'static [u8] {
    let [full, paper] = models;
    match features {
        Features::Full => full,
        Features::Paper => paper,
    }
}

/// A model of next links: which one a file holds, it says itself.
#[derive(Debug)]
pub(crate) enum LinkModel {
    Full(Box<FullNextLinkDetector>),
    Paper(Box<NextLinkDetector>),
}

/// A model of content.
#[derive(Debug)]
pub(crate) enum ContentModel {
    Full(Box<FullContentDetector>),
    Paper(Box<ContentDetector>),
}

impl LinkModel {
    fn of(bytes: &[u8]) -> anyhow::Result<LinkModel> {
        Ok(if Bundle::is_bundle(bytes) {
            let bundle = Bundle::from_bytes(bytes, FULL_NEXT_LINK)?;
            LinkModel::Full(Box::new(FullNextLinkDetector::from_bundle(&bundle)?))
        } else {
            LinkModel::Paper(Box::new(NextLinkDetector::new(ModelFile::from_bytes(bytes)?)))
        })
    }

    fn finder(&self) -> &dyn FindNext {
        match self {
            LinkModel::Full(detector) => detector.as_ref(),
            LinkModel::Paper(detector) => detector.as_ref(),
        }
    }
}

impl ContentModel {
    fn of(bytes: &[u8]) -> anyhow::Result<ContentModel> {
        Ok(if Bundle::is_bundle(bytes) {
            let bundle = Bundle::from_bytes(bytes, FULL_CONTENT)?;
            ContentModel::Full(Box::new(FullContentDetector::from_bundle(&bundle)?))
        } else {
            ContentModel::Paper(Box::new(ContentDetector::new(ModelFile::from_bytes(bytes)?)?))
        })
    }

    pub(crate) fn finder(&self) -> &dyn FindContent {
        match self {
            ContentModel::Full(detector) => detector.as_ref(),
            ContentModel::Paper(detector) => detector.as_ref(),
        }
    }
}

/// Finds links and content: by the item that knows a page, else by the models.
#[derive(Debug)]
pub(crate) struct Detectors {
    pub(crate) next: LinkModel,
    pub(crate) content: ContentModel,
    pub(crate) verify: PairDetector,
    rules: Option<Siteinfo>,
}

impl Detectors {
    /// Loads models and rules.
    pub(crate) fn load(arguments: &DetectorArguments) -> anyhow::Result<Detectors> {
        let (next, content) =
            (built_in(NEXT_LINK, arguments.features), built_in(CONTENT, arguments.features));
        let rules = arguments.rules.as_deref().map(read_siteinfo).transpose()?;
        Ok(Detectors {
            next: model(arguments.next_model.as_deref(), next, LinkModel::of)?,
            content: model(arguments.content_model.as_deref(), content, ContentModel::of)?,
            verify: model(arguments.continuation_model.as_deref(), CONTINUATION_MODEL, judge)?,
            rules,
        })
    }
}

fn judge(bytes: &[u8]) -> anyhow::Result<PairDetector> {
    Ok(PairDetector::from_bundle(&Bundle::from_bytes(bytes, CONTINUATION)?)?)
}

/// Reads the content model of a file, or the built-in one of all features.
pub(crate) fn content_model(path: Option<&Path>) -> anyhow::Result<ContentModel> {
    model(path, built_in(CONTENT, Features::Full), ContentModel::of)
}

impl Detectors {
    /// Sets up joining with these detectors.
    pub(crate) fn joiner<'a>(&'a self, fetch: &'a dyn Fetch, limits: Limits) -> Joiner<'a> {
        Joiner { fetch, next: self, content: self, verify: Some(&self.verify), limits }
    }
}

/// Reads a model file, or the built-in one.
fn model<T>(path: Option<&Path>, built_in: &[u8], of: fn(&[u8]) -> anyhow::Result<T>) -> anyhow::Result<T> {
    match path {
        None => of(built_in).context("the built-in model cannot be used; give one by option"),
        Some(path) => {
            let bytes = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
            of(&bytes).with_context(|| format!("`{}` cannot be used", path.display()))
        }
    }
}

/// Reads a dump, or the fetched one where the path is `wedata`; items that cannot be used are listed.
pub(crate) fn read_siteinfo(path: &Path) -> anyhow::Result<Siteinfo> {
    if path.as_os_str() == FETCHED {
        return siteinfo_update::fetched();
    }
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
        self.next.finder().best_next(page)
    }

    fn threshold(&self) -> f32 {
        self.next.finder().threshold()
    }

    fn find_unfollowable(&self, page: &Page) -> Option<NodeId> {
        self.next.finder().find_unfollowable(page)
    }

    fn previous_candidates(&self, page: &Page) -> Vec<Url> {
        self.next.finder().previous_candidates(page)
    }

    fn single_page_candidates(&self, page: &Page) -> Vec<Url> {
        self.next.finder().single_page_candidates(page)
    }
}

impl FindContent for Detectors {
    fn find_content(&self, page: &Page, next: Option<&NextLink>) -> Content {
        let by_rule = self.rules.as_ref().map(|rules| rules.find_content(page, next));
        by_rule
            .filter(|content| !content.nodes.is_empty())
            .unwrap_or_else(|| self.content.finder().find_content(page, next))
    }
}
