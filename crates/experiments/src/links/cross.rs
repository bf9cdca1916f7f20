//! Cross-validation by site of the full next-link model.

use super::page::LinkPage;
use super::train::{FullLinkParams, FullLinkTrainError, train_full_links};
use tsugi_next_link::FullNextLinkDetector;
use tsugi_page::{FindNext, NextLink};

/// What a model that saw no page of its group says of a page.
#[derive(Debug, Clone)]
pub struct LinkPrediction {
    /// The best candidate, however unsure.
    pub best: Option<NextLink>,
    /// The threshold of the model.
    pub threshold: f32,
    /// Whether the best candidate is a labelled next page.
    pub is_right: bool,
}

impl LinkPrediction {
    /// The answer: the best candidate where it reaches the threshold.
    pub fn answer(&self) -> Option<&NextLink> {
        self.best.as_ref().filter(|next| next.score >= self.threshold)
    }
}

/// Predicts every page by a model trained on the groups of the other folds.
///
/// `pages` are predicted, `training` are trained on: the same pages, whose labels may have been corrected.
/// `progress` is told of every fold.
///
/// # Errors
///
/// [`FullLinkTrainError`] where a fold cannot be trained.
pub fn cross_validate_links(
    pages: &[&LinkPage],
    training: &[&LinkPage],
    fold_of_group: &[usize],
    params: &FullLinkParams,
    seed: u64,
    mut progress: impl FnMut(),
) -> Result<Vec<LinkPrediction>, FullLinkTrainError> {
    let folds = fold_of_group.iter().max().map_or(0, |fold| fold + 1);
    let mut predictions: Vec<Option<LinkPrediction>> = vec![None; pages.len()];
    for fold in 0..folds {
        let is_held_out = |page: &LinkPage| fold_of_group[page.group] == fold;
        let rest: Vec<&LinkPage> = training.iter().copied().filter(|page| !is_held_out(page)).collect();
        let detector = FullNextLinkDetector::from_bundle(&train_full_links(&rest, params, seed)?)?;
        for (at, page) in pages.iter().enumerate().filter(|(_, page)| is_held_out(page)) {
            let best = detector.best_of(&page.described);
            let right = |next: &NextLink| {
                let urls = page.described.urls.iter().zip(&page.is_next);
                urls.into_iter().any(|(url, is_next)| *is_next && *url == next.url)
            };
            let is_right = best.as_ref().is_some_and(right);
            predictions[at] = Some(LinkPrediction { best, threshold: detector.threshold(), is_right });
        }
        progress();
    }
    Ok(predictions.into_iter().flatten().collect())
}
