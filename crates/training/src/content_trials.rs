//! Tries a plan of training by cross-validation over content alone.

use crate::content::spans_of;
use crate::content::{ContentPage, TrainPlan, train_main_content};
use crate::labelled_pages::LabelledPages;
use crate::random::mix;
use crate::train_error::TrainError;
use tsugi_main_content::{
    CandidateAnswer, ContentDetector, Focus, Furniture, PageContext, Surroundings, comments, has_comments,
    without_furniture,
};
use tsugi_page::Content;

/// The result for one page of models that were trained on no page of its group.
#[derive(Debug, Clone, PartialEq)]
pub struct ContentTrial {
    /// The place of its data set.
    pub set: usize,
    /// The group of pages that stays on one side; see [`SiteGroups`](crate::sites::SiteGroups).
    pub group: usize,
    /// The labelled kind of page; empty if it has none.
    pub kind: String,
    /// F over tokens of the content without furniture and comments, in [0, 1]. The next-page link is the labelled one.
    pub f: f64,
    /// The share of its tokens that are in the gold text, in [0, 1].
    pub precision: f64,
    /// The share of the gold text's tokens that are in it, in [0, 1].
    pub recall: f64,
    /// Number of tokens of the gold text.
    pub tokens: u32,
    /// Where its tokens are that belong to blocks outside the gold text.
    pub excess: Excess,
    /// F of the best candidate, in [0, 1].
    pub best: f64,
    /// How the comments that were found compare with those that are labelled; `None` if the label does not know them.
    pub comments: Option<CommentTrial>,
    /// Precision and recall with the focus on precision, and with the focus on recall.
    pub focused: [(f64, f64); 2],
}

/// The comments of a page: numbers of tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CommentTrial {
    /// Labelled as comments.
    pub labelled: usize,
    /// Found.
    pub found: usize,
    /// Both.
    pub common: usize,
    /// Found by names alone, and those of them that are labelled.
    pub named: (usize, usize),
    /// Found by the model alone, and those of them that are labelled.
    pub scored: (usize, usize),
}

/// Numbers of tokens that were taken and are no content.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Excess {
    /// Before the first block of the gold text.
    pub before: u32,
    /// Between its first and its last block.
    pub inside: u32,
    /// After its last block.
    pub after: u32,
}

impl Excess {
    fn of(page: &ContentPage, spans: &[std::ops::Range<usize>]) -> Excess {
        let is_right = |at: &usize| page.targets[*at] > 0.5;
        let blocks = 0..page.targets.len();
        let first = blocks.clone().find(is_right).unwrap_or(blocks.end);
        let last = blocks.clone().rev().find(is_right).unwrap_or_default();
        let mut excess = Excess::default();
        let mut start = 0;
        for at in blocks {
            let texts = start..page.ends[at];
            start = texts.end;
            let is_taken = spans.iter().any(|span| span.start < texts.end && texts.start < span.end);
            if is_taken && !is_right(&at) {
                let place = if at < first {
                    &mut excess.before
                } else if at > last {
                    &mut excess.after
                } else {
                    &mut excess.inside
                };
                *place += page.tokens[at];
            }
        }
        excess
    }
}

impl ContentTrial {
    /// Cross-validates a plan over `folds` folds that `seed` deals. Of the training side, pages are used for which `takes`
    /// returns `true`, given the places of their set and their group. Results are in the order of the pages; pages with
    /// guessed labels have none.
    ///
    /// # Errors
    ///
    /// [`TrainError`] if a training side has nothing to learn from.
    pub fn run(
        examples: &LabelledPages,
        plan: &TrainPlan,
        (folds, seed): (usize, u64),
        takes: &(dyn Fn(usize, usize) -> bool + Sync),
    ) -> Result<Vec<ContentTrial>, TrainError> {
        let fold_of = examples.groups.folds(folds, seed);
        let mut found = Vec::new();
        for fold in 0..folds {
            let learn = |page: &&ContentPage| fold_of[page.group] != fold && takes(page.set, page.group);
            let learned: Vec<&ContentPage> = examples.content.iter().filter(learn).collect();
            let detector = ContentDetector::new(train_main_content(plan, &learned)?);
            let held = examples.content.iter().enumerate();
            let held = held.filter(|(_, page)| fold_of[page.group] == fold && page.trust >= 1.0);
            found.extend(held.map(|(at, page)| (at, ContentTrial::of(page, &detector))));
        }
        found.sort_by_key(|(at, _)| *at);
        Ok(found.into_iter().map(|(_, trial)| trial).collect())
    }

    fn of(page: &ContentPage, detector: &ContentDetector) -> ContentTrial {
        let context = PageContext::new(&page.page, page.next);
        let spans_of_content = |content: &Content| spans_of(&context, &content.nodes, &content.without);
        let (content, scored) = content_of(page, detector);
        let spans = spans_of_content(&content);
        let overlap = page.overlap(&spans);
        let judged = detector.judged(&page.page, page.next);
        let of_candidate = |candidate: &CandidateAnswer| {
            page.overlap(&spans_of(&context, &candidate.taken.nodes, &candidate.taken.without)).f()
        };
        let best = judged.candidates().iter().map(of_candidate).fold(0.0, f64::max);
        let found = |scored: Option<&Content>| {
            let found = comments(&page.page, &content, scored);
            let found = found.filter(|found| has_comments(&page.page, found));
            page.overlap_of_comments(&found.map(|found| spans_of_content(&found)).unwrap_or_default())
        };
        let alone = page.overlap_of_comments(&scored.as_ref().map(spans_of_content).unwrap_or_default());
        let alone = alone.unwrap_or_default();
        let comments = found(scored.as_ref()).zip(found(None)).map(|(all, named)| CommentTrial {
            labelled: all.gold,
            found: all.found,
            common: all.common,
            named: (named.found, named.common),
            scored: (alone.found, alone.common),
        });
        let focused = [Focus::Precision, Focus::Recall].map(|focus| {
            let overlap =
                page.overlap(&spans_of_content(&content_of(page, &detector.clone().with_focus(focus)).0));
            (overlap.precision(), overlap.recall())
        });
        ContentTrial {
            set: page.set,
            group: page.group,
            kind: page.kind.clone().unwrap_or_default(),
            f: overlap.f(),
            precision: overlap.precision(),
            recall: overlap.recall(),
            tokens: u32::try_from(overlap.gold).unwrap_or(u32::MAX),
            excess: Excess::of(page, &spans),
            best,
            comments,
            focused,
        }
    }

    /// Returns `true` for the given share of all groups, in [0, 1]; those of a smaller share are among those of a larger
    /// one.
    pub fn in_share(group: usize, share: f64) -> bool {
        (mix(0x5ba7e, group) as f64) < share * u64::MAX as f64
    }
}

fn content_of(page: &ContentPage, detector: &ContentDetector) -> (Content, Option<Content>) {
    let ContentPage { page, next, .. } = page;
    let (chosen, scored) = detector.find_with_comments(page, *next);
    let next = next.and_then(|tag| page.resolve(page.attribute(tag, "href")?));
    let comments = comments(page, &chosen, scored.as_ref());
    let around = Surroundings { next: next.as_ref(), comments: comments.as_ref() };
    (without_furniture(page, chosen, Furniture::Page(around)), scored)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::DataSet;
    use crate::labelled_pages::WantedExamples;
    use std::path::Path;

    fn examples() -> LabelledPages {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets");
        let sets = [DataSet::open(Path::new(folder)).unwrap()];
        LabelledPages::read(&sets, WantedExamples { links: false, content: true }, || ()).unwrap()
    }

    #[test]
    fn every_page_is_judged_once_by_models_of_the_others() {
        let examples = examples();
        let plan = TrainPlan { models: 1, folds: 2, ..TrainPlan::default() };
        let trials = ContentTrial::run(&examples, &plan, (2, 1), &|_, _| true).unwrap();
        assert_eq!(trials.len(), examples.content.len());
        let pairs = trials.iter().zip(&examples.content);
        assert!(pairs.clone().all(|(trial, page)| trial.group == page.group));
        assert!(pairs.clone().all(|(trial, _)| (0.0..=1.0).contains(&trial.f)));
        assert_eq!(trials, ContentTrial::run(&examples, &plan, (2, 1), &|_, _| true).unwrap());
        let nothing = ContentTrial::run(&examples, &plan, (2, 1), &|_, _| false);
        assert!(matches!(nothing, Err(TrainError::NoExamples("content"))));
    }

    #[test]
    fn shares_lie_in_each_other() {
        let of = |share| (0..1000).filter(|group| ContentTrial::in_share(*group, share)).collect::<Vec<_>>();
        let (quarter, half) = (of(0.25), of(0.5));
        assert!((200..300).contains(&quarter.len()) && (450..550).contains(&half.len()));
        assert!(quarter.iter().all(|group| half.contains(group)));
        assert_eq!(of(1.0).len(), 1000);
    }
}
