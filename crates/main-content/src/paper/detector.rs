//! The learned detector: scores every element and decodes the scores into content.

use super::decode::decode;
use super::features::{PaperContent, features};
use tsugi_page::{Content, Evidence, NodeId, Page};
use tsugi_scoring::ModelFile;

/// The key in a model's notes of the distance for pages without a next link.
pub const DISTANCE_NOTE: &str = "next_link_distance_median";

/// Finds main content with a trained model.
#[derive(Debug)]
pub struct PaperContentDetector {
    model: ModelFile<PaperContent>,
    distance_without_link: f32,
}

/// Why a model cannot be used to find content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContentModelError {
    /// The model lacks the distance for pages without a next link.
    #[error("the model's notes lack a finite `{DISTANCE_NOTE}`; train the model again")]
    NoDistance,
}

impl PaperContentDetector {
    /// Creates a detector from a model.
    ///
    /// # Errors
    ///
    /// [`ContentModelError::NoDistance`] if the model's notes lack [`DISTANCE_NOTE`].
    pub fn new(model: ModelFile<PaperContent>) -> Result<Self, ContentModelError> {
        let note = model.header.notes.get(DISTANCE_NOTE);
        let distance = note.and_then(|text| text.parse::<f32>().ok()).filter(|value| value.is_finite());
        let distance_without_link = distance.ok_or(ContentModelError::NoDistance)?;
        Ok(PaperContentDetector { model, distance_without_link })
    }

    /// Returns all elements with a score above `cut`, outermost only, as the thesis counts them.
    pub fn all_above(&self, page: &Page, next: Option<NodeId>, cut: f32) -> Content {
        let Some((ids, scores)) = self.scored(page, next) else { return Content::nothing(Evidence::Model) };
        let above = ids.iter().zip(&scores).filter(|(_, score)| **score > cut);
        let nodes = page.outermost(above.map(|(id, _)| *id).collect());
        let score = scores.iter().copied().fold(0.0, f32::max);
        Content { nodes, without: Vec::new(), score, evidence: Evidence::Model }
    }

    /// Returns the main content of a page; `next` is the tag of its next-page link, if it has one.
    pub fn find(&self, page: &Page, next: Option<NodeId>) -> Content {
        let Some((ids, scores)) = self.scored(page, next) else { return Content::nothing(Evidence::Model) };
        let nodes = decode(page, &ids, &scores, self.model.header.threshold);
        let chosen = nodes.iter().filter_map(|node| ids.binary_search(node).ok());
        let score = chosen.map(|place| scores[place]).fold(0.0, f32::max);
        Content { nodes, without: Vec::new(), score, evidence: Evidence::Model }
    }

    fn scored(&self, page: &Page, next: Option<NodeId>) -> Option<(Vec<NodeId>, Vec<f32>)> {
        let (ids, rows) = features(page, next, self.distance_without_link).ok()?;
        let scores = self.model.model.score(&rows);
        Some((ids, scores))
    }
}
