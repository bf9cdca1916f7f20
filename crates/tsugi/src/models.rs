//! The models: built in, read from files, or the caller's own.

use std::fmt::Debug;
use std::sync::{Arc, OnceLock};
use tsugi_main_content::{CONTENT_KIND, ContentDetector, Focus};
use tsugi_next_link::{CONTINUATION_KIND, NEXT_LINK_KIND, NextLinkDetector, Pair, PairDetector};
use tsugi_page::{Content, NextLink, NodeId, Page, Verdict};
use tsugi_scoring::{Bundle, BundleError};

// Statics, not constants: a constant is written into the binary wherever it is used.
static NEXT_LINK: &[u8] = include_bytes!("../models/next-link.model");
static CONTENT: &[u8] = include_bytes!("../models/content.model");
static CONTINUATION: &[u8] = include_bytes!("../models/continuation.model");

/// Returns the built-in models, as name and file.
///
/// # Examples
///
/// ```
/// let names = tsugi::built_in_models().map(|(name, _)| name);
/// assert_eq!(names, ["next-link", "content", "continuation"]);
/// ```
pub fn built_in_models() -> [(&'static str, &'static [u8]); 3] {
    [("next-link", NEXT_LINK), ("content", CONTENT), ("continuation", CONTINUATION)]
}

/// Why a model file cannot be used: it is damaged, of another kind, or trained on other columns.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ModelError(#[from] BundleError);

/// A model of the caller's own that finds next links.
pub trait FindNext: Debug + Send + Sync {
    /// Returns the best candidate for the next-page link, however low its score; `None` if the page has no candidate.
    fn best(&self, page: &Page) -> Option<NextLink>;

    /// Returns the lowest score, in [0, 1], at which a link counts as a next-page link.
    fn threshold(&self) -> f32;
}

/// A model of the caller's own that finds main content.
pub trait FindContent: Debug + Send + Sync {
    /// Returns the main content of a page. `next` is its next-page link, if it has one.
    fn find(&self, page: &Page, next: Option<NodeId>) -> Content;
}

/// A model of the caller's own that judges whether one page continues another.
pub trait JudgePair: Debug + Send + Sync {
    /// Judges a pair, and gives reasons.
    fn judge(&self, pair: &Pair<'_>) -> Verdict;
}

/// A model that finds next links.
#[derive(Debug, Clone)]
pub enum LinkModel {
    /// The kind that is built in.
    Learned(Arc<NextLinkDetector>),
    /// The caller's own.
    Own(Arc<dyn FindNext>),
}

impl LinkModel {
    /// Reads a model file.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if the file is damaged, or holds a model of another kind.
    ///
    /// # Examples
    ///
    /// ```
    /// let model = tsugi::LinkModel::from_bytes(&std::fs::read("models/next-link.model")?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<LinkModel, ModelError> {
        let bundle = Bundle::from_bytes(bytes, NEXT_LINK_KIND)?;
        Ok(LinkModel::Learned(Arc::new(NextLinkDetector::from_bundle(&bundle)?)))
    }

    /// Returns the lowest score, in [0, 1], at which a link counts as a next-page link.
    pub fn threshold(&self) -> f32 {
        match self {
            LinkModel::Learned(detector) => detector.threshold(),
            LinkModel::Own(own) => own.threshold(),
        }
    }
}

/// A model that finds main content.
#[derive(Debug, Clone)]
pub enum ContentModel {
    /// The kind that is built in.
    Learned(Arc<ContentDetector>),
    /// The caller's own.
    Own(Arc<dyn FindContent>),
}

impl ContentModel {
    /// Reads a model file.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if the file is damaged, or holds a model of another kind.
    ///
    /// # Examples
    ///
    /// ```
    /// let model = tsugi::ContentModel::from_bytes(&std::fs::read("models/content.model")?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<ContentModel, ModelError> {
        let bundle = Bundle::from_bytes(bytes, CONTENT_KIND)?;
        Ok(ContentModel::Learned(Arc::new(ContentDetector::from_bundle(&bundle)?)))
    }

    /// Favours precision or recall. A model of the caller's own stays as it is.
    #[must_use]
    pub fn with_focus(self, focus: Focus) -> ContentModel {
        match self {
            ContentModel::Learned(detector) => {
                ContentModel::Learned(Arc::new(Arc::unwrap_or_clone(detector).with_focus(focus)))
            }
            own @ ContentModel::Own(_) => own,
        }
    }

    /// Returns the main content of a page. `next` is its next-page link, if it has one.
    ///
    /// # Examples
    ///
    /// ```
    /// # let html = std::fs::read("../../datasets/english-article/2.html")?;
    /// # let page = tsugi::Page::parse(&html, &"https://magazine.example/features/tide-mill/2.html".parse()?, None);
    /// let tsugi = tsugi::Tsugi::new();
    /// let content = tsugi.content_model().find(&page, None);
    /// assert!(!content.nodes.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find(&self, page: &Page, next: Option<NodeId>) -> Content {
        match self {
            ContentModel::Learned(detector) => detector.find(page, next),
            ContentModel::Own(own) => own.find(page, next),
        }
    }

    /// Returns the main content, and what reads like comments below it; a model of the caller's own knows no comments.
    pub(crate) fn find_with_comments(&self, page: &Page, next: Option<NodeId>) -> (Content, Option<Content>) {
        match self {
            ContentModel::Learned(detector) => detector.find_with_comments(page, next),
            ContentModel::Own(own) => (own.find(page, next), None),
        }
    }
}

/// A model that judges whether one page continues another.
#[derive(Debug, Clone)]
pub enum JudgeModel {
    /// The kind that is built in.
    Learned(Arc<PairDetector>),
    /// The caller's own.
    Own(Arc<dyn JudgePair>),
}

impl JudgeModel {
    /// Reads a model file.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if the file is damaged, or holds a model of another kind.
    ///
    /// # Examples
    ///
    /// ```
    /// let judge = tsugi::JudgeModel::from_bytes(&std::fs::read("models/continuation.model")?)?;
    /// let tsugi = tsugi::Tsugi::new().with_judge(Some(judge));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<JudgeModel, ModelError> {
        let bundle = Bundle::from_bytes(bytes, CONTINUATION_KIND)?;
        Ok(JudgeModel::Learned(Arc::new(PairDetector::from_bundle(&bundle)?)))
    }

    /// Judges a pair, and gives reasons.
    pub fn judge(&self, pair: &Pair<'_>) -> Verdict {
        match self {
            JudgeModel::Learned(detector) => detector.judge(pair),
            JudgeModel::Own(own) => own.judge(pair),
        }
    }
}

/// A model that is loaded when it is first needed. If rules cover all pages, most models never are.
#[derive(Debug)]
pub(crate) struct Lazy<T> {
    held: OnceLock<T>,
    built_in: &'static [u8],
    read: fn(&[u8]) -> Result<T, ModelError>,
}

impl<T> Lazy<T> {
    fn new(built_in: &'static [u8], read: fn(&[u8]) -> Result<T, ModelError>) -> Lazy<T> {
        Lazy { held: OnceLock::new(), built_in, read }
    }

    /// Returns a model that is there already.
    pub(crate) fn of(model: T) -> Lazy<T> {
        Lazy { held: OnceLock::from(model), built_in: &[], read: |_| unreachable!("the model is held") }
    }

    pub(crate) fn get(&self) -> &T {
        self.held.get_or_init(|| (self.read)(self.built_in).expect("the built-in models fit this version"))
    }

    #[cfg(all(test, feature = "rules"))]
    pub(crate) fn is_read(&self) -> bool {
        self.held.get().is_some()
    }
}

impl Lazy<LinkModel> {
    pub(crate) fn built_in() -> Lazy<LinkModel> {
        Lazy::new(NEXT_LINK, LinkModel::from_bytes)
    }
}

impl Lazy<ContentModel> {
    pub(crate) fn built_in() -> Lazy<ContentModel> {
        Lazy::new(CONTENT, ContentModel::from_bytes)
    }
}

impl Lazy<Option<JudgeModel>> {
    pub(crate) fn built_in() -> Lazy<Option<JudgeModel>> {
        Lazy::new(CONTINUATION, |bytes| JudgeModel::from_bytes(bytes).map(Some))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_models_can_be_read() {
        assert!(matches!(Lazy::<LinkModel>::built_in().get(), LinkModel::Learned(_)));
        assert!(matches!(Lazy::<ContentModel>::built_in().get(), ContentModel::Learned(_)));
        assert!(Lazy::<Option<JudgeModel>>::built_in().get().is_some());
    }
}
