//! Trains the thesis' models for cross-validation.

use super::examples::{PageExample, PaperExamples};
use super::recipe::{train_paper_content, train_paper_links};
use crate::cross_validation::{EvaluateError, Trainer};
use std::sync::Arc;
use tsugi::{ContentModel, LinkModel, Tsugi};
use tsugi_learning::Params;
use tsugi_main_content::paper::ContentDetector;
use tsugi_next_link::paper::NextLinkDetector;

/// Trains models of the thesis' features.
#[derive(Debug)]
pub struct PaperTrainer<'a> {
    /// The labelled pages.
    pub examples: &'a PaperExamples,
    /// Parameters of the link model.
    pub links: Params,
    /// Parameters of the content model.
    pub content: Params,
    /// The seed of training.
    pub seed: u64,
}

impl Trainer for PaperTrainer<'_> {
    fn train(&self, takes: &(dyn Fn(usize) -> bool + Sync)) -> Result<Tsugi, EvaluateError> {
        let pages: Vec<&PageExample> = self.examples.pages.iter().filter(|page| takes(page.group)).collect();
        let (links, content) = std::thread::scope(|scope| {
            let content = scope.spawn(|| train_paper_content(&pages, &self.content, self.seed));
            (train_paper_links(&pages, &self.links, self.seed), content.join())
        });
        let content = content.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        let links = LinkModel::Paper(Arc::new(NextLinkDetector::new(links?)));
        let content = ContentModel::Paper(Arc::new(ContentDetector::new(content)?));
        Ok(Tsugi::new().with_next_model(links).with_content_model(content).with_judge(None))
    }
}
