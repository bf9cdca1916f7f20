//! Measures the choices that the thesis leaves open.

use super::examples::PaperExamples;
use super::methods::{Distance, confusion, content_rows, link_rows, score};
use super::parallel::in_parallel;
use super::recipe::{Balancing, fit_content_rows, fit_link_rows, median_distance};
use super::split::{Sides, divide, draw};
use crate::train_error::TrainError;
use std::num::NonZeroUsize;
use tsugi_learning::{Algorithm, ColumnsPerSplit, ForestParams, Params, TreeParams};

/// An alternative to one of our choices.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice {
    /// The choice and its alternative, for tables.
    pub(crate) name: &'static str,
    /// The learner that it is compared with.
    pub(crate) against: Algorithm,
    params: fn() -> Params,
    neighbours: usize,
    balanced: bool,
    ties_count: bool,
}

const FOREST: Choice = Choice {
    name: "",
    against: Algorithm::Forest,
    params: || Params::of(Algorithm::Forest),
    neighbours: 5,
    balanced: true,
    ties_count: false,
};

fn forest(change: impl FnOnce(&mut ForestParams)) -> Params {
    let mut params = ForestParams::default();
    change(&mut params);
    Params::Forest(params)
}

/// The choices whose effect is measured.
pub(crate) const CHOICES: [Choice; 11] = [
    Choice { name: "SMOTE with 3 neighbours (ours: 5)", neighbours: 3, ..FOREST },
    Choice { name: "SMOTE with 10 neighbours", neighbours: 10, ..FOREST },
    Choice { name: "no balancing", balanced: false, ..FOREST },
    Choice { name: "forest of 30 trees (ours: 100)", params: || forest(|p| p.trees = 30), ..FOREST },
    Choice { name: "forest of 300 trees", params: || forest(|p| p.trees = 300), ..FOREST },
    Choice {
        name: "forest, all columns at each split (ours: square root)",
        params: || forest(|p| p.columns_per_split = ColumnsPerSplit::All),
        ..FOREST
    },
    Choice {
        name: "forest, at least 5 rows a leaf (ours: 1)",
        params: || forest(|p| p.min_samples_leaf = 5),
        ..FOREST
    },
    Choice {
        name: "forest, at most 10 splits deep (ours: unlimited)",
        params: || forest(|p| p.max_depth = Some(10)),
        ..FOREST
    },
    Choice { name: "a score of exactly .5 counts (ours: it does not)", ties_count: true, ..FOREST },
    Choice {
        name: "tree, at most 10 splits deep (ours: unlimited)",
        against: Algorithm::Tree,
        params: || Params::Tree(TreeParams { max_depth: Some(10), ..TreeParams::default() }),
        ..FOREST
    },
    Choice {
        name: "tree, at least 5 rows a leaf (ours: 1)",
        against: Algorithm::Tree,
        params: || Params::Tree(TreeParams { min_samples_leaf: 5, ..TreeParams::default() }),
        ..FOREST
    },
];

/// The effect of an alternative: its F minus ours, by split.
#[derive(Debug, Clone)]
pub(crate) struct ChoiceEffect {
    /// The choice.
    pub(crate) name: &'static str,
    /// For links.
    pub(crate) links: Vec<f64>,
    /// For content.
    pub(crate) content: Vec<f64>,
}

/// Measures every choice on the splits of some seeds, each against ours on the same split.
pub(crate) fn measure(
    examples: &PaperExamples,
    seeds: &[u64],
    progress: &(impl Fn() + Sync),
) -> Result<Vec<ChoiceEffect>, TrainError> {
    let by_split = in_parallel(seeds, |seed| {
        let drawn = draw(examples, *seed);
        let sides = divide(&drawn, *seed);
        let ours = [Algorithm::Forest, Algorithm::Tree].map(|algorithm| {
            let choice = Choice { against: algorithm, ..FOREST };
            figures(&sides, &choice, &Params::of(algorithm), *seed)
        });
        let mut effects = Vec::new();
        for choice in &CHOICES {
            let ours = &ours[usize::from(choice.against == Algorithm::Tree)];
            let theirs = figures(&sides, choice, &(choice.params)(), *seed);
            effects.push(match (ours, theirs) {
                (Ok(ours), Ok(theirs)) => Ok((theirs.0 - ours.0, theirs.1 - ours.1)),
                (_, Err(error)) => Err(error),
                (Err(_), Ok(_)) => Err(TrainError::NoExamples("next and content")),
            });
        }
        progress();
        effects
    });
    let mut effects: Vec<ChoiceEffect> = CHOICES
        .iter()
        .map(|choice| ChoiceEffect { name: choice.name, links: Vec::new(), content: Vec::new() })
        .collect();
    for split in by_split {
        for (effect, difference) in effects.iter_mut().zip(split) {
            let (links, content) = difference?;
            effect.links.push(links);
            effect.content.push(content);
        }
    }
    Ok(effects)
}

/// Returns F of links and of content on one split.
fn figures(sides: &Sides<'_>, choice: &Choice, params: &Params, seed: u64) -> Result<(f64, f64), TrainError> {
    let balancing = Balancing {
        neighbours: NonZeroUsize::new(choice.neighbours).unwrap_or(NonZeroUsize::MIN),
        on: choice.balanced,
    };
    let f1 = |scores: &mut Vec<f32>, labels: &[bool]| {
        if choice.ties_count {
            for score in scores.iter_mut() {
                *score = score.next_up();
            }
        }
        confusion(scores, labels).f1()
    };
    let (model, _) = fit_link_rows(&link_rows(&sides.train, true)?, params, balancing, seed)?;
    let (mut scores, labels) = score(&model, &link_rows(&sides.test, true)?);
    let links = f1(&mut scores, &labels);
    let median = median_distance(sides.train.iter().map(|drawn| drawn.content));
    let train = content_rows(&sides.train, Distance::Labelled, median)?;
    let (model, _) = fit_content_rows(&train, params, balancing, seed)?;
    let (mut scores, labels) = score(&model, &content_rows(&sides.test, Distance::Labelled, median)?);
    Ok((links, f1(&mut scores, &labels)))
}
