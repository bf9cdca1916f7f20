//! Tries a plan of training by cross-validation over content alone.

use crate::content::{ContentPage, TrainPlan, train_main_content};
use crate::labelled_pages::LabelledPages;
use crate::sites::mix;
use crate::train_error::TrainError;
use tsugi_main_content::{Around, ContentDetector, Furniture, PageContext, comments, without_furniture};
use tsugi_page::Content;

/// The result for one page of models that were trained on no page of its group.
#[derive(Debug, Clone, PartialEq)]
pub struct ContentTrial {
    /// The place of its data set.
    pub set: usize,
    /// The group of pages that stays on one side; see [`Groups`](crate::Groups).
    pub group: usize,
    /// The labelled kind of page; empty if it has none.
    pub kind: String,
    /// F over tokens of the content without furniture and comments, in [0, 1]. The next-page link is the labelled one.
    pub f: f64,
}

impl ContentTrial {
    /// Cross-validates a plan over `folds` folds that `seed` deals. Of the training side, pages are used for which `takes`
    /// returns `true`, given the places of their set and their group. Results are in the order of the pages; pages with
    /// guessed labels have none.
    ///
    /// # Errors
    ///
    /// [`TrainError`] if a training side has nothing to learn from.
    ///
    /// # Determinism
    ///
    /// Equal pages, plan, folds and seed give equal results.
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
        let content = content_of(page, detector);
        let context = PageContext::new(&page.page, page.next);
        let is_in = |nodes: &[_], id| nodes.iter().any(|node| page.page.contains(*node, id));
        let texts = context.blocks().texts.iter().enumerate();
        let taken = texts.filter(|(_, id)| is_in(&content.nodes, **id) && !is_in(&content.without, **id));
        let spans: Vec<_> = taken.map(|(at, _)| at..at + 1).collect();
        ContentTrial {
            set: page.set,
            group: page.group,
            kind: page.kind.clone().unwrap_or_default(),
            f: page.token_f(&spans),
        }
    }

    /// Returns `true` for the given share of all groups, in [0, 1]; those of a smaller share are among those of a larger
    /// one.
    pub fn in_share(group: usize, share: f64) -> bool {
        (mix(0x5ba7e, group) as f64) < share * u64::MAX as f64
    }
}

/// Returns the content that a detector finds, as scans give it.
fn content_of(page: &ContentPage, detector: &ContentDetector) -> Content {
    let ContentPage { page, next, .. } = page;
    let chosen = detector.find(page, *next);
    let next = next.and_then(|tag| page.resolve(page.attribute(tag, "href")?));
    let comments = comments(page, &chosen);
    let around = Around { next: next.as_ref(), comments: comments.as_ref() };
    without_furniture(page, chosen, Furniture::Page(around))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::DataSet;
    use crate::labelled_pages::Wanted;
    use std::path::Path;

    fn examples() -> LabelledPages {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets");
        let sets = [DataSet::open(Path::new(folder)).unwrap()];
        LabelledPages::read(&sets, Wanted { links: false, content: true }, || ()).unwrap()
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
