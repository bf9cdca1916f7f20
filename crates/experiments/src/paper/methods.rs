//! The compared methods, and their run on one split.

use super::errors::{CUT, WorstPage, worst_content, worst_links};
use super::recipe::{
    Balancing, Rows, balance_content_rows, balance_link_rows, best_link, content_seed, link_seed,
    median_distance,
};
use super::split::{Drawn, SideCounts, Sides, count};
use crate::dataset::DataSet;
use crate::train_error::TrainError;
use std::time::Duration;
use tsugi_learning::{
    Algorithm, Confusion, FlatModel, Header, LabelledRows, Learner, ModelFile, Params, Schema,
};
use tsugi_main_content::baseline::kato;
use tsugi_main_content::paper::{DISTANCE, PaperContent, features};
use tsugi_next_link::paper::PaperLinks;

/// A method and the figures that the thesis reports for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Method {
    /// Its name in tables.
    pub(crate) name: &'static str,
    /// Precision, recall, F as published, if the thesis has the method.
    pub(crate) published: Option<[f64; 3]>,
}

const fn method(name: &'static str, published: [f64; 3]) -> Method {
    Method { name, published: Some(published) }
}

const fn ours(name: &'static str) -> Method {
    Method { name, published: None }
}

/// The methods for links (tables 4.4 and 4.5): the baseline, [`Algorithm::ALL`], and the forest with fewer columns.
pub(crate) const LINK_METHODS: [Method; 8] = [
    method("baseline", [0.474, 0.844, 0.607]),
    method("tree", [0.679, 0.731, 0.704]),
    method("forest", [0.818, 0.692, 0.750]),
    method("boosted", [0.720, 0.692, 0.706]),
    ours("smartcore forest"),
    ours("linfa tree"),
    ours("linfa logistic"),
    method("forest, no LinkSimilarity", [0.810, 0.654, 0.723]),
];

/// The methods for content (tables 4.6 to 4.8): the baseline, [`Algorithm::ALL`], and the forest with other distances.
pub(crate) const CONTENT_METHODS: [Method; 9] = [
    method("baseline", [0.032, 0.002, 0.003]),
    method("tree", [0.300, 0.954, 0.451]),
    method("forest", [0.578, 0.584, 0.581]),
    method("boosted", [0.415, 0.711, 0.524]),
    ours("smartcore forest"),
    ours("linfa tree"),
    ours("linfa logistic"),
    method("forest, no distance", [0.474, 0.536, 0.504]),
    method("forest, predicted link", [0.588, 0.555, 0.571]),
];

/// The places of methods in [`LINK_METHODS`] and [`CONTENT_METHODS`].
pub(crate) const BASELINE: usize = 0;
pub(crate) const TREE: usize = 1;
pub(crate) const FOREST: usize = 2;
pub(crate) const BOOSTED: usize = 3;
pub(crate) const SMARTCORE_FOREST: usize = 4;
pub(crate) const LINFA_TREE: usize = 5;
pub(crate) const LINFA_LOGISTIC: usize = 6;
/// In [`LINK_METHODS`] only.
pub(crate) const NO_SIMILARITY: usize = 7;
/// In [`CONTENT_METHODS`] only.
pub(crate) const NO_DISTANCE: usize = 7;
/// In [`CONTENT_METHODS`] only.
pub(crate) const PREDICTED: usize = 8;

/// The column of `LinkSimilarity`.
const LINK_SIMILARITY: usize = 8;

/// What training a model took.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    /// Time of the learner, without balancing.
    pub(crate) time: Duration,
    /// Size of the model file in bytes.
    pub(crate) bytes: usize,
}

/// The results of a method on the test side.
#[derive(Debug, Clone)]
pub(crate) struct MethodResult {
    /// Found against labelled.
    pub(crate) confusion: Confusion,
    /// The scores; empty for rules.
    pub(crate) scores: Vec<f32>,
    /// The labels, one for each score.
    pub(crate) labels: Vec<bool>,
    /// Mean decrease of Gini impurity by column, summing to 1; empty for rules.
    pub(crate) importances: Vec<f64>,
    /// What training took; `None` if nothing was trained for this method.
    pub(crate) cost: Option<Cost>,
}

impl MethodResult {
    fn of_rule(confusion: Confusion) -> MethodResult {
        MethodResult {
            confusion,
            scores: Vec::new(),
            labels: Vec::new(),
            importances: Vec::new(),
            cost: None,
        }
    }

    fn of_scores((scores, labels): (Vec<f32>, Vec<bool>)) -> MethodResult {
        let confusion = confusion(&scores, &labels);
        MethodResult { scores, labels, ..MethodResult::of_rule(confusion) }
    }
}

/// Fits a learner to rows and measures it on pages.
fn measure<S: Schema>(
    algorithm: Algorithm,
    (rows, seed): (&LabelledRows<S>, u64),
    test: &[Rows<S>],
    clock: &dyn Fn() -> Duration,
) -> Result<(FlatModel<S>, MethodResult), TrainError> {
    let params = Params::of(algorithm);
    let begin = clock();
    let model = params.fit(rows, seed)?;
    let time = clock().saturating_sub(begin);
    let file = ModelFile { header: Header::new::<S>(params, seed), model };
    let cost = Cost { time, bytes: file.to_bytes()?.len() };
    let model = file.model;
    let importances = model.importances(rows);
    let result =
        MethodResult { importances, cost: Some(cost), ..MethodResult::of_scores(score(&model, test)) };
    Ok((model, result))
}

/// The results of one split, in full.
#[derive(Debug)]
pub(crate) struct SplitResult {
    /// Size of the training side.
    pub(crate) train: SideCounts,
    /// Size of the test side.
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

/// Returns the link rows of pages; `similarity` switches `LinkSimilarity` on or off.
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

/// The link from which the distance of elements is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Distance<'a> {
    /// The labelled link.
    Labelled,
    /// The link that this model predicts, if one scores above [`CUT`].
    Predicted(&'a FlatModel<PaperLinks>),
    /// None: the column is switched off.
    Off,
}

/// Returns the element rows of pages.
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
pub(crate) fn score<S: Schema>(model: &FlatModel<S>, pages: &[Rows<S>]) -> (Vec<f32>, Vec<bool>) {
    let scores = pages.iter().flat_map(|page| model.score(&page.x)).collect();
    (scores, pages.iter().flat_map(|page| page.y.iter().copied()).collect())
}

/// Runs every method on one split.
pub(crate) fn run_split(
    sets: &[DataSet],
    sides: &Sides<'_>,
    seed: u64,
    clock: &dyn Fn() -> Duration,
) -> Result<SplitResult, TrainError> {
    let balancing = Balancing::default();
    let test = link_rows(&sides.test, true)?;
    let train = balance_link_rows(&link_rows(&sides.train, true)?, balancing, seed)?;
    let mut links = vec![MethodResult::of_rule(link_baseline(&sides.test))];
    let mut link_forest = None;
    for algorithm in Algorithm::ALL {
        let (model, result) = measure(algorithm, (&train, link_seed(seed)), &test, clock)?;
        links.push(result);
        if algorithm == Algorithm::Forest {
            link_forest = Some(model);
        }
    }
    let train = balance_link_rows(&link_rows(&sides.train, false)?, balancing, seed)?;
    let test = link_rows(&sides.test, false)?;
    links.push(measure(Algorithm::Forest, (&train, link_seed(seed)), &test, clock)?.1);

    let median = median_distance(sides.train.iter().map(|drawn| drawn.content));
    let rows_of = |side, distance| content_rows(side, distance, median);
    let test = rows_of(&sides.test, Distance::Labelled)?;
    let train = balance_content_rows(&rows_of(&sides.train, Distance::Labelled)?, balancing, seed)?;
    let mut content = vec![MethodResult::of_rule(content_baseline(&sides.test))];
    let mut with_predicted = None;
    for algorithm in Algorithm::ALL {
        let (model, result) = measure(algorithm, (&train, content_seed(seed)), &test, clock)?;
        content.push(result);
        if let (Algorithm::Forest, Some(link_forest)) = (algorithm, &link_forest) {
            let predicted = rows_of(&sides.test, Distance::Predicted(link_forest))?;
            with_predicted = Some(MethodResult::of_scores(score(&model, &predicted)));
        }
    }
    let train = balance_content_rows(&rows_of(&sides.train, Distance::Off)?, balancing, seed)?;
    let test = rows_of(&sides.test, Distance::Off)?;
    content.push(measure(Algorithm::Forest, (&train, content_seed(seed)), &test, clock)?.1);
    content.extend(with_predicted);

    let worst: (Vec<WorstPage>, Vec<WorstPage>) = (
        worst_links(sets, &sides.test, &links[FOREST].scores),
        worst_content(sets, &sides.test, &content[FOREST].scores),
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

/// Measures Kato's rule: every node below the one that it takes counts as content (METHODS, section 3).
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
