//! The learned detector: scores all candidates and returns the best.

use super::candidate::Candidates;
use super::features::{PaperLinks, features};
use tsugi_page::{Evidence, NextLink, Page};
use tsugi_scoring::ModelFile;

/// Finds next-page links with a trained model.
#[derive(Debug)]
pub struct PaperLinkDetector {
    model: ModelFile<PaperLinks>,
}

impl PaperLinkDetector {
    /// Creates a detector from a model.
    pub fn new(model: ModelFile<PaperLinks>) -> Self {
        PaperLinkDetector { model }
    }

    /// Returns the best next link of a page, however unsure; on a tie, the first in document order.
    pub fn best(&self, page: &Page) -> Option<NextLink> {
        let (candidates, scores) = self.scored(page)?;
        let best = (0..scores.len()).rev().max_by(|a, b| scores[*a].total_cmp(&scores[*b]))?;
        Some(candidates.next_link(page, best, scores[best], Evidence::Model))
    }

    /// Returns the first tag on the page whose address has a score above `cut`: the thesis' rule (Hanamura 2020, 4.4).
    pub fn first_above(&self, page: &Page, cut: f32) -> Option<NextLink> {
        let (candidates, scores) = self.scored(page)?;
        // Candidates are in the order of their first tags.
        let first = scores.iter().position(|score| *score > cut)?;
        Some(candidates.next_link(page, first, scores[first], Evidence::Model))
    }

    fn scored(&self, page: &Page) -> Option<(Candidates, Vec<f32>)> {
        let candidates = Candidates::of(page);
        let scores = self.model.model.score(&features(page, &candidates).ok()?);
        Some((candidates, scores))
    }

    /// Returns the score from which a link counts as a next-page link.
    pub fn threshold(&self) -> f32 {
        self.model.header.threshold
    }
}
