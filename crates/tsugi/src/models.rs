//! The models: built in, or read from files.

use std::fmt::{self, Debug};
use std::sync::{Arc, OnceLock};
use tsugi_main_content::{CONTENT_KIND, ContentDetector, ROLES_KIND, RoleDetector};
use tsugi_next_link::{CONTINUATION_KIND, NEXT_LINK_KIND, NextLinkDetector, Pair, PairDetector};
use tsugi_page::Verdict;
use tsugi_scoring::{Bundle, BundleError};

pub use tsugi_main_content::Focus;

// Statics, not constants: a constant is written into the binary wherever it is used.
static NEXT_LINK: &[u8] = include_bytes!("../models/next-link.model");
static CONTENT: &[u8] = include_bytes!("../models/content.model");
static CONTINUATION: &[u8] = include_bytes!("../models/continuation.model");
#[cfg(feature = "roles")]
static ROLES: &[u8] = include_bytes!("../models/roles.model");

/// Returns the built-in models, as name and file.
///
/// # Examples
///
/// ```
/// let names: Vec<&str> = tsugi::models::built_in_models().map(|(name, _)| name).collect();
/// assert_eq!(names[..3], ["next-link", "content", "continuation"]);
/// ```
pub fn built_in_models() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let models = [
        ("next-link", NEXT_LINK),
        ("content", CONTENT),
        ("continuation", CONTINUATION),
        #[cfg(feature = "roles")]
        ("roles", ROLES),
    ];
    models.into_iter()
}

/// Why a model file cannot be used: it is damaged, of another kind, or trained on other columns.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ModelError(BundleError);

/// A model that finds next links.
#[derive(Clone)]
pub struct LinkModel(Arc<NextLinkDetector>);

impl LinkModel {
    /// Reads a model file.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if the file is damaged, or holds a model of another kind.
    pub fn from_bytes(bytes: &[u8]) -> Result<LinkModel, ModelError> {
        let read = || NextLinkDetector::from_bundle(&Bundle::from_bytes(bytes, NEXT_LINK_KIND)?);
        read().map(LinkModel::new).map_err(ModelError)
    }

    #[doc(hidden)] // for training
    pub fn new(detector: NextLinkDetector) -> LinkModel {
        LinkModel(Arc::new(detector))
    }

    #[doc(hidden)] // for training
    pub fn detector(&self) -> &NextLinkDetector {
        &self.0
    }
}

/// A model that finds main content.
#[derive(Clone)]
pub struct ContentModel(Arc<ContentDetector>);

impl ContentModel {
    /// Reads a model file.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if the file is damaged, or holds a model of another kind.
    pub fn from_bytes(bytes: &[u8]) -> Result<ContentModel, ModelError> {
        let read = || ContentDetector::from_bundle(&Bundle::from_bytes(bytes, CONTENT_KIND)?);
        read().map(ContentModel::new).map_err(ModelError)
    }

    #[doc(hidden)] // for training
    pub fn new(detector: ContentDetector) -> ContentModel {
        ContentModel(Arc::new(detector))
    }

    #[doc(hidden)] // for training
    pub fn detector(&self) -> &ContentDetector {
        &self.0
    }

    pub(crate) fn with_focus(&self, focus: Focus) -> ContentModel {
        ContentModel::new(ContentDetector::clone(&self.0).with_focus(focus))
    }
}

/// A model that judges whether one page continues another.
#[derive(Clone)]
pub struct JudgeModel(Arc<PairDetector>);

impl JudgeModel {
    /// Reads a model file.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if the file is damaged, or holds a model of another kind.
    pub fn from_bytes(bytes: &[u8]) -> Result<JudgeModel, ModelError> {
        let read = || PairDetector::from_bundle(&Bundle::from_bytes(bytes, CONTINUATION_KIND)?);
        read().map(JudgeModel::new).map_err(ModelError)
    }

    #[doc(hidden)] // for training
    pub fn new(detector: PairDetector) -> JudgeModel {
        JudgeModel(Arc::new(detector))
    }

    #[doc(hidden)] // for training
    pub fn detector(&self) -> &PairDetector {
        &self.0
    }

    pub(crate) fn judge(&self, pair: &Pair<'_>) -> Verdict {
        self.0.judge(pair)
    }
}

/// A model that tells the roles of text blocks.
#[derive(Clone)]
pub struct RoleModel(Arc<RoleDetector>);

impl RoleModel {
    /// Reads a model file.
    ///
    /// # Errors
    ///
    /// [`ModelError`] if the file is damaged, or holds a model of another kind.
    pub fn from_bytes(bytes: &[u8]) -> Result<RoleModel, ModelError> {
        let read = || RoleDetector::from_bundle(&Bundle::from_bytes(bytes, ROLES_KIND)?);
        read().map(RoleModel::new).map_err(ModelError)
    }

    #[doc(hidden)] // for training
    pub fn new(detector: RoleDetector) -> RoleModel {
        RoleModel(Arc::new(detector))
    }

    pub(crate) fn detector(&self) -> &RoleDetector {
        &self.0
    }
}

// Their trees take megabytes as text.
impl Debug for LinkModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkModel").finish_non_exhaustive()
    }
}

impl Debug for ContentModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ContentModel").finish_non_exhaustive()
    }
}

impl Debug for RoleModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoleModel").finish_non_exhaustive()
    }
}

impl Debug for JudgeModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JudgeModel").finish_non_exhaustive()
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

impl Lazy<Option<RoleModel>> {
    #[cfg(feature = "roles")]
    pub(crate) fn built_in() -> Lazy<Option<RoleModel>> {
        Lazy::new(ROLES, |bytes| RoleModel::from_bytes(bytes).map(Some))
    }

    #[cfg(not(feature = "roles"))]
    pub(crate) fn built_in() -> Lazy<Option<RoleModel>> {
        Lazy::of(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_models_can_be_read() {
        Lazy::<LinkModel>::built_in().get();
        Lazy::<ContentModel>::built_in().get();
        assert!(Lazy::<Option<JudgeModel>>::built_in().get().is_some());
        assert_eq!(Lazy::<Option<RoleModel>>::built_in().get().is_some(), cfg!(feature = "roles"));
    }
}
