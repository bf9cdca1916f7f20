//! Trains the thesis' models for cross-validation.

use super::examples::{PageExample, PaperExamples};
use super::recipe::{train_paper_content, train_paper_links};
use tsugi::detect::{Detect, Findings, Pair};
use tsugi::{Page, Tsugi, Verdict};
use tsugi_main_content::paper::PaperContentDetector;
use tsugi_next_link::paper::PaperLinkDetector;
use tsugi_page::{Content, Evidence};
use tsugi_scoring::Params;
use tsugi_training::cross_validation::{
    EvaluateError, LearnedPart, TrainedModels, Trainer, Unlearned, learned,
};

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
    fn train(&self, takes: &(dyn Fn(usize) -> bool + Sync)) -> Result<TrainedModels, EvaluateError> {
        let pages: Vec<&PageExample> = self.examples.pages.iter().filter(|page| takes(page.group)).collect();
        let (links, content) = std::thread::scope(|scope| {
            let content = scope.spawn(|| train_paper_content(&pages, &self.content, self.seed));
            (train_paper_links(&pages, &self.links, self.seed), content.join())
        });
        let content = content.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let mut unlearned = Unlearned::new();
        let links = learned(LearnedPart::NextLinks, links.map_err(EvaluateError::from), &mut unlearned)?;
        let content = learned(LearnedPart::Content, content.map_err(EvaluateError::from), &mut unlearned)?;
        let content = content.map(PaperContentDetector::new).transpose();
        let content = content.map_err(|error| EvaluateError::Other(Box::new(error)))?;
        let detector = ThesisDetector { links: links.map(PaperLinkDetector::new), content, others: None };
        Ok(TrainedModels { tsugi: Tsugi::new().with_detector(detector), unlearned })
    }
}

/// Finds links and content by models of the thesis' features.
#[derive(Debug)]
pub struct ThesisDetector {
    /// The model of links.
    pub links: Option<PaperLinkDetector>,
    /// The model of content.
    pub content: Option<PaperContentDetector>,
    /// What finds the rest, and judges pairs, which the thesis does not. Without it, nothing is found where a model is missing.
    pub others: Option<Tsugi>,
}

impl Detect for ThesisDetector {
    fn find(&self, page: &Page) -> Findings {
        let mut found = match &self.others {
            Some(others) => others.find(page),
            None => Findings::new(None, 1.0, Content::nothing(Evidence::Model)),
        };
        if let Some(links) = &self.links {
            (found.next, found.threshold) = (links.best(page), links.threshold());
        }
        if let Some(content) = &self.content {
            let next = found.next.as_ref().filter(|link| link.score >= found.threshold);
            found.content = content.find(page, next.map(|link| link.node));
            found.comments = None;
        }
        found
    }

    fn judge(&self, pair: &Pair<'_>) -> Option<Verdict> {
        self.others.as_ref().and_then(|others| others.judge(pair))
    }
}
