//! The models: built in, or read from files.

use std::sync::{Arc, OnceLock};
use tsugi_learning::{Bundle, BundleError, ModelFile, ModelFileError};
use tsugi_main_content::{CONTENT_KIND, ContentDetector, Focus, paper as paper_content};
use tsugi_next_link::{
    CONTINUATION_KIND, NEXT_LINK_KIND, NextLinkDetector, PairDetector, paper as paper_links,
};
use tsugi_page::{Content, NodeId, Page};

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

/// Why a model file cannot be used.
///
/// # Examples
///
/// ```
/// let error = tsugi::LinkModel::from_bytes(b"no model").unwrap_err();
/// println!("{error}");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The bundle is damaged, or of another kind.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// The model is damaged, or was trained on other columns.
    #[error(transparent)]
    File(#[from] ModelFileError),
    /// A content model of the thesis' kind lacks one of its parameters.
    #[error(transparent)]
    Content(#[from] paper_content::ContentModelError),
}

/// A model that finds next links. A model file says itself which of the two it holds.
///
/// # Examples
///
/// ```
/// use tsugi::LinkModel;
/// let model = LinkModel::from_bytes(&std::fs::read("models/next-link.model")?)?;
/// assert!(matches!(model, LinkModel::Product(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub enum LinkModel {
    /// The kind that is built in.
    Product(Arc<NextLinkDetector>),
    /// The thesis' kind, for comparison.
    Paper(Arc<paper_links::NextLinkDetector>),
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
        Ok(if Bundle::is_bundle(bytes) {
            let bundle = Bundle::from_bytes(bytes, NEXT_LINK_KIND)?;
            LinkModel::Product(Arc::new(NextLinkDetector::from_bundle(&bundle)?))
        } else {
            LinkModel::Paper(Arc::new(paper_links::NextLinkDetector::new(ModelFile::from_bytes(bytes)?)))
        })
    }

    /// Returns the lowest score, in [0, 1], at which a link counts as a next-page link.
    ///
    /// # Examples
    ///
    /// ```
    /// let tsugi = tsugi::Tsugi::new();
    /// assert!(tsugi.next_model().threshold() > 0.5);
    /// ```
    pub fn threshold(&self) -> f32 {
        match self {
            LinkModel::Product(detector) => detector.threshold(),
            LinkModel::Paper(detector) => detector.threshold(),
        }
    }
}

/// A model that finds main content. A model file says itself which of the two it holds.
///
/// # Examples
///
/// ```
/// use tsugi::ContentModel;
/// let model = ContentModel::from_bytes(&std::fs::read("models/content.model")?)?;
/// assert!(matches!(model, ContentModel::Product(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub enum ContentModel {
    /// The kind that is built in.
    Product(Arc<ContentDetector>),
    /// The thesis' kind, for comparison.
    Paper(Arc<paper_content::ContentDetector>),
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
        Ok(if Bundle::is_bundle(bytes) {
            let bundle = Bundle::from_bytes(bytes, CONTENT_KIND)?;
            ContentModel::Product(Arc::new(ContentDetector::from_bundle(&bundle)?))
        } else {
            let model = ModelFile::from_bytes(bytes)?;
            ContentModel::Paper(Arc::new(paper_content::ContentDetector::new(model)?))
        })
    }

    /// Favours precision or recall. Models of the thesis' features have no such choice and stay as they are.
    #[must_use]
    pub fn with_focus(self, focus: Focus) -> ContentModel {
        match self {
            ContentModel::Product(detector) => {
                ContentModel::Product(Arc::new(Arc::unwrap_or_clone(detector).with_focus(focus)))
            }
            paper @ ContentModel::Paper(_) => paper,
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
            ContentModel::Product(detector) => detector.find(page, next),
            ContentModel::Paper(detector) => detector.find(page, next),
        }
    }

    /// Returns the main content, and what reads like comments below it; the thesis' kind knows no comments.
    pub(crate) fn find_with_comments(&self, page: &Page, next: Option<NodeId>) -> (Content, Option<Content>) {
        match self {
            ContentModel::Product(detector) => detector.find_with_comments(page, next),
            ContentModel::Paper(detector) => (detector.find(page, next), None),
        }
    }
}

/// Reads the model that judges whether one page continues another.
///
/// # Errors
///
/// [`ModelError`] if the file is damaged, or holds a model of another kind.
///
/// # Examples
///
/// ```
/// let judge = tsugi::read_judge(&std::fs::read("models/continuation.model")?)?;
/// let tsugi = tsugi::Tsugi::new().with_judge(Some(judge));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_judge(bytes: &[u8]) -> Result<PairDetector, ModelError> {
    Ok(PairDetector::from_bundle(&Bundle::from_bytes(bytes, CONTINUATION_KIND)?)?)
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

    pub(crate) fn set(&mut self, model: T) {
        self.held = OnceLock::from(model);
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

impl Lazy<Option<PairDetector>> {
    pub(crate) fn built_in() -> Lazy<Option<PairDetector>> {
        Lazy::new(CONTINUATION, |bytes| read_judge(bytes).map(Some))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_models_can_be_read() {
        assert!(matches!(Lazy::<LinkModel>::built_in().get(), LinkModel::Product(_)));
        assert!(matches!(Lazy::<ContentModel>::built_in().get(), ContentModel::Product(_)));
        assert!(Lazy::<Option<PairDetector>>::built_in().get().is_some());
    }
}
