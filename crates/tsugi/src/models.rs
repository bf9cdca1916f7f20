//! The models: the built-in ones, or others in their place.

use std::sync::{Arc, OnceLock};
use tsugi_learning::{Bundle, BundleError, ModelFile, ModelFileError};
use tsugi_main_content::{CONTENT_KIND, ContentDetector, paper as paper_content};
use tsugi_next_link::{
    CONTINUATION_KIND, NEXT_LINK_KIND, NextLinkDetector, PairDetector, paper as paper_links,
};
use tsugi_page::{Content, NodeId, Page};

// Statics, not constants: a constant is written into the binary wherever it is used.
static NEXT_LINK: &[u8] = include_bytes!("../models/next-link.model");
static CONTENT: &[u8] = include_bytes!("../models/content.model");
static CONTINUATION: &[u8] = include_bytes!("../models/continuation.model");

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

    /// Returns the built-in model.
    ///
    /// # Panics
    ///
    /// Never: the built-in models fit this version.
    pub fn built_in() -> ContentModel {
        ContentModel::from_bytes(CONTENT).expect("the built-in models fit this version")
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
struct Lazy<T> {
    held: OnceLock<T>,
    built_in: &'static [u8],
    read: fn(&[u8]) -> Result<T, ModelError>,
}

impl<T> Lazy<T> {
    fn new(built_in: &'static [u8], read: fn(&[u8]) -> Result<T, ModelError>) -> Lazy<T> {
        Lazy { held: OnceLock::new(), built_in, read }
    }

    fn set(&mut self, model: T) {
        self.held = OnceLock::from(model);
    }

    fn get(&self) -> &T {
        self.held.get_or_init(|| (self.read)(self.built_in).expect("the built-in models fit this version"))
    }
}

/// The models of a [`Tsugi`](crate::Tsugi).
#[derive(Debug)]
pub(crate) struct Models {
    next: Lazy<LinkModel>,
    content: Lazy<ContentModel>,
    judge: Lazy<Option<PairDetector>>,
}

impl Models {
    pub(crate) fn new() -> Models {
        Models {
            next: Lazy::new(NEXT_LINK, LinkModel::from_bytes),
            content: Lazy::new(CONTENT, ContentModel::from_bytes),
            judge: Lazy::new(CONTINUATION, |bytes| read_judge(bytes).map(Some)),
        }
    }

    pub(crate) fn set_next(&mut self, model: LinkModel) {
        self.next.set(model);
    }

    pub(crate) fn set_content(&mut self, model: ContentModel) {
        self.content.set(model);
    }

    pub(crate) fn set_judge(&mut self, model: Option<PairDetector>) {
        self.judge.set(model);
    }

    pub(crate) fn next(&self) -> &LinkModel {
        self.next.get()
    }

    pub(crate) fn content(&self) -> &ContentModel {
        self.content.get()
    }

    pub(crate) fn judge(&self) -> Option<&PairDetector> {
        self.judge.get().as_ref()
    }

    /// Which models are read: of next links, of content.
    #[cfg(test)]
    pub(crate) fn read(&self) -> (bool, bool) {
        (self.next.held.get().is_some(), self.content.held.get().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_models_can_be_read() {
        let models = Models::new();
        assert!(matches!(models.next(), LinkModel::Product(_)));
        assert!(matches!(models.content(), ContentModel::Product(_)));
        assert!(models.judge().is_some());
    }
}
