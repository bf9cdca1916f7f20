//! The experiment, run.

use super::choices::{self, ChoiceEffect};
use super::examples::PaperExamples;
use super::methods::{SplitResult, run_split};
use super::parallel::in_parallel;
use super::split::{FEWEST_SITES, divide, draw};
use crate::dataset::DataSet;
use crate::train_error::TrainError;
use tsugi_learning::Confusion;

/// How often, and with which seed.
#[derive(Debug, Clone, Copy)]
pub struct PaperPlan {
    /// The seed of the single split; the others follow it.
    pub seed: u64,
    /// Number of splits, at least 1.
    pub splits: usize,
    /// Number of splits on which the effect of choices is measured; 0: not at all.
    pub choice_splits: usize,
}

/// Precision, recall, F of every method, by split.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    /// By method of [`LINK_METHODS`], by split.
    pub(crate) links: Vec<Vec<Confusion>>,
    /// By method of [`CONTENT_METHODS`], by split.
    pub(crate) content: Vec<Vec<Confusion>>,
}

/// The results of the experiment.
#[derive(Debug)]
pub struct PaperResult {
    /// The single split.
    pub(crate) single: SplitResult,
    /// All splits, the single one first.
    pub(crate) repeats: Repeats,
    /// What each choice that the thesis leaves open changes.
    pub(crate) choices: Vec<ChoiceEffect>,
}

/// Runs the experiment; `progress` is told of every split.
///
/// # Errors
///
/// [`TrainError`] where too few pages have both labels.
///
/// # Determinism
///
/// Equal data and plan give equal results. Splits may run at the same time.
pub fn run_paper(
    sets: &[DataSet],
    examples: &PaperExamples,
    plan: PaperPlan,
    progress: &(impl Fn() + Sync),
) -> Result<PaperResult, TrainError> {
    let drawn = draw(examples, plan.seed);
    if drawn.len() < FEWEST_SITES {
        return Err(TrainError::TooFewSites { found: drawn.len(), needed: FEWEST_SITES });
    }
    let single = run_split(sets, &divide(&drawn, plan.seed), plan.seed)?;
    progress();
    let mut repeats = Repeats {
        links: single.links.iter().map(|method| vec![method.confusion]).collect(),
        content: single.content.iter().map(|method| vec![method.confusion]).collect(),
    };
    let rest: Vec<u64> = (1..plan.splits.max(1) as u64).map(|step| plan.seed.wrapping_add(step)).collect();
    let results = in_parallel(&rest, |seed| {
        // Which page stands for a website is drawn anew as well.
        let drawn = draw(examples, *seed);
        let result = run_split(sets, &divide(&drawn, *seed), *seed);
        progress();
        result
    });
    for result in results {
        let result = result?;
        for (all, method) in repeats.links.iter_mut().zip(&result.links) {
            all.push(method.confusion);
        }
        for (all, method) in repeats.content.iter_mut().zip(&result.content) {
            all.push(method.confusion);
        }
    }
    let seeds: Vec<u64> = (0..plan.choice_splits as u64).map(|step| plan.seed.wrapping_add(step)).collect();
    let choices = choices::measure(examples, &seeds, progress)?;
    Ok(PaperResult { single, repeats, choices })
}
