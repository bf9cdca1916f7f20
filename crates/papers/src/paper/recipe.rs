//! Trains models of the thesis' features: rows, balancing, learner, threshold.

use super::examples::{ContentExample, LinkExample, PageExample};
use std::num::NonZeroUsize;
use tsugi_learning::{LabelledRows, ModelLearner, Smote, Undersample};
use tsugi_main_content::paper::{DISTANCE_NOTE, ElementContext, PaperContent, decode, features};
use tsugi_next_link::paper::PaperLinks;
use tsugi_page::NodeId;
use tsugi_scoring::{FlatModel, Matrix, MatrixError, ModelFile, ModelHeader, Params, Schema, TrainedOn};
use tsugi_training::measure::{PageCounts, character_f};
use tsugi_training::random::mix;
use tsugi_training::sites::distinct;
use tsugi_training::train_error::TrainError;

/// SMOTE raises next links to this share of the other links (Hanamura 3.2.3).
const LINK_RATIO: f64 = 0.1;
/// SMOTE raises content nodes to this share of the other nodes (Hanamura 3.3.3), which are then dropped at random
/// until there are as many of both.
const CONTENT_RATIO: f64 = 1.0 / 25.0;
/// The key in a model's notes of how its rows were balanced.
const SMOTE_NOTE: &str = "smote";
/// Number of parts of the training side, to choose a threshold.
const INNER_FOLDS: u64 = 3;

#[derive(Debug)]
pub(crate) struct PageRows<S: Schema> {
    pub(crate) x: Matrix<S>,
    pub(crate) y: Vec<bool>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Balancing {
    pub(crate) neighbours: NonZeroUsize,
    /// `true` divides columns by their standard deviation before SMOTE takes distances.
    pub(crate) scaled: bool,
    /// `false` leaves the classes as they are.
    pub(crate) on: bool,
}

impl Balancing {
    /// As in the article that the thesis cites for SMOTE (Chawla et al. 2002): five neighbours, by plain distances.
    pub(crate) const PUBLISHED: Balancing = Balancing { neighbours: Smote::USUAL_K, scaled: false, on: true };

    /// Says how rows are balanced, for a model's card.
    fn note(self, ratio: f64) -> String {
        let distances = if self.scaled { "distances by standard deviation" } else { "plain distances" };
        format!("{} neighbours, {distances}, to {ratio} of the other rows", self.neighbours)
    }

    fn smote(self, ratio: f64) -> Smote {
        Smote { k: self.neighbours, ratio, scaled: self.scaled }
    }
}

/// Fewest rows per leaf of the default learner, a forest.
///
// Links .698 and content .751 on seven data sets; with full-grown trees .695 and .734, in models of twice the size.
pub const DEFAULT_LEAF: usize = 20;

fn fit_links<'a>(
    pages: impl Iterator<Item = &'a LinkExample>,
    params: &Params,
    seed: u64,
) -> Result<(FlatModel<PaperLinks>, LabelledRows<PaperLinks>), TrainError> {
    let pages: Vec<PageRows<PaperLinks>> =
        pages.map(|page| PageRows { x: page.rows.clone(), y: page.is_next.clone() }).collect();
    fit_link_rows(&pages, params, Balancing::PUBLISHED, seed)
}

pub(crate) fn fit_link_rows(
    pages: &[PageRows<PaperLinks>],
    params: &Params,
    balancing: Balancing,
    seed: u64,
) -> Result<(FlatModel<PaperLinks>, LabelledRows<PaperLinks>), TrainError> {
    let rows = balance_link_rows(pages, balancing, seed)?;
    Ok((params.fit(&rows, link_seed(seed))?, rows))
}

pub(crate) fn balance_link_rows<S: Schema>(
    pages: &[PageRows<S>],
    balancing: Balancing,
    seed: u64,
) -> Result<LabelledRows<S>, TrainError> {
    let rows = all_rows(pages, "next")?;
    if !balancing.on {
        return Ok(rows);
    }
    Ok(balancing.smote(LINK_RATIO).apply(rows, mix(seed, 1))?)
}

pub(crate) fn link_seed(seed: u64) -> u64 {
    mix(seed, 2)
}

/// Returns the rows of all pages; `what` names the label in the error for pages without positives.
fn all_rows<S: Schema>(pages: &[PageRows<S>], what: &'static str) -> Result<LabelledRows<S>, TrainError> {
    let (mut x, mut y) = (Matrix::new(), Vec::new());
    for page in pages {
        x.append(&page.x);
        y.extend_from_slice(&page.y);
    }
    if !y.contains(&true) {
        return Err(TrainError::NoExamples(what));
    }
    Ok(LabelledRows::new(x, y)?)
}

/// Returns place and score of the best candidate; of equals the first.
pub(crate) fn best_link(scores: &[f32]) -> Option<(usize, f32)> {
    scores.iter().copied().enumerate().rev().max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Trains a link model and chooses its threshold.
///
/// The threshold is the one with the best page F (right next pages over predicted and labelled ones) on the
/// training pages themselves, each scored by a model that saw no page of its group.
///
/// # Errors
///
/// [`TrainError`] if the pages hold no next link, or nothing else.
pub fn train_paper_links(
    pages: &[&PageExample],
    params: &Params,
    seed: u64,
) -> Result<ModelFile<PaperLinks>, TrainError> {
    let labelled: Vec<(&PageExample, &LinkExample)> =
        pages.iter().filter_map(|page| Some((*page, page.links.as_ref()?))).collect();
    let inner_fold = |page: &PageExample| mix(seed, page.group) % INNER_FOLDS;
    let mut best_links = Vec::new();
    for fold in 0..INNER_FOLDS {
        let (held, rest): (Vec<_>, Vec<_>) = labelled.iter().partition(|(page, _)| inner_fold(page) == fold);
        let Ok((model, _)) = fit_links(rest.iter().map(|(_, links)| *links), params, mix(seed, 3)) else {
            continue;
        };
        for (_, links) in held {
            let best = best_link(&model.score(&links.rows));
            let right = best.is_some_and(|(at, _)| links.is_next[at]);
            best_links.push((best.map_or(0.0, |(_, score)| score), right, links.has_next));
        }
    }
    let (model, rows) = fit_links(labelled.iter().map(|(_, links)| *links), params, seed)?;
    let mut header = ModelHeader::new::<PaperLinks>(params.clone(), seed);
    header.threshold = best_page_threshold(&best_links);
    header.trained_on = trained_on(labelled.iter().map(|(page, _)| *page), &rows);
    header.notes.insert(SMOTE_NOTE.to_owned(), Balancing::PUBLISHED.note(LINK_RATIO));
    Ok(ModelFile { header, model })
}

/// Returns the threshold with the best page F; .5 if there is nothing to choose from. Items: score of the page's best link,
/// whether it is right, whether the page has a next page.
fn best_page_threshold(pages: &[(f32, bool, bool)]) -> f32 {
    let mut sorted = pages.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let gold = pages.iter().filter(|(_, _, has_next)| *has_next).count() as u64;
    let mut counts = PageCounts { gold, ..PageCounts::default() };
    let (mut best, mut threshold) = (0.0, 0.5);
    for (place, (score, right, _)) in sorted.iter().enumerate() {
        counts.predicted += 1;
        counts.right += u64::from(*right);
        let next_score = sorted.get(place + 1).map_or(0.0, |(next, _, _)| *next);
        if next_score < *score && counts.f1() > best {
            best = counts.f1();
            threshold = f32::midpoint(*score, next_score);
        }
    }
    threshold
}

fn trained_on<'a, S: Schema>(
    pages: impl Iterator<Item = &'a PageExample>,
    rows: &LabelledRows<S>,
) -> TrainedOn {
    let groups: Vec<usize> = pages.map(|page| page.group).collect();
    TrainedOn {
        pages: groups.len() as u64,
        sites: distinct(groups.into_iter()),
        rows: rows.x().rows() as u64,
        positives: rows.positives() as u64,
    }
}

/// The elements of a page; their distance is that to `next`, or else `distance_without_link`.
pub(crate) fn element_rows(
    page: &ContentExample,
    next: Option<NodeId>,
    distance_without_link: f32,
) -> Result<PageRows<PaperContent>, MatrixError> {
    let (ids, x) = features(&page.page, next, distance_without_link)?;
    let y = ids.iter().map(|id| page.gold.binary_search(id).is_ok()).collect();
    Ok(PageRows { x, y })
}

/// Returns the median distance to the next link over the elements of the pages that have one (Hanamura 4.4); 0 if no page
/// has one.
pub(crate) fn median_distance<'a>(pages: impl Iterator<Item = &'a ContentExample>) -> f32 {
    median_distance_to(pages.map(|page| (page, page.next)))
}

/// The same, with the link of each page.
pub(crate) fn median_distance_to<'a>(
    pages: impl Iterator<Item = (&'a ContentExample, Option<NodeId>)>,
) -> f32 {
    let mut distances = Vec::new();
    for (page, next) in pages.filter(|(_, next)| next.is_some()) {
        let context = ElementContext::new(&page.page, next);
        distances.extend(page.page.elements().filter_map(|id| context.next_link_distance(id)));
    }
    distances.sort_unstable();
    distances.get(distances.len() / 2).map_or(0.0, |distance| *distance as f32)
}

fn fit_content<'a>(
    pages: impl Iterator<Item = &'a ContentExample>,
    distance_without_link: f32,
    params: &Params,
    seed: u64,
) -> Result<(FlatModel<PaperContent>, LabelledRows<PaperContent>), TrainError> {
    let pages = pages.map(|page| element_rows(page, page.next, distance_without_link));
    let pages = pages.collect::<Result<Vec<_>, _>>()?;
    fit_content_rows(&pages, params, Balancing::PUBLISHED, seed)
}

pub(crate) fn fit_content_rows(
    pages: &[PageRows<PaperContent>],
    params: &Params,
    balancing: Balancing,
    seed: u64,
) -> Result<(FlatModel<PaperContent>, LabelledRows<PaperContent>), TrainError> {
    let rows = balance_content_rows(pages, balancing, seed)?;
    Ok((params.fit(&rows, content_seed(seed))?, rows))
}

pub(crate) fn balance_content_rows<S: Schema>(
    pages: &[PageRows<S>],
    balancing: Balancing,
    seed: u64,
) -> Result<LabelledRows<S>, TrainError> {
    let rows = all_rows(pages, "content")?;
    if !balancing.on {
        return Ok(rows);
    }
    let rows = balancing.smote(CONTENT_RATIO).apply(rows, mix(seed, 1))?;
    Ok(Undersample { ratio: 1.0 }.apply(rows, mix(seed, 2))?)
}

pub(crate) fn content_seed(seed: u64) -> u64 {
    mix(seed, 3)
}

/// Trains a content model and chooses its threshold.
///
/// The threshold is the one with the best mean page F over characters of text on the training pages themselves, each
/// scored by a model that saw no page of its group.
///
/// # Errors
///
/// [`TrainError`] if the pages hold no content, or nothing else.
pub fn train_paper_content(
    pages: &[&PageExample],
    params: &Params,
    seed: u64,
) -> Result<ModelFile<PaperContent>, TrainError> {
    let labelled: Vec<(&PageExample, &ContentExample)> =
        pages.iter().filter_map(|page| Some((*page, page.content.as_ref()?))).collect();
    let distance = median_distance(labelled.iter().map(|(_, content)| *content));
    let inner_fold = |page: &PageExample| mix(seed, page.group) % INNER_FOLDS;
    let mut sums = [0.0; THRESHOLDS];
    for fold in 0..INNER_FOLDS {
        let (held, rest): (Vec<_>, Vec<_>) = labelled.iter().partition(|(page, _)| inner_fold(page) == fold);
        let rest = rest.iter().map(|(_, content)| *content);
        let Ok((model, _)) = fit_content(rest, distance, params, mix(seed, 4)) else { continue };
        for (_, content) in held {
            let (ids, rows) = features(&content.page, content.next, distance)?;
            let scores = model.score(&rows);
            for (step, sum) in sums.iter_mut().enumerate() {
                let nodes = decode(&content.page, &ids, &scores, threshold_of(step));
                *sum += character_f(&content.page, &nodes, &content.gold);
            }
        }
    }
    let best = (0..THRESHOLDS).rev().max_by(|a, b| f64::total_cmp(&sums[*a], &sums[*b])).unwrap_or(0);
    let contents = labelled.iter().map(|(_, content)| *content);
    let (model, rows) = fit_content(contents, distance, params, seed)?;
    let mut header = ModelHeader::new::<PaperContent>(params.clone(), seed);
    header.threshold = if sums[best] > 0.0 { threshold_of(best) } else { 0.5 };
    header.trained_on = trained_on(labelled.iter().map(|(page, _)| *page), &rows);
    header.notes.insert(DISTANCE_NOTE.to_owned(), distance.to_string());
    header.notes.insert(SMOTE_NOTE.to_owned(), Balancing::PUBLISHED.note(CONTENT_RATIO));
    Ok(ModelFile { header, model })
}

/// Number of thresholds tried for content: .05, .1 … .95.
const THRESHOLDS: usize = 19;

fn threshold_of(step: usize) -> f32 {
    0.05 * (step + 1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_lies_where_page_f_is_best() {
        // Sorted: .9 right, .8 right, .6 wrong, .2 wrong; 3 pages have a next page.
        // F at the cuts: 2·1/(1+3) = .5, 2·2/(2+3) = .8, 2·2/(3+3) = .67, 2·2/(4+3) = .57.
        let pages = [(0.8, true, true), (0.2, false, false), (0.9, true, true), (0.6, false, true)];
        assert!((best_page_threshold(&pages) - 0.7).abs() < 1e-6);
        assert_eq!(best_page_threshold(&[]), 0.5);
        assert_eq!(best_page_threshold(&[(0.9, false, false)]), 0.5);
    }

    #[test]
    fn of_equal_links_the_first_is_best() {
        assert_eq!(best_link(&[0.1, 0.4, 0.4]), Some((1, 0.4)));
    }

    #[test]
    fn rows_are_balanced_as_published() {
        assert_eq!(Balancing::PUBLISHED.note(0.1), "5 neighbours, plain distances, to 0.1 of the other rows");
    }
}
