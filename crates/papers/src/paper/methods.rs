//! The compared methods, and their run on one split.

use super::errors::{CUT, WorstPage, worst_content, worst_links};
use super::examples::LinkExample;
use super::recipe::{
    Balancing, PageRows, balance_content_rows, balance_link_rows, best_link, content_seed, element_rows,
    link_seed, median_distance, median_distance_to,
};
use super::shown::ShownPages;
use super::split::{DrawnPage, SideCounts, Sides, count};
use std::time::Duration;
use tsugi_learning::{Confusion, LabelledRows, ModelLearner, importances};
use tsugi_main_content::paper::PaperContent;
use tsugi_main_content::paper::baseline::kato;
use tsugi_next_link::paper::PaperLinks;
use tsugi_page::{NodeId, Page};
use tsugi_scoring::{Algorithm, FlatModel, ModelFile, ModelHeader, Params, Schema, WithoutLast};
use tsugi_training::dataset::DataSet;
use tsugi_training::train_error::TrainError;

#[derive(Debug, Clone, Copy)]
pub(crate) struct PaperMethod {
    pub(crate) name: &'static str,
    /// Precision, recall, F as published, if the thesis has the method.
    pub(crate) published: Option<[f64; 3]>,
}

const fn method(name: &'static str, published: [f64; 3]) -> PaperMethod {
    PaperMethod { name, published: Some(published) }
}

const fn ours(name: &'static str) -> PaperMethod {
    PaperMethod { name, published: None }
}

/// The learners of the thesis, in the order of its tables.
const OF_THESIS: [Algorithm; 3] = [Algorithm::Tree, Algorithm::Forest, Algorithm::Boosted];

const OF_LIBRARIES: [Algorithm; 3] =
    [Algorithm::SmartcoreForest, Algorithm::LinfaTree, Algorithm::LinfaLogistic];

/// The methods for links (tables 4.4 and 4.5): the baseline, the thesis' learners, the forest with fewer columns, the baseline
/// as written, and the learners of other libraries.
pub(crate) const LINK_METHODS: [PaperMethod; 9] = [
    method("baseline", [0.474, 0.844, 0.607]),
    method("tree", [0.679, 0.731, 0.704]),
    method("forest", [0.818, 0.692, 0.750]),
    method("boosted", [0.720, 0.692, 0.706]),
    method("forest, no LinkSimilarity", [0.810, 0.654, 0.723]),
    ours("baseline, NEXT in capitals alone"),
    ours("smartcore forest"),
    ours("linfa tree"),
    ours("linfa logistic"),
];

/// The methods for content (tables 4.6 to 4.8): the baseline, the thesis' learners with the labelled link and without
/// distance, the forest with predicted links, and the learners of other libraries.
pub(crate) const CONTENT_METHODS: [PaperMethod; 12] = [
    method("baseline", [0.032, 0.002, 0.003]),
    method("tree", [0.300, 0.954, 0.451]),
    method("forest", [0.578, 0.584, 0.581]),
    method("boosted", [0.415, 0.711, 0.524]),
    method("tree, no distance", [0.323, 0.941, 0.480]),
    method("forest, no distance", [0.474, 0.536, 0.504]),
    method("boosted, no distance", [0.536, 0.900, 0.499]),
    method("forest, predicted link", [0.588, 0.555, 0.571]),
    ours("forest, best predicted link"),
    ours("smartcore forest"),
    ours("linfa tree"),
    ours("linfa logistic"),
];

/// The places of methods in [`LINK_METHODS`] and [`CONTENT_METHODS`].
pub(crate) const BASELINE: usize = 0;
pub(crate) const TREE: usize = 1;
pub(crate) const FOREST: usize = 2;
pub(crate) const BOOSTED: usize = 3;
/// In [`LINK_METHODS`] only.
pub(crate) const NO_SIMILARITY: usize = 4;
/// In [`CONTENT_METHODS`] only.
pub(crate) const TREE_NO_DISTANCE: usize = 4;
pub(crate) const NO_DISTANCE: usize = 5;
pub(crate) const BOOSTED_NO_DISTANCE: usize = 6;
pub(crate) const PREDICTED: usize = 7;
pub(crate) const BEST_PREDICTED: usize = 8;
/// Places in [`LINK_METHODS`] and in [`CONTENT_METHODS`].
pub(crate) const SMARTCORE_FOREST: [usize; 2] = [6, 9];
pub(crate) const LINFA_TREE: [usize; 2] = [7, 10];
pub(crate) const LINFA_LOGISTIC: [usize; 2] = [8, 11];

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    /// Time of the learner, without balancing.
    pub(crate) time: Duration,
    pub(crate) bytes: usize,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct MethodResult {
    pub(crate) confusion: Confusion,
    /// The scores; empty for rules.
    pub(crate) scores: Vec<f32>,
    pub(crate) labels: Vec<bool>,
    /// Mean decrease of Gini impurity by column, summing to 1; empty for rules.
    pub(crate) importances: Vec<f64>,
    /// The cost of training; `None` if nothing was trained for this method.
    pub(crate) cost: Option<Cost>,
}

impl MethodResult {
    fn of_rule(confusion: Confusion) -> MethodResult {
        MethodResult { confusion, ..MethodResult::default() }
    }

    fn of_scores((scores, labels): (Vec<f32>, Vec<bool>)) -> MethodResult {
        let confusion = confusion(&scores, &labels);
        MethodResult { confusion, scores, labels, ..MethodResult::default() }
    }
}

fn measure<S: Schema>(
    algorithm: Algorithm,
    (rows, seed): (&LabelledRows<S>, u64),
    test: &[PageRows<S>],
    clock: &dyn Fn() -> Duration,
) -> Result<(FlatModel<S>, MethodResult), TrainError> {
    let params = Params::of(algorithm);
    let begin = clock();
    let model = params.fit(rows, seed)?;
    let time = clock().saturating_sub(begin);
    let file = ModelFile { header: ModelHeader::new::<S>(params, seed), model };
    let cost = Cost { time, bytes: file.to_bytes()?.len() };
    let model = file.model;
    let importances = importances(&model, rows);
    let result =
        MethodResult { importances, cost: Some(cost), ..MethodResult::of_scores(score(&model, test)) };
    Ok((model, result))
}

#[derive(Debug)]
pub(crate) struct SplitResult {
    pub(crate) train: SideCounts,
    pub(crate) test: SideCounts,
    /// Link by link, in the order of [`LINK_METHODS`]; without the learners of other libraries if they were not wanted.
    pub(crate) links: Vec<MethodResult>,
    /// Node by node, in the order of [`CONTENT_METHODS`], likewise.
    pub(crate) content: Vec<MethodResult>,
    /// Kato's rule, by [`KatoReading::ALL`].
    pub(crate) kato: Vec<Confusion>,
    pub(crate) worst_links: Vec<WorstPage>,
    pub(crate) worst_content: Vec<WorstPage>,
    /// Pages like those of figures 4.5 and 4.8.
    pub(crate) shown: ShownPages,
}

pub(crate) fn confusion(scores: &[f32], labels: &[bool]) -> Confusion {
    let mut confusion = Confusion::default();
    for (score, label) in scores.iter().zip(labels) {
        confusion.add(*score > CUT, *label);
    }
    confusion
}

pub(crate) fn link_rows(side: &[DrawnPage<'_>]) -> Vec<PageRows<PaperLinks>> {
    side.iter()
        .map(|drawn| PageRows { x: drawn.links.rows.clone(), y: drawn.links.is_next.clone() })
        .collect()
}

/// Removes the last column, which is `LinkSimilarity` of links and the distance of elements.
fn without_last<S: Schema>(pages: Vec<PageRows<S>>) -> Vec<PageRows<WithoutLast<S>>> {
    pages.into_iter().map(|page| PageRows { x: page.x.without_last(), y: page.y }).collect()
}

/// The link from which the distance of elements is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Distance<'a> {
    Labelled,
    /// Of all links that this model predicts, the first tag on the page. A page without any takes the median of the other
    /// pages (Hanamura 4.4).
    FirstPredicted(&'a FlatModel<PaperLinks>),
    /// The link that this model predicts with the highest score, if that is above [`CUT`].
    BestPredicted(&'a FlatModel<PaperLinks>),
}

impl Distance<'_> {
    fn link(self, drawn: &DrawnPage<'_>) -> Option<NodeId> {
        let links = drawn.links;
        match self {
            Distance::Labelled => drawn.content.next,
            Distance::FirstPredicted(model) => first_predicted(links, &model.score(&links.rows)),
            Distance::BestPredicted(model) => {
                let best = best_link(&model.score(&links.rows)).filter(|(_, score)| *score > CUT);
                best.map(|(candidate, _)| links.first_tags[candidate])
            }
        }
    }
}

fn first_predicted(links: &LinkExample, scores: &[f32]) -> Option<NodeId> {
    let predicted = links.first_tags.iter().zip(scores).filter(|(_, score)| **score > CUT);
    predicted.map(|(tag, _)| *tag).min()
}

/// Returns the element rows of pages. `median` is the distance for a page without a link; that of
/// [`Distance::FirstPredicted`] is the median of these pages, if one of them has a predicted link.
pub(crate) fn content_rows(
    side: &[DrawnPage<'_>],
    distance: Distance<'_>,
    median: f32,
) -> Result<Vec<PageRows<PaperContent>>, TrainError> {
    let links: Vec<Option<NodeId>> = side.iter().map(|drawn| distance.link(drawn)).collect();
    let median = match distance {
        Distance::FirstPredicted(_) if links.iter().any(Option::is_some) => {
            median_distance_to(side.iter().map(|drawn| drawn.content).zip(links.iter().copied()))
        }
        _ => median,
    };
    let rows = side.iter().zip(links).map(|(drawn, link)| Ok(element_rows(drawn.content, link, median)?));
    rows.collect()
}

pub(crate) fn score<S: Schema>(model: &FlatModel<S>, pages: &[PageRows<S>]) -> (Vec<f32>, Vec<bool>) {
    let scores = pages.iter().flat_map(|page| model.score(&page.x)).collect();
    (scores, pages.iter().flat_map(|page| page.y.iter().copied()).collect())
}

pub(crate) fn run_split(
    sets: &[DataSet],
    sides: &Sides<'_>,
    seed: u64,
    libraries: bool,
    clock: &dyn Fn() -> Duration,
) -> Result<SplitResult, TrainError> {
    let balancing = Balancing::PUBLISHED;
    let others = if libraries { OF_LIBRARIES.as_slice() } else { &[] };
    let test = link_rows(&sides.test);
    let train = balance_link_rows(&link_rows(&sides.train), balancing, seed)?;
    let mut links = vec![MethodResult::of_rule(link_baseline(&sides.test, |links| &links.by_text))];
    let mut link_forest = None;
    let learn = |algorithm| measure(algorithm, (&train, link_seed(seed)), &test, clock);
    for algorithm in OF_THESIS {
        let (model, result) = learn(algorithm)?;
        links.push(result);
        if algorithm == Algorithm::Forest {
            link_forest = Some(model);
        }
    }
    let fewer = balance_link_rows(&without_last(link_rows(&sides.train)), balancing, seed)?;
    let fewer_test = without_last(link_rows(&sides.test));
    links.push(measure(Algorithm::Forest, (&fewer, link_seed(seed)), &fewer_test, clock)?.1);
    links.push(MethodResult::of_rule(link_baseline(&sides.test, |links| &links.by_capitals)));
    for algorithm in others {
        links.push(learn(*algorithm)?.1);
    }

    let median = median_distance(sides.train.iter().map(|drawn| drawn.content));
    let rows_of = |side, distance| content_rows(side, distance, median);
    let test = rows_of(&sides.test, Distance::Labelled)?;
    let train_rows = rows_of(&sides.train, Distance::Labelled)?;
    let train = balance_content_rows(&train_rows, balancing, seed)?;
    let mut content = vec![MethodResult::of_rule(content_baseline(&sides.test, KatoReading::Below))];
    let mut with_predicted = Vec::new();
    let learn = |algorithm| measure(algorithm, (&train, content_seed(seed)), &test, clock);
    for algorithm in OF_THESIS {
        let (model, result) = learn(algorithm)?;
        content.push(result);
        if let (Algorithm::Forest, Some(links)) = (algorithm, &link_forest) {
            for distance in [Distance::FirstPredicted(links), Distance::BestPredicted(links)] {
                let predicted = rows_of(&sides.test, distance)?;
                with_predicted.push(MethodResult::of_scores(score(&model, &predicted)));
            }
        }
    }
    let shown_rows = test.iter().map(|page| page.x.clone()).collect::<Vec<_>>();
    let fewer = balance_content_rows(&without_last(train_rows), balancing, seed)?;
    let fewer_test = without_last(rows_of(&sides.test, Distance::Labelled)?);
    for algorithm in OF_THESIS {
        content.push(measure(algorithm, (&fewer, content_seed(seed)), &fewer_test, clock)?.1);
    }
    content.extend(with_predicted);
    for algorithm in others {
        content.push(learn(*algorithm)?.1);
    }

    let worst_links = worst_links(sets, &sides.test, &links[FOREST].scores);
    let worst_content = worst_content(sets, &sides.test, &content[FOREST].scores);
    let shown =
        ShownPages::of(sets, &sides.test, &shown_rows, &content[FOREST].scores, &content[NO_DISTANCE].scores);
    Ok(SplitResult {
        train: count(&sides.train),
        test: count(&sides.test),
        links,
        content,
        kato: KatoReading::ALL.map(|reading| content_baseline(&sides.test, reading)).to_vec(),
        worst_links,
        worst_content,
        shown,
    })
}

fn link_baseline(test: &[DrawnPage<'_>], found: fn(&LinkExample) -> &[bool]) -> Confusion {
    let mut confusion = Confusion::default();
    for drawn in test {
        for (found, label) in found(drawn.links).iter().zip(&drawn.links.is_next) {
            confusion.add(*found, *label);
        }
    }
    confusion
}

named_enum! {
    /// A reading of Kato's rule as the thesis uses it.
    pub(crate) enum KatoReading, name -> &'static str {
        Below: "all elements below the node (the baseline)",
        Alone: "the node alone",
    }
}

impl KatoReading {
    /// Returns `true` if an element counts as content, given the node that the rule takes.
    fn takes(self, page: &Page, node: NodeId, id: NodeId) -> bool {
        match self {
            KatoReading::Below => node != id && page.contains(node, id),
            KatoReading::Alone => node == id,
        }
    }
}

fn content_baseline(test: &[DrawnPage<'_>], reading: KatoReading) -> Confusion {
    let mut confusion = Confusion::default();
    for drawn in test {
        let page = &drawn.content.page;
        let node = kato(page);
        for id in page.elements() {
            let found = node.is_some_and(|node| reading.takes(page, node, id));
            confusion.add(found, drawn.content.gold.binary_search(&id).is_ok());
        }
    }
    confusion
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_all_predicted_links_the_first_tag_counts() {
        let page = Page::from_text("<a href=x>", &"https://a.test/".parse().unwrap());
        let tags: Vec<NodeId> = page.elements().collect();
        let links = LinkExample { first_tags: vec![tags[2], tags[1], tags[0]], ..LinkExample::default() };
        // A later one may have the higher score.
        assert_eq!(first_predicted(&links, &[0.9, 0.6, 0.5]), Some(tags[1]));
        assert_eq!(first_predicted(&links, &[0.9, 0.5, 0.1]), Some(tags[2]));
        assert_eq!(first_predicted(&links, &[0.5, 0.5, 0.1]), None, "half is not above half");
    }

    #[test]
    fn readings_of_katos_rule() {
        // Text: 6 + 2 = 8 characters.
        let html = "<div><p>abc</p><p>def</p></div><i>gh</i>";
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let taken = |reading: KatoReading| {
            let node = kato(&page).unwrap();
            let taken = page.elements().filter(|id| reading.takes(&page, node, *id));
            taken.map(|id| page.tag(id)).collect::<Vec<_>>()
        };
        assert_eq!(KatoReading::ALL.map(taken), [vec!["p", "p"], vec!["div"]]);
    }
}
