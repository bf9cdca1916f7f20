//! The methods that are compared, on one split.

use super::errors::{CUT, WorstPage, worst_content, worst_links};
use super::recipe::{Balancing, Rows, best_link, fit_content_rows, fit_link_rows, median_distance};
use super::split::{Drawn, SideCounts, Sides, count};
use crate::dataset::DataSet;
use crate::train_error::TrainError;
use tsugi_learning::{Algorithm, Confusion, FlatModel, Params};
use tsugi_main_content::baseline::kato;
use tsugi_main_content::paper::{DISTANCE, PaperContent, features};
use tsugi_next_link::paper::PaperLinks;

/// A method and what the thesis reports of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Method {
    /// Its name in tables.
    pub(crate) name: &'static str,
    /// Precision, recall, F as published.
    pub(crate) published: [f64; 3],
}

const fn method(name: &'static str, published: [f64; 3]) -> Method {
    Method { name, published }
}

/// The methods for links (tables 4.4 and 4.5).
pub(crate) const LINK_METHODS: [Method; 5] = [
    method("baseline", [0.474, 0.844, 0.607]),
    method("tree", [0.679, 0.731, 0.704]),
    method("forest", [0.818, 0.692, 0.750]),
    method("boosted", [0.720, 0.692, 0.706]),
    method("forest, no LinkSimilarity", [0.810, 0.654, 0.723]),
];

/// The methods for content (tables 4.6 to 4.8).
pub(crate) const CONTENT_METHODS: [Method; 6] = [
    method("baseline", [0.032, 0.002, 0.003]),
    method("tree", [0.300, 0.954, 0.451]),
    method("forest", [0.578, 0.584, 0.581]),
    method("boosted", [0.415, 0.711, 0.524]),
    method("forest, no distance", [0.474, 0.536, 0.504]),
    method("forest, predicted link", [0.588, 0.555, 0.571]),
];

/// The column of `LinkSimilarity`.
const LINK_SIMILARITY: usize = 8;

/// What a method gave on the test side.
#[derive(Debug, Clone)]
pub(crate) struct MethodResult {
    /// Found against labelled.
    pub(crate) confusion: Confusion,
    /// The scores; empty for rules.
    pub(crate) scores: Vec<f32>,
    /// The labels, as many as scores.
    pub(crate) labels: Vec<bool>,
    /// Mean decrease of Gini impurity by column, summing to 1; empty for rules.
    pub(crate) importances: Vec<f64>,
}

impl MethodResult {
    fn of_rule(confusion: Confusion) -> MethodResult {
        MethodResult { confusion, scores: Vec::new(), labels: Vec::new(), importances: Vec::new() }
    }

    fn of_scores(scores: Vec<f32>, labels: Vec<bool>, importances: Vec<f64>) -> MethodResult {
        let confusion = confusion(&scores, &labels);
        MethodResult { confusion, scores, labels, importances }
    }
}

/// The results of one split, in full.
#[derive(Debug)]
pub(crate) struct SplitResult {
    /// What the training side holds.
    pub(crate) train: SideCounts,
    /// What the test side holds.
    pub(crate) test: SideCounts,
    /// Link by link, in the order of [`LINK_METHODS`].
    pub(crate) links: Vec<MethodResult>,
    /// Node by node, in the order of [`CONTENT_METHODS`].
    pub(crate) content: Vec<MethodResult>,
    /// The pages on which the forest is worst at links.
    pub(crate) worst_links: Vec<WorstPage>,
    /// The pages on which the forest is worst at content.
    pub(crate) worst_content: Vec<WorstPage>,
}

pub(crate) fn confusion(scores: &[f32], labels: &[bool]) -> Confusion {
    let mut confusion = Confusion::default();
    for (score, label) in scores.iter().zip(labels) {
        confusion.add(*score > CUT, *label);
    }
    confusion
}

/// The link rows of pages; `LinkSimilarity` on or off.
pub(crate) fn link_rows(side: &[Drawn<'_>], similarity: bool) -> Result<Vec<Rows<PaperLinks>>, TrainError> {
    let rows = side.iter().map(|drawn| {
        let mut x = drawn.links.rows.clone();
        if !similarity {
            x.neutralise(LINK_SIMILARITY, 0.0)?;
        }
        Ok(Rows { x, y: drawn.links.is_next.clone() })
    });
    rows.collect()
}

/// How far elements are from the next link.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Distance<'a> {
    /// From the labelled link.
    Labelled,
    /// From the link that this model predicts, where one scores above [`CUT`].
    Predicted(&'a FlatModel<PaperLinks>),
    /// Not used.
    Off,
}

/// The element rows of pages.
pub(crate) fn content_rows(
    side: &[Drawn<'_>],
    distance: Distance<'_>,
    median: f32,
) -> Result<Vec<Rows<PaperContent>>, TrainError> {
    let rows = side.iter().map(|drawn| {
        let content = drawn.content;
        let link = match distance {
            Distance::Labelled => content.next,
            Distance::Predicted(model) => {
                let scores = model.score(&drawn.links.rows);
                let best = best_link(drawn.links, &scores).filter(|(_, score)| *score > CUT);
                best.map(|(candidate, _)| drawn.links.first_tags[candidate])
            }
            Distance::Off => None,
        };
        let (ids, mut x) = features(&content.page, link, median)?;
        if matches!(distance, Distance::Off) {
            x.neutralise(DISTANCE, 0.0)?;
        }
        Ok(Rows { y: ids.iter().map(|id| content.gold.binary_search(id).is_ok()).collect(), x })
    });
    rows.collect()
}

/// Scores all pages with a model.
pub(crate) fn score<S: tsugi_learning::Schema>(
    model: &FlatModel<S>,
    pages: &[Rows<S>],
) -> (Vec<f32>, Vec<bool>) {
    let scores = pages.iter().flat_map(|page| model.score(&page.x)).collect();
    (scores, pages.iter().flat_map(|page| page.y.iter().copied()).collect())
}

/// Runs every method on one split.
pub(crate) fn run_split(sets: &[DataSet], sides: &Sides<'_>, seed: u64) -> Result<SplitResult, TrainError> {
    let balancing = Balancing::default();
    let (train, test) = (link_rows(&sides.train, true)?, link_rows(&sides.test, true)?);
    let mut links = vec![MethodResult::of_rule(link_baseline(&sides.test))];
    let mut link_forest = None;
    for algorithm in Algorithm::ALL {
        let (model, rows) = fit_link_rows(&train, &Params::of(algorithm), balancing, seed)?;
        let (scores, labels) = score(&model, &test);
        links.push(MethodResult::of_scores(scores, labels, model.importances(&rows)));
        if algorithm == Algorithm::Forest {
            link_forest = Some(model);
        }
    }
    let forest = Params::of(Algorithm::Forest);
    let (model, rows) = fit_link_rows(&link_rows(&sides.train, false)?, &forest, balancing, seed)?;
    let (scores, labels) = score(&model, &link_rows(&sides.test, false)?);
    links.push(MethodResult::of_scores(scores, labels, model.importances(&rows)));

    let median = median_distance(sides.train.iter().map(|drawn| drawn.content));
    let train = content_rows(&sides.train, Distance::Labelled, median)?;
    let test = content_rows(&sides.test, Distance::Labelled, median)?;
    let mut content = vec![MethodResult::of_rule(content_baseline(&sides.test))];
    let mut with_predicted = None;
    for algorithm in Algorithm::ALL {
        let (model, rows) = fit_content_rows(&train, &Params::of(algorithm), balancing, seed)?;
        let (scores, labels) = score(&model, &test);
        content.push(MethodResult::of_scores(scores, labels, model.importances(&rows)));
        if let (Algorithm::Forest, Some(link_forest)) = (algorithm, &link_forest) {
            let predicted = content_rows(&sides.test, Distance::Predicted(link_forest), median)?;
            let (scores, labels) = score(&model, &predicted);
            with_predicted = Some(MethodResult::of_scores(scores, labels, Vec::new()));
        }
    }
    let off = content_rows(&sides.train, Distance::Off, median)?;
    let (model, rows) = fit_content_rows(&off, &forest, balancing, seed)?;
    let (scores, labels) = score(&model, &content_rows(&sides.test, Distance::Off, median)?);
    content.push(MethodResult::of_scores(scores, labels, model.importances(&rows)));
    content.extend(with_predicted);

    let worst: (Vec<WorstPage>, Vec<WorstPage>) = (
        worst_links(sets, &sides.test, &links[2].scores),
        worst_content(sets, &sides.test, &content[2].scores),
    );
    Ok(SplitResult {
        train: count(&sides.train),
        test: count(&sides.test),
        links,
        content,
        worst_links: worst.0,
        worst_content: worst.1,
    })
}

fn link_baseline(test: &[Drawn<'_>]) -> Confusion {
    let mut confusion = Confusion::default();
    for drawn in test {
        for (found, label) in drawn.links.by_text.iter().zip(&drawn.links.is_next) {
            confusion.add(*found, *label);
        }
    }
    confusion
}

/// Every node below the one that Kato's rule takes counts as content (METHODS, section 3).
fn content_baseline(test: &[Drawn<'_>]) -> Confusion {
    let mut confusion = Confusion::default();
    for drawn in test {
        let page = &drawn.content.page;
        let kato = kato(page);
        for id in page.elements() {
            let found = kato.is_some_and(|kato| kato != id && page.contains(kato, id));
            confusion.add(found, drawn.content.gold.binary_search(&id).is_ok());
        }
    }
    confusion
}
