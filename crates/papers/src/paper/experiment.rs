//! Runs the experiment.

use super::choices::{self, ChoiceEffect};
use super::examples::PaperExamples;
use super::methods::{MethodResult, SplitResult, run_split};
use super::parallel::in_parallel;
use super::split::{FEWEST_SITES, PagePool, SideCounts, can_be_drawn, divide, draw};
use std::collections::BTreeSet;
use std::time::Duration;
use tsugi_learning::Confusion;
use tsugi_training::dataset::DataSet;
use tsugi_training::train_error::TrainError;

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

#[derive(Debug, Clone, Default)]
pub(crate) struct Repeats {
    pub(crate) confusions: Vec<Confusion>,
    /// Training time of all splits together; `None` if nothing was trained for this method.
    pub(crate) time: Option<Duration>,
}

impl Repeats {
    fn add(all: &mut Vec<Repeats>, split: &[MethodResult]) {
        all.resize_with(split.len(), Repeats::default);
        for (repeats, method) in all.iter_mut().zip(split) {
            repeats.confusions.push(method.confusion);
            repeats.time = method.cost.map(|cost| repeats.time.unwrap_or_default() + cost.time);
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Splits {
    /// By method of [`LINK_METHODS`](super::methods::LINK_METHODS): all splits, the single one first.
    pub(crate) links: Vec<Repeats>,
    /// The same of [`CONTENT_METHODS`](super::methods::CONTENT_METHODS).
    pub(crate) content: Vec<Repeats>,
    /// By split and [`KatoReading`](super::methods::KatoReading).
    pub(crate) kato: Vec<Vec<Confusion>>,
}

impl Splits {
    fn of(results: &[SplitResult]) -> Splits {
        let mut splits = Splits::default();
        for split in results {
            Repeats::add(&mut splits.links, &split.links);
            Repeats::add(&mut splits.content, &split.content);
            splits.kato.push(split.kato.clone());
        }
        splits
    }
}

/// The experiment on other pages, without the learners of other libraries.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) pool: PagePool,
    /// Sizes of the sides of the first split.
    pub(crate) sides: [SideCounts; 2],
    pub(crate) splits: Splits,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SetCounts {
    pub(crate) name: String,
    pub(crate) pages: usize,
    pub(crate) sites: usize,
}

/// The results of the experiment.
#[derive(Debug)]
pub struct PaperResult {
    pub(crate) sets: Vec<SetCounts>,
    pub(crate) single: SplitResult,
    pub(crate) splits: Splits,
    /// The experiment on fewer pages; pools of too few websites are left out.
    pub(crate) variants: Vec<Variant>,
    /// The effect of each choice that the thesis leaves open.
    pub(crate) choices: Vec<ChoiceEffect>,
}

/// Runs the experiment. `clock` says how much time has passed; `progress` is called after every split: `splits` times for
/// each pool of pages, and `choice_splits` times.
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
    let seeds =
        |count: usize| -> Vec<u64> { (0..count as u64).map(|step| plan.seed.wrapping_add(step)).collect() };
    let split_seeds = seeds(plan.splits.max(1));
    let run = |pool: PagePool, seeds: &[u64]| -> Result<Vec<SplitResult>, TrainError> {
        let results = in_parallel(seeds, |seed| {
            // Each split also draws its own page for each website.
            let drawn = draw(examples, pool, *seed);
            if drawn.len() < FEWEST_SITES {
                return Err(TrainError::TooFewSites { found: drawn.len(), needed: FEWEST_SITES });
            }
            let result = run_split(sets, &divide(&drawn, *seed), *seed, pool == PagePool::All, clock);
            progress();
            result
        });
        results.into_iter().collect()
    };
    // Alone, so that its times are those of one split.
    let mut results = run(PagePool::All, &split_seeds[..1])?;
    results.extend(run(PagePool::All, &split_seeds[1..])?);
    let splits = Splits::of(&results);
    let single = results.swap_remove(0);
    let mut variants = Vec::new();
    for pool in [PagePool::Wedata, PagePool::First] {
        let results = match run(pool, &split_seeds) {
            Err(TrainError::TooFewSites { .. }) => continue,
            results => results?,
        };
        let sides = [results[0].train, results[0].test];
        variants.push(Variant { pool, sides, splits: Splits::of(&results) });
    }
    let choices = choices::measure(examples, &seeds(plan.choice_splits), progress)?;
    Ok(PaperResult { sets: count_sets(sets, examples), single, splits, variants, choices })
}

fn count_sets(sets: &[DataSet], examples: &PaperExamples) -> Vec<SetCounts> {
    let count = |(place, set): (usize, &DataSet)| {
        let pages: Vec<_> =
            examples.pages.iter().filter(|page| page.set == place && can_be_drawn(page)).collect();
        let sites: BTreeSet<usize> = pages.iter().map(|page| page.group).collect();
        SetCounts { name: set.name.clone(), pages: pages.len(), sites: sites.len() }
    };
    sets.iter().enumerate().map(count).collect()
}
