//! The detectors of a run: built-in models or given ones, with siteinfo before them where there is some.

use crate::args::{DetectorArguments, Features, ModelArguments};
use crate::commands::siteinfo::update::{self, FETCHED};
use crate::output::{complain, plain};
use anyhow::Context;
use std::path::Path;
use std::sync::OnceLock;
use tsugi_follow::{Fetch, Joiner, Limits};
use tsugi_learning::{Bundle, ModelFile};
use tsugi_main_content::{ContentDetector, CONTENT_KIND, ContentDetector};
use tsugi_next_link::{
    CONTINUATION_KIND, NEXT_LINK_KIND, NextLinkDetector, NextLinkDetector, PairDetector,
    single_page_candidates, unfollowable,
};
use tsugi_page::{
    Content, Evidence, FindContent, FindNext, NextLink, NodeId, Page, Seen, Url, Verdict, Verify,
};
use tsugi_site_blocks::BlockCrf;
use tsugi_siteinfo::{Look, Siteinfo};

/// The models that are part of the command, trained on open data by `scripts/train-models`.
const NEXT_LINK: [&[u8]; 2] = [
    include_bytes!("../../../models/next-link.model"),
    include_bytes!("../../../models/paper/next-link.model"),
];
const CONTENT: [&[u8]; 2] =
    [include_bytes!("../../../models/content.model"), include_bytes!("../../../models/paper/content.model")];
const CONTINUATION_MODEL: &[u8] = include_bytes!("../../../models/continuation.model");
const BLOCK_CRF: &[u8] = include_bytes!("../../../models/crf.model");

fn built_in(models: [&'static [u8]; 2], features: Features) -> &'static [u8] {
    let [full, paper] = models;
    match features {
        Features::Full => full,
        Features::Paper => paper,
    }
}

/// Most items that cannot be used that are named.
const MOST_PROBLEMS: usize = 50;

/// A model of next links: which one a file holds, it says itself.
#[derive(Debug)]
pub(crate) enum LinkModel {
    Full(Box<NextLinkDetector>),
    Paper(Box<next_link::paper::NextLinkDetector>),
}

/// A model of content.
#[derive(Debug)]
pub(crate) enum ContentModel {
    Full(Box<ContentDetector>),
    Paper(Box<main_content::paper::ContentDetector>),
}

impl LinkModel {
    fn of(bytes: &[u8]) -> anyhow::Result<LinkModel> {
        Ok(if Bundle::is_bundle(bytes) {
            let bundle = Bundle::from_bytes(bytes, NEXT_LINK_KIND)?;
            LinkModel::Full(Box::new(NextLinkDetector::from_bundle(&bundle)?))
        } else {
            LinkModel::Paper(Box::new(paper::NextLinkDetector::new(ModelFile::from_bytes(bytes)?)))
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
            let bundle = Bundle::from_bytes(bytes, CONTENT_KIND)?;
            ContentModel::Full(Box::new(ContentDetector::from_bundle(&bundle)?))
        } else {
            ContentModel::Paper(Box::new(paper::ContentDetector::new(ModelFile::from_bytes(bytes)?)?))
        })
    }

    pub(crate) fn finder(&self) -> &dyn FindContent {
        match self {
            ContentModel::Full(detector) => detector.as_ref(),
            ContentModel::Paper(detector) => detector.as_ref(),
        }
    }
}

/// A model: one that was given, or the built-in one, which is read when it is first needed. Where rules cover all
/// pages most models are never read.
#[derive(Debug)]
struct Lazy<T> {
    held: OnceLock<T>,
    built_in: &'static [u8],
    of: fn(&[u8]) -> anyhow::Result<T>,
}

impl<T> Lazy<T> {
    /// Takes the model of a file, which is read at once, or the built-in one.
    fn of(
        path: Option<&Path>,
        built_in: &'static [u8],
        of: fn(&[u8]) -> anyhow::Result<T>,
    ) -> anyhow::Result<Lazy<T>> {
        let held = match path {
            Some(path) => OnceLock::from(given(path, of)?),
            None => OnceLock::new(),
        };
        Ok(Lazy { held, built_in, of })
    }

    fn get(&self) -> &T {
        self.held.get_or_init(|| (self.of)(self.built_in).expect("the built-in models fit this version"))
    }
}

/// Finds links and content: by the item that knows a page, else by the models.
#[derive(Debug)]
pub(crate) struct Detectors {
    next: Lazy<LinkModel>,
    content: Lazy<ContentModel>,
    verify: Lazy<PairDetector>,
    rules: Option<Siteinfo>,
}

impl Detectors {
    /// Loads models and rules.
    pub(crate) fn load(arguments: &DetectorArguments) -> anyhow::Result<Detectors> {
        let rules = arguments.rules.as_deref().map(read_siteinfo).transpose()?;
        let rules =
            rules.map(|rules| if arguments.generic_rules { rules.with_generic_items() } else { rules });
        Ok(Detectors { rules, ..Detectors::of_models(&arguments.models)? })
    }

    /// Loads models alone.
    pub(crate) fn of_models(arguments: &ModelArguments) -> anyhow::Result<Detectors> {
        let (next, content) =
            (built_in(NEXT_LINK, arguments.features), built_in(CONTENT, arguments.features));
        Ok(Detectors {
            next: Lazy::of(arguments.next_model.as_deref(), next, LinkModel::of)?,
            content: Lazy::of(arguments.content_model.as_deref(), content, ContentModel::of)?,
            verify: Lazy::of(arguments.continuation_model.as_deref(), CONTINUATION_MODEL, judge)?,
            rules: None,
        })
    }

    /// Returns the model of next links.
    pub(crate) fn link_model(&self) -> &LinkModel {
        self.next.get()
    }

    /// Returns the model of content.
    pub(crate) fn content_model(&self) -> &ContentModel {
        self.content.get()
    }

    /// Reads the model of content, which every page needs that no rule covers, while others read pages and the model of
    /// next links; where there are rules, none may be needed, and none is read.
    pub(crate) fn read_ahead(&self) {
        if self.rules.is_none() {
            self.content.get();
        }
    }

    fn covering_item(&self, page: &Page) -> Option<Look<'_>> {
        self.rules.as_ref()?.look(page)
    }

    /// The best next link of a page: what its item says, or else the model.
    fn best_beside(&self, item: Option<&Look<'_>>, page: &Page) -> Option<NextLink> {
        if let Some(item) = item {
            if let Some(next) = item.next_link() {
                return Some(next);
            }
            if item.is_end() {
                return None;
            }
        }
        self.next.get().finder().best_next(page)
    }

    /// Says whether an item was written for this page's site and finds content on the page: no model is read then.
    fn is_covered(&self, page: &Page) -> bool {
        self.covering_item(page).is_some_and(|look| look.own)
    }
}

fn judge(bytes: &[u8]) -> anyhow::Result<PairDetector> {
    Ok(PairDetector::from_bundle(&Bundle::from_bytes(bytes, CONTINUATION_KIND)?)?)
}

/// Reads the content model of a file, or the built-in one of all features.
pub(crate) fn content_model(path: Option<&Path>) -> anyhow::Result<ContentModel> {
    match path {
        Some(path) => given(path, ContentModel::of),
        None => ContentModel::of(built_in(CONTENT, Features::Full)),
    }
}

/// Reads the chains over blocks of a file, or the built-in ones.
pub(crate) fn block_crf(path: Option<&Path>) -> anyhow::Result<BlockCrf> {
    let read = |bytes: &[u8]| Ok(BlockCrf::from_bytes(bytes)?);
    match path {
        Some(path) => given(path, read),
        None => read(BLOCK_CRF),
    }
}

impl Detectors {
    /// Sets up joining with these detectors.
    pub(crate) fn joiner<'a>(&'a self, fetch: &'a dyn Fetch, limits: Limits) -> Joiner<'a> {
        Joiner { fetch, next: self, content: self, verify: Some(self), limits }
    }
}

/// Reads a model file.
fn given<T>(path: &Path, of: fn(&[u8]) -> anyhow::Result<T>) -> anyhow::Result<T> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    of(&bytes).with_context(|| format!("`{}` cannot be used", path.display()))
}

/// Reads a dump, or the fetched one where the path is `wedata`; items that cannot be used are listed.
pub(crate) fn read_siteinfo(path: &Path) -> anyhow::Result<Siteinfo> {
    if path.as_os_str() == FETCHED {
        return update::fetched();
    }
    let json = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let siteinfo = Siteinfo::read(&json).with_context(|| format!("`{}` is no siteinfo", path.display()))?;
    for problem in siteinfo.problems().iter().take(MOST_PROBLEMS) {
        complain(&format!("{}: {}; passed over", path.display(), plain(&problem.to_string())));
    }
    if siteinfo.problems().len() > MOST_PROBLEMS {
        let more = siteinfo.problems().len() - MOST_PROBLEMS;
        complain(&format!("{}: {more} more items passed over; see `tsugi siteinfo check`", path.display()));
    }
    Ok(siteinfo)
}

impl FindNext for Detectors {
    fn best_next(&self, page: &Page) -> Option<NextLink> {
        self.best_beside(self.covering_item(page).as_ref(), page)
    }

    fn threshold(&self) -> f32 {
        self.next.get().finder().threshold()
    }

    fn accepts(&self, next: &NextLink) -> bool {
        // What a rule found needs no model's threshold.
        matches!(next.evidence, Evidence::Rule { .. }) || self.next.get().finder().accepts(next)
    }

    fn find_unfollowable(&self, page: &Page) -> Option<NodeId> {
        if self.is_covered(page) {
            unfollowable(page)
        } else {
            self.next.get().finder().find_unfollowable(page)
        }
    }

    fn look(&self, page: &Page) -> (Option<NextLink>, Option<NodeId>) {
        // A page that no rule says anything of, the model reads once for both; one that a rule covers is asked once.
        let Some(item) = self.covering_item(page) else { return self.next.get().finder().look(page) };
        match self.best_beside(Some(&item), page).filter(|next| self.accepts(next)) {
            Some(next) => (Some(next), None),
            None if item.own => (None, unfollowable(page)),
            None => (None, self.next.get().finder().find_unfollowable(page)),
        }
    }

    fn previous_candidates(&self, page: &Page) -> Vec<Url> {
        self.next.get().finder().previous_candidates(page)
    }

    fn single_page_candidates(&self, page: &Page) -> Vec<Url> {
        if self.is_covered(page) {
            single_page_candidates(page)
        } else {
            self.next.get().finder().single_page_candidates(page)
        }
    }
}

impl FindContent for Detectors {
    fn find_content(&self, page: &Page, next: Option<&NextLink>) -> Content {
        match self.covering_item(page) {
            Some(look) => look.into_content(),
            None => self.content.get().finder().find_content(page, next),
        }
    }
}

impl Verify for Detectors {
    fn verify(&self, before: Seen<'_>, after: Seen<'_>) -> Verdict {
        self.verify.get().verify(before, after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_are_rules_no_model_is_read_ahead() {
        let load = |rules| {
            let models = ModelArguments {
                features: Features::Full,
                next_model: None,
                content_model: None,
                continuation_model: None,
            };
            Detectors { rules, ..Detectors::of_models(&models).unwrap() }
        };
        for (rules, is_read) in [(None, true), (Some(Siteinfo::read(b"[]").unwrap()), false)] {
            let detectors = load(rules);
            detectors.read_ahead();
            assert_eq!(
                (detectors.content.held.get().is_some(), detectors.next.held.get().is_some()),
                (is_read, false)
            );
        }
    }

    #[test]
    fn the_built_in_models_can_be_read() {
        for features in [Features::Full, Features::Paper] {
            assert!(LinkModel::of(built_in(NEXT_LINK, features)).is_ok());
            assert!(ContentModel::of(built_in(CONTENT, features)).is_ok());
        }
        assert!(judge(CONTINUATION_MODEL).is_ok());
        assert!(block_crf(None).is_ok());
    }
}
