//! The models: the built-in ones, or others in their place.

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
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A bundle is damaged, or of another kind.
    #[error(transparent)]
    Bundle(#[from] BundleError),
    /// A single model is damaged, or was made for other columns.
    #[error(transparent)]
    File(#[from] ModelFileError),
    /// A content model of the thesis' features lacks a note.
    #[error(transparent)]
    Content(#[from] paper_content::ContentModelError),
}

/// A model of next links; which kind a file holds, it says itself.
#[derive(Debug, Clone)]
pub enum LinkModel {
    /// The product's.
    Product(Arc<NextLinkDetector>),
    /// One of the thesis' features, to compare with.
    Paper(Arc<paper_links::NextLinkDetector>),
}

impl LinkModel {
    /// Reads a model file.
    ///
    /// # Errors
    ///
    /// [`ModelError`] where the file is damaged, or holds another kind of model.
    pub fn from_bytes(bytes: &[u8]) -> Result<LinkModel, ModelError> {
        Ok(if Bundle::is_bundle(bytes) {
            let bundle = Bundle::from_bytes(bytes, NEXT_LINK_KIND)?;
            LinkModel::Product(Arc::new(NextLinkDetector::from_bundle(&bundle)?))
        } else {
            LinkModel::Paper(Arc::new(paper_links::NextLinkDetector::new(ModelFile::from_bytes(bytes)?)))
        })
    }

    /// Returns the score from which on a link counts as a next-page link.
    pub fn threshold(&self) -> f32 {
        match self {
            LinkModel::Product(detector) => detector.threshold(),
            LinkModel::Paper(detector) => detector.threshold(),
        }
    }
}

/// A model of main content; which kind a file holds, it says itself.
#[derive(Debug, Clone)]
pub enum ContentModel {
    /// The product's.
    Product(Arc<ContentDetector>),
    /// One of the thesis' features, to compare with.
    Paper(Arc<paper_content::ContentDetector>),
}

impl ContentModel {
    /// Reads a model file.
    ///
    /// # Errors
    ///
    /// [`ModelError`] where the file is damaged, or holds another kind of model.
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

    /// Returns the main content of a page; `next` is the tag of its next-page link, where it has one.
    pub fn find(&self, page: &Page, next: Option<NodeId>) -> Content {
        match self {
            ContentModel::Product(detector) => detector.find(page, next),
            ContentModel::Paper(detector) => detector.find(page, next),
        }
    }
}

/// Reads the judge of pairs of pages from a model file.
///
/// # Errors
///
/// [`ModelError`] where the file is damaged, or holds another kind of model.
pub fn read_judge(bytes: &[u8]) -> Result<PairDetector, ModelError> {
    Ok(PairDetector::from_bundle(&Bundle::from_bytes(bytes, CONTINUATION_KIND)?)?)
}

/// A model that is read when it is first needed. Where rules cover all pages, most models never are.
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
