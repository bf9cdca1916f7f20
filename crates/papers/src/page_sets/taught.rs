//! Models of single pages that unique blocks teach, and such that people teach.
//!
//! # Source
//!
//! Yoshida & Yamamoto (2009), section 5: what is extracted is to be used as training data for single pages.

use crate::paper::{ContentExample, DEFAULT_LEAF, PageExample, train_paper_content};
use tsugi_main_content::paper::PaperContentDetector;
use tsugi_page::{NodeId, Page};
use tsugi_scoring::{ForestParams, Params};
use tsugi_site_blocks::{Extensions, Kept, PageSet};
use tsugi_training::dataset::DataSet;
use tsugi_training::sites::SiteGroups;

#[derive(Debug)]
pub(super) struct TaughtPage {
    page: PageExample,
    by_unique: Vec<NodeId>,
    by_labels: Vec<NodeId>,
}

/// Returns the labelled pages of a set on which something unique is found. Next links are left out, since unique blocks know
/// none.
pub(super) fn examples(
    sets: &[DataSet],
    set: usize,
    groups: &SiteGroups,
    labels: &[usize],
    pages: Vec<Page>,
) -> Vec<TaughtPage> {
    let unique = keep_unique(&pages, Extensions::BOTH);
    let mut examples = Vec::new();
    for ((page, label), kept) in pages.into_iter().zip(labels).zip(unique) {
        let known = &sets[set].labels()[*label];
        let by_unique = kept.map(|kept| kept.content(&page).nodes).unwrap_or_default();
        let by_labels = known.content_nodes(&page).unwrap_or_default();
        if !known.knows_content() || by_unique.is_empty() || by_labels.is_empty() {
            continue;
        }
        let group = groups.group(set, *label);
        let page = PageExample {
            set,
            label: *label,
            group,
            content: Some(ContentExample { page, gold: Vec::new(), next: None }),
            ..PageExample::default()
        };
        examples.push(TaughtPage { page, by_unique, by_labels });
    }
    examples
}

#[derive(Debug)]
pub(super) struct Taught {
    pub(super) by_unique: PaperContentDetector,
    pub(super) by_labels: PaperContentDetector,
}

/// Trains models for each fold, on the pages of the other folds; `None` if they teach nothing.
pub(super) fn teach(
    mut examples: Vec<TaughtPage>,
    fold_of_group: &[usize],
    count: usize,
    seed: u64,
) -> Vec<Option<Taught>> {
    let params = Params::Forest(ForestParams { min_samples_leaf: DEFAULT_LEAF, ..ForestParams::default() });
    let mut train = |gold: fn(&TaughtPage) -> &Vec<NodeId>| -> Vec<Option<PaperContentDetector>> {
        for example in &mut examples {
            let gold = gold(example).clone();
            if let Some(content) = &mut example.page.content {
                content.gold = gold;
            }
        }
        let without = |fold: usize| {
            let pages = examples.iter().map(|example| &example.page);
            let pages: Vec<_> = pages.filter(|page| fold_of_group[page.group] != fold).collect();
            PaperContentDetector::new(train_paper_content(&pages, &params, seed).ok()?).ok()
        };
        (0..count).map(without).collect()
    };
    let (by_unique, by_labels) = (train(|example| &example.by_unique), train(|example| &example.by_labels));
    let both = by_unique.into_iter().zip(by_labels);
    both.map(|(by_unique, by_labels)| Some(Taught { by_unique: by_unique?, by_labels: by_labels? })).collect()
}

pub(crate) fn keep_unique(pages: &[Page], extensions: Extensions) -> Vec<Option<Kept>> {
    let site = pages.iter().collect::<PageSet>().index(extensions);
    pages.iter().enumerate().map(|(number, page)| site.kept(number, page)).collect()
}
