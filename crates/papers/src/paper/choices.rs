//! Measures the choices that the thesis leaves open.

use super::examples::PaperExamples;
use super::methods::{Distance, confusion, content_rows, link_rows, score};
use super::parallel::in_parallel;
use super::readings::{Reading, read_content, read_links};
use super::recipe::{Balancing, PageRows, fit_content_rows, fit_link_rows, median_distance};
use super::split::{DrawnPage, PagePool, Sides, divide, draw};
use std::num::NonZeroUsize;
use tsugi_learning::{Confusion, LabelledRows};
use tsugi_scoring::{
    Algorithm, BoostedParams, ColumnsPerSplit, FlatModel, ForestParams, Params, Schema, TreeParams,
};
use tsugi_training::random::mix;
use tsugi_training::train_error::TrainError;

/// A learner whose parameters differ from ours.
#[derive(Debug, Clone, Copy)]
enum OtherLearner {
    Tree(fn(&mut TreeParams)),
    Forest(fn(&mut ForestParams)),
    Boosted(fn(&mut BoostedParams)),
    /// Each split takes the parameters that are best on its training side.
    ForestBySearch,
    BoostedBySearch,
}

impl OtherLearner {
    fn algorithm(self) -> Algorithm {
        match self {
            OtherLearner::Tree(_) => Algorithm::Tree,
            OtherLearner::Forest(_) | OtherLearner::ForestBySearch => Algorithm::Forest,
            OtherLearner::Boosted(_) | OtherLearner::BoostedBySearch => Algorithm::Boosted,
        }
    }

    /// The parameters to choose from; of equally good ones the first is taken.
    fn params(self) -> Vec<Params> {
        match self {
            OtherLearner::Tree(change) => vec![Params::Tree(changed(change))],
            OtherLearner::Forest(change) => vec![Params::Forest(changed(change))],
            OtherLearner::Boosted(change) => vec![Params::Boosted(changed(change))],
            OtherLearner::ForestBySearch => {
                let columns = [ColumnsPerSplit::SquareRoot, ColumnsPerSplit::Count(5)];
                let pairs = columns.into_iter().flat_map(|columns| [1, 5, 20].map(|leaf| (columns, leaf)));
                let forest = |(columns_per_split, min_samples_leaf)| {
                    Params::Forest(ForestParams {
                        columns_per_split,
                        min_samples_leaf,
                        ..ForestParams::default()
                    })
                };
                pairs.map(forest).collect()
            }
            OtherLearner::BoostedBySearch => {
                let pairs =
                    [200, 50, 100].into_iter().flat_map(|trees| [16, 4].map(|leaves| (trees, leaves)));
                let boosted = |(trees, leaves)| {
                    Params::Boosted(BoostedParams { trees, leaves, ..BoostedParams::default() })
                };
                pairs.map(boosted).collect()
            }
        }
    }
}

fn changed<P: Default>(change: fn(&mut P)) -> P {
    let mut params = P::default();
    change(&mut params);
    params
}

#[derive(Debug, Clone, Copy)]
struct Choice {
    name: &'static str,
    learner: OtherLearner,
    balancing: Balancing,
    ties_count: bool,
    reading: Option<Reading>,
}

const fn neighbours(count: usize) -> Balancing {
    Balancing { neighbours: NonZeroUsize::new(count).expect("a number above 0"), ..Balancing::PUBLISHED }
}

const fn learner(name: &'static str, learner: OtherLearner) -> Choice {
    Choice { name, learner, balancing: Balancing::PUBLISHED, ties_count: false, reading: None }
}

const fn tree(name: &'static str, change: fn(&mut TreeParams)) -> Choice {
    learner(name, OtherLearner::Tree(change))
}

const fn forest(name: &'static str, change: fn(&mut ForestParams)) -> Choice {
    learner(name, OtherLearner::Forest(change))
}

const fn boosted(name: &'static str, change: fn(&mut BoostedParams)) -> Choice {
    learner(name, OtherLearner::Boosted(change))
}

const FOREST: Choice = forest("", |_| {});

const fn reading(name: &'static str, reading: Reading) -> Choice {
    Choice { name, reading: Some(reading), ..FOREST }
}

/// Our choices, by learner.
const OURS: [Choice; 3] = [FOREST, tree("", |_| {}), boosted("", |_| {})];

const CHOICES: [Choice; 24] = [
    Choice { name: "SMOTE with 3 neighbours (ours: 5)", balancing: neighbours(3), ..FOREST },
    Choice { name: "SMOTE with 10 neighbours", balancing: neighbours(10), ..FOREST },
    Choice {
        name: "SMOTE's distances divided by standard deviations (ours: plain, as Chawla et al.)",
        balancing: Balancing { scaled: true, ..Balancing::PUBLISHED },
        ..FOREST
    },
    Choice { name: "no balancing", balancing: Balancing { on: false, ..Balancing::PUBLISHED }, ..FOREST },
    reading("equation 3.2 divides by the page's markup (ours: by its text)", Reading::AddressByMarkup),
    reading("punctuation is 、。，． alone (ours: Unicode's category P)", Reading::JapaneseMarks),
    reading(
        "equation 3.7 is the sum of siblings' densities (ours: their text ÷ their elements)",
        Reading::DensitySum,
    ),
    reading("equation 3.7 is the mean of siblings' densities", Reading::DensityMean),
    forest("forest of 30 trees (ours: 100)", |p| p.trees = 30),
    forest("forest of 300 trees", |p| p.trees = 300),
    forest("forest, all columns at each split (ours: square root)", |p| {
        p.columns_per_split = ColumnsPerSplit::All;
    }),
    forest("forest, at least 5 rows a leaf (ours: 1)", |p| p.min_samples_leaf = 5),
    forest("forest, at most 10 splits deep (ours: unlimited)", |p| p.max_depth = Some(10)),
    Choice { name: "a score of exactly .5 counts (ours: it does not)", ties_count: true, ..FOREST },
    tree("tree, at most 10 splits deep (ours: unlimited)", |p| p.max_depth = Some(10)),
    tree("tree, at least 5 rows a leaf (ours: 1)", |p| p.min_samples_leaf = 5),
    boosted("boosting, 50 trees (ours: 200)", |p| p.trees = 50),
    boosted("boosting, 100 trees", |p| p.trees = 100),
    boosted("boosting, trees of 4 leaves (ours: 16)", |p| p.leaves = 4),
    boosted("boosting, at a rate of .05 (ours: .1)", |p| p.learning_rate = 0.05),
    boosted("boosting, at least 5 rows a leaf (ours: 20)", |p| p.min_leaf_rows = 5),
    boosted("boosting, no penalty on large values (ours: 1)", |p| p.l2 = 0.0),
    learner("forest, parameters by inner search", OtherLearner::ForestBySearch),
    learner("boosting, parameters by inner search", OtherLearner::BoostedBySearch),
];

/// The effect of an alternative: its F minus ours, by split.
#[derive(Debug, Clone)]
pub(crate) struct ChoiceEffect {
    pub(crate) name: &'static str,
    pub(crate) links: Vec<f64>,
    pub(crate) content: Vec<f64>,
}

pub(crate) fn measure(
    examples: &PaperExamples,
    seeds: &[u64],
    progress: &(impl Fn() + Sync),
) -> Result<Vec<ChoiceEffect>, TrainError> {
    let by_split = in_parallel(seeds, |seed| {
        let effects = measure_split(examples, *seed);
        progress();
        effects
    });
    let mut effects: Vec<ChoiceEffect> = CHOICES
        .iter()
        .map(|choice| ChoiceEffect { name: choice.name, links: Vec::new(), content: Vec::new() })
        .collect();
    for split in by_split {
        for (effect, (links, content)) in effects.iter_mut().zip(split?) {
            effect.links.push(links);
            effect.content.push(content);
        }
    }
    Ok(effects)
}

/// Returns, by choice, the difference of F to ours, of links and of content.
fn measure_split(examples: &PaperExamples, seed: u64) -> Result<Vec<(f64, f64)>, TrainError> {
    let drawn = draw(examples, PagePool::All, seed);
    let sides = divide(&drawn, seed);
    let figures_of = |choice: &Choice| Ok((choice.learner.algorithm(), figures(&sides, choice, seed)?));
    let ours = OURS.iter().map(figures_of).collect::<Result<Vec<_>, TrainError>>()?;
    let difference = |choice: &Choice| {
        let (algorithm, theirs) = figures_of(choice)?;
        let known = ours.iter().find(|(known, _)| *known == algorithm);
        let (_, ours) = known.ok_or(TrainError::NoExamples("next and content"))?;
        Ok((theirs.0 - ours.0, theirs.1 - ours.1))
    };
    CHOICES.iter().map(difference).collect()
}

fn figures(sides: &Sides<'_>, choice: &Choice, seed: u64) -> Result<(f64, f64), TrainError> {
    let balancing = choice.balancing;
    let f1 = |(mut scores, labels): (Vec<f32>, Vec<bool>)| {
        if choice.ties_count {
            for score in &mut scores {
                *score = score.next_up();
            }
        }
        confusion(&scores, &labels).f1()
    };
    let links_of = |side: &[DrawnPage<'_>]| read_links(side, link_rows(side), choice.reading);
    let links = Searched {
        params: choice.learner.params(),
        fit: |rows: &[PageRows<_>], params: &Params| fit_link_rows(rows, params, balancing, seed),
        seed,
    };
    let links = links.fit(&sides.train, &links_of(&sides.train)?)?;
    let of_links = f1(score(&links, &links_of(&sides.test)?));
    let median = median_distance(sides.train.iter().map(|drawn| drawn.content));
    let content = Searched {
        params: choice.learner.params(),
        fit: |rows: &[PageRows<_>], params: &Params| fit_content_rows(rows, params, balancing, seed),
        seed,
    };
    let content_of = |side: &[DrawnPage<'_>]| {
        read_content(side, content_rows(side, Distance::Labelled, median)?, choice.reading)
    };
    let content = content.fit(&sides.train, &content_of(&sides.train)?)?;
    Ok((of_links, f1(score(&content, &content_of(&sides.test)?))))
}

/// Number of parts of the training side in the inner search.
const INNER_FOLDS: u64 = 3;

/// A learner whose parameters are chosen on the training side.
struct Searched<Fit> {
    params: Vec<Params>,
    fit: Fit,
    seed: u64,
}

impl<Fit> Searched<Fit> {
    /// Fits the best parameters to the pages: those with the best F over the websites of each part, by models of the other
    /// parts; of equals the first.
    fn fit<S: Schema>(
        &self,
        side: &[DrawnPage<'_>],
        pages: &[PageRows<S>],
    ) -> Result<FlatModel<S>, TrainError>
    where
        Fit: Fn(&[PageRows<S>], &Params) -> Result<(FlatModel<S>, LabelledRows<S>), TrainError>,
    {
        let mut best: Option<(f64, &Params)> = None;
        for params in &self.params {
            if self.params.len() == 1 {
                best = Some((0.0, params));
                break;
            }
            let mut all = Confusion::default();
            for fold in 0..INNER_FOLDS {
                let (mut train, mut held) = (Vec::new(), Vec::new());
                for (drawn, rows) in side.iter().zip(pages) {
                    let is_held = mix(self.seed, drawn.page.group) % INNER_FOLDS == fold;
                    let target = if is_held { &mut held } else { &mut train };
                    target.push(PageRows { x: rows.x.clone(), y: rows.y.clone() });
                }
                let (scores, labels) = score(&(self.fit)(&train, params)?.0, &held);
                all += confusion(&scores, &labels);
            }
            if best.is_none_or(|(f1, _)| all.f1() > f1) {
                best = Some((all.f1(), params));
            }
        }
        let (_, params) = best.ok_or(TrainError::NoExamples("next and content"))?;
        Ok((self.fit)(pages, params)?.0)
    }
}
