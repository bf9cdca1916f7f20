//! Trains the thesis' models for cross-validation.

use super::examples::{PageExample, PaperExamples};
use super::recipe::{train_paper_content, train_paper_links};
use std::sync::Arc;
use tsugi::{FindContent, FindNext, NextLink, Page, Tsugi};
use tsugi::models::{ContentModel, LinkModel};
use tsugi::page::{Content, NodeId};
use tsugi_main_content::paper::PaperContentDetector;
use tsugi_next_link::paper::PaperLinkDetector;
use tsugi_scoring::Params;
use tsugi_training::cross_validation::{EvaluateError, Trainer};

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
        let links = PaperLinkModel(PaperLinkDetector::new(links?));
        let content =
            PaperContentDetector::new(content).map_err(|error| EvaluateError::Other(Box::new(error)))?;
        Ok(Tsugi::new()
            .with_next_model(LinkModel::Own(Arc::new(links)))
            .with_content_model(ContentModel::Own(Arc::new(PaperContentModel(content))))
            .with_judge(None))
    }
}

#[derive(Debug)]
struct PaperLinkModel(PaperLinkDetector);

impl FindNext for PaperLinkModel {
    fn best(&self, page: &Page) -> Option<NextLink> {
        self.0.best(page)
    }

    fn threshold(&self) -> f32 {
        self.0.threshold()
    }
}

#[derive(Debug)]
struct PaperContentModel(PaperContentDetector);

impl FindContent for PaperContentModel {
    fn find(&self, page: &Page, next: Option<NodeId>) -> Content {
        self.0.find(page, next)
    }
}
