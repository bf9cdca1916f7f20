//! Trains the thesis' models for cross-validation.

use super::examples::{PageExample, PaperExamples};
use super::recipe::{train_paper_content, train_paper_links};
use tsugi::detect::{Detect, Findings, Pair};
use tsugi::{Page, Tsugi, Verdict};
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
        let content =
            PaperContentDetector::new(content).map_err(|error| EvaluateError::Other(Box::new(error)))?;
        Ok(Tsugi::new().with_detector(PaperDetector { links: PaperLinkDetector::new(links?), content }))
    }
}

#[derive(Debug)]
struct PaperDetector {
    links: PaperLinkDetector,
    content: PaperContentDetector,
}

impl Detect for PaperDetector {
    fn find(&self, page: &Page) -> Findings {
        let (best, threshold) = (self.links.best(page), self.links.threshold());
        let next = best.as_ref().filter(|link| link.score >= threshold).map(|link| link.node);
        let content = self.content.find(page, next);
        Findings::new(best, threshold, content)
    }

    /// The thesis judges no pairs.
    fn judge(&self, _: &Pair<'_>) -> Option<Verdict> {
        None
    }
}
