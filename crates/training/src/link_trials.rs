//! Cross-validates the link models alone, page by page: to compare columns and parameters quickly.

use crate::cross_validation::EvaluateError;
use crate::dataset::DataSet;
use crate::labelled_pages::LabelledPages;
use crate::links::{LinkPage, LinkParams, parts_by_software, train_next_link};
use crate::measure::{PageCounts, rounded};
use crate::random::mix;
use serde::Serialize;
use std::panic::resume_unwind;
use tsugi_next_link::{Described, LinkColumns, NextLinkDetector};
use tsugi_scoring::column_index;

/// The answer about a page of models that had not seen it.
#[derive(Debug, Clone, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a page")]
pub struct LinkLine {
    /// The name of the data set.
    pub set: String,
    /// The page's address.
    pub url: String,
    /// Its software or source, if the label names it.
    pub source: Option<String>,
    /// How the label's next link is given, if it says so: `link` is a link element in the head alone.
    pub how: Option<String>,
    /// `true` if it has a next page.
    pub has_next: bool,
    /// The look of the link to the next page; absent without such a link.
    pub link: Option<LinkLook>,
    /// The best candidate.
    pub best: Option<String>,
    /// `true` if the best candidate is a next page.
    pub best_right: bool,
    /// Its score, from 0 to 1.
    pub score: f64,
    /// `true` if the score reaches the threshold of the models.
    pub predicted: bool,
    /// Number of candidates.
    pub candidates: usize,
    /// Number of candidates that pass the first look.
    pub passing: usize,
    /// `true` if the best candidate is one of them.
    pub best_passes: bool,
}

impl LinkLine {
    /// Returns precision, recall, F and the false positive rate over some lines.
    pub fn figures<'a>(lines: impl Iterator<Item = &'a LinkLine>) -> [f64; 4] {
        let mut counts = PageCounts::default();
        for line in lines {
            counts.add(line.predicted, line.predicted && line.best_right, line.has_next);
        }
        [counts.precision(), counts.recall(), counts.f1(), counts.false_positive_rate()]
    }
}

/// The look of a link to a next page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkLook {
    /// A word for “next”, in its text, its title or just before it.
    Word,
    /// A number.
    Number,
    /// Other text, and an arrow or a picture.
    TitleAndArrow,
    /// Other text alone.
    Title,
    /// An arrow or a picture alone.
    Icon,
}

impl LinkLook {
    /// All looks, from those that say most.
    pub const ALL: [LinkLook; 5] =
        [LinkLook::Word, LinkLook::Number, LinkLook::TitleAndArrow, LinkLook::Title, LinkLook::Icon];

    fn of(page: &Described, candidate: usize) -> LinkLook {
        let values = page.values(candidate);
        let value = |name| column_index::<LinkColumns>(name).map_or(0.0, |at| values[at]);
        let has = |name| value(name) > 0.0;
        if has("next_in_text") || has("next_in_hint") || has("older_word") {
            LinkLook::Word
        } else if has("bare_number") {
            LinkLook::Number
        } else if value("text_length") <= 2.0 {
            LinkLook::Icon
        } else if has("arrow_right") || has("double_arrow_right") || has("picture") {
            LinkLook::TitleAndArrow
        } else {
            LinkLook::Title
        }
    }
}

/// The data and parameters of a trial.
#[derive(Debug, Clone)]
pub struct LinkTrial {
    /// Their parameters.
    pub params: LinkParams,
    /// Number of folds.
    pub folds: usize,
    /// The seed of folds and models.
    pub seed: u64,
    /// Share of the training groups that are learned from, from 0 to 1.
    pub share: f64,
    /// `true` if the folds are dealt by software instead of by site: no page of a held-out generator or theme is learned from.
    pub by_software: bool,
    /// Names of data sets that nothing is learned from.
    pub without_sets: Vec<String>,
}

impl Default for LinkTrial {
    fn default() -> Self {
        LinkTrial {
            params: LinkParams::default(),
            folds: 5,
            seed: 1,
            share: 1.0,
            by_software: false,
            without_sets: Vec::new(),
        }
    }
}

const PARTS: u64 = 1000;

/// Predicts the next link of every labelled page by models that were trained on no page of its group.
///
/// # Errors
///
/// [`EvaluateError`] if a fold cannot be trained.
pub fn evaluate_links(
    sets: &[DataSet],
    examples: &LabelledPages,
    trial: &LinkTrial,
) -> Result<Vec<LinkLine>, EvaluateError> {
    let (folds, seed) = (trial.folds, trial.seed);
    let fold_of_group = examples.groups.folds(folds, seed);
    let fold_of: Vec<usize> = if trial.by_software {
        let parts = parts_by_software(examples.links.iter(), folds as u64, seed);
        parts.into_iter().filter_map(|part| usize::try_from(part).ok()).collect()
    } else {
        examples.links.iter().map(|page| fold_of_group[page.group]).collect()
    };
    let is_taken = |page: &&LinkPage| {
        ((mix(seed.wrapping_add(7), page.group) % PARTS) as f64) < trial.share * PARTS as f64
            && !trial.without_sets.contains(&sets[page.set].name)
    };
    let train = |fold: usize| -> Result<NextLinkDetector, EvaluateError> {
        let learned = examples.links.iter().zip(&fold_of).filter(|(_, held)| **held != fold);
        let pages: Vec<&LinkPage> = learned.map(|(page, _)| page).filter(is_taken).collect();
        Ok(NextLinkDetector::from_bundle(&train_next_link(&pages, &trial.params, seed)?)?)
    };
    let detectors = std::thread::scope(|scope| {
        let running: Vec<_> = (0..folds).map(|fold| scope.spawn(move || train(fold))).collect();
        let joined = running.into_iter().map(|fold| fold.join().unwrap_or_else(|panic| resume_unwind(panic)));
        joined.collect::<Result<Vec<_>, _>>()
    })?;
    let line = |(page, fold): (&LinkPage, &usize)| {
        let detector = &detectors[*fold];
        let best = detector.ranked(&page.described).into_iter().next();
        let score = best.as_ref().map_or(0.0, |best| best.score);
        let place =
            best.as_ref().and_then(|best| page.described.urls.iter().position(|url| *url == best.url));
        let passing = detector.first_look_at(&page.described);
        let set = &sets[page.set];
        let label = &set.labels()[page.label];
        LinkLine {
            set: set.name.clone(),
            url: label.url.clone(),
            source: label.source.clone(),
            how: label.others.get("how").and_then(|how| how.as_str()).map(str::to_owned),
            has_next: page.has_next,
            link: page
                .is_next
                .iter()
                .position(|is_next| *is_next)
                .map(|at| LinkLook::of(&page.described, at)),
            best: best.map(|best| best.url.into()),
            best_right: place.is_some_and(|place| page.is_next[place]),
            score: rounded(f64::from(score)),
            predicted: place.is_some() && score >= detector.threshold(),
            candidates: page.described.len(),
            best_passes: place.is_some_and(|place| passing.contains(&place)),
            passing: passing.len(),
        }
    };
    Ok(examples.links.iter().zip(&fold_of).map(line).collect())
}
