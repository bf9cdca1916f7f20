//! Runs the experiment.

use super::choices::{self, ChoiceEffect};
use super::examples::PaperExamples;
use super::methods::{MethodResult, SplitResult, run_split};
use super::parallel::in_parallel;
use super::split::{FEWEST_SITES, divide, draw};
use crate::dataset::DataSet;
use crate::train_error::TrainError;
use std::time::Duration;
use tsugi_learning::Confusion;

/// The number of splits, and their seeds.
#[derive(Debug, Clone, Copy)]
pub struct PaperPlan {
    /// The seed of the single split; the others follow it.
    pub seed: u64,
    /// Number of splits, at least 1.
    pub splits: usize,
    /// Number of splits on which the effect of choices is measured; 0 skips them.
    pub choice_splits: usize,
}

/// A method over all splits.
#[derive(Debug, Clone, Default)]
pub(crate) struct Repeats {
    /// Found against labelled, by split.
    pub(crate) confusions: Vec<Confusion>,
    /// Training time of all splits together; `None` if nothing was trained for this method.
    pub(crate) time: Option<Duration>,
}

impl Repeats {
    /// Adds the methods of one split, in their order.
    fn add(all: &mut Vec<Repeats>, split: &[MethodResult]) {
        all.resize_with(split.len(), Repeats::default);
        for (repeats, method) in all.iter_mut().zip(split) {
            repeats.confusions.push(method.confusion);
            repeats.time = method.cost.map(|cost| repeats.time.unwrap_or_default() + cost.time);
        }
    }
}

/// The results of the experiment.
#[derive(Debug)]
pub struct PaperResult {
    /// The single split.
    pub(crate) single: SplitResult,
    /// By method of [`LINK_METHODS`](super::methods::LINK_METHODS): all splits, the single one first.
    pub(crate) links: Vec<Repeats>,
    /// The same of [`CONTENT_METHODS`](super::methods::CONTENT_METHODS).
    pub(crate) content: Vec<Repeats>,
    /// The effect of each choice that the thesis leaves open.
    pub(crate) choices: Vec<ChoiceEffect>,
}

/// Runs the experiment. `clock` says how much time has passed; `progress` is called after every split.
///
/// # Errors
///
/// [`TrainError`] if too few pages have both labels.
///
/// # Determinism
///
/// Equal data and plan give equal results, but for training times. Two splits run at the same time.
pub fn run_paper(
    sets: &[DataSet],
    examples: &PaperExamples,
    plan: PaperPlan,
    clock: &(impl Fn() -> Duration + Sync),
    progress: &(impl Fn() + Sync),
) -> Result<PaperResult, TrainError> {
    let drawn = draw(examples, plan.seed);
    if drawn.len() < FEWEST_SITES {
        return Err(TrainError::TooFewSites { found: drawn.len(), needed: FEWEST_SITES });
    }
    let single = run_split(sets, &divide(&drawn, plan.seed), plan.seed, clock)?;
    progress();
    let (mut links, mut content) = (Vec::new(), Vec::new());
    Repeats::add(&mut links, &single.links);
    Repeats::add(&mut content, &single.content);
    let rest: Vec<u64> = (1..plan.splits.max(1) as u64).map(|step| plan.seed.wrapping_add(step)).collect();
    let results = in_parallel(&rest, |seed| {
        // Each split also draws its own page for each website.
        let drawn = draw(examples, *seed);
        let result = run_split(sets, &divide(&drawn, *seed), *seed, clock);
        progress();
        result
    });
    for result in results {
        let result = result?;
        Repeats::add(&mut links, &result.links);
        Repeats::add(&mut content, &result.content);
    }
    let seeds: Vec<u64> = (0..plan.choice_splits as u64).map(|step| plan.seed.wrapping_add(step)).collect();
    let choices = choices::measure(examples, &seeds, progress)?;
    Ok(PaperResult { single, links, content, choices })
}
