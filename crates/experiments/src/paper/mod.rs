//! The thesis' experiment: one page a website, 8:2 by website, link by link and node by node.
//!
//! # Source
//!
//! Hanamura (2020), chapter 4. Numbers of tables and figures are the thesis'.

mod choices;
mod errors;
mod methods;
pub(crate) mod report;
mod split;

pub use choices::{CHOICES, Choice, ChoiceEffect};
pub use errors::WorstPage;
pub use methods::{CONTENT_METHODS, LINK_METHODS, Method, MethodResult};

use crate::dataset::DataSet;
use crate::examples::Examples;
use crate::recipe::TrainError;
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

/// What one side of a split holds (tables 4.1 and 4.2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SideCounts {
    /// Websites, and pages.
    pub sites: usize,
    /// Links: candidates, addresses that tags lead to.
    pub links: u64,
    /// Those that lead to the next page.
    pub next_links: u64,
    /// Elements.
    pub nodes: u64,
    /// Those that are content.
    pub content_nodes: u64,
}

/// The results of one split, in full.
#[derive(Debug)]
pub struct SplitResult {
    /// What the training side holds.
    pub train: SideCounts,
    /// What the test side holds.
    pub test: SideCounts,
    /// Link by link, in the order of [`LINK_METHODS`].
    pub links: Vec<MethodResult>,
    /// Node by node, in the order of [`CONTENT_METHODS`].
    pub content: Vec<MethodResult>,
    /// The pages on which the forest is worst at links.
    pub worst_links: Vec<WorstPage>,
    /// The pages on which the forest is worst at content.
    pub worst_content: Vec<WorstPage>,
}

/// Precision, recall, F of every method, by split.
#[derive(Debug, Default)]
pub struct Repeats {
    /// By method of [`LINK_METHODS`], by split.
    pub links: Vec<Vec<Confusion>>,
    /// By method of [`CONTENT_METHODS`], by split.
    pub content: Vec<Vec<Confusion>>,
}

/// The results of the experiment.
#[derive(Debug)]
pub struct PaperResult {
    /// The single split.
    pub single: SplitResult,
    /// All splits, the single one first.
    pub repeats: Repeats,
    /// What each choice that the thesis leaves open changes.
    pub choices: Vec<ChoiceEffect>,
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
    examples: &Examples,
    plan: PaperPlan,
    progress: &(impl Fn() + Sync),
) -> Result<PaperResult, TrainError> {
    let drawn = split::draw(examples, plan.seed);
    if drawn.len() < split::FEWEST_SITES {
        return Err(TrainError::TooFewSites { found: drawn.len(), needed: split::FEWEST_SITES });
    }
    let single = methods::run_split(sets, &split::divide(&drawn, plan.seed), plan.seed)?;
    progress();
    let mut repeats = Repeats {
        links: single.links.iter().map(|method| vec![method.confusion]).collect(),
        content: single.content.iter().map(|method| vec![method.confusion]).collect(),
    };
    let rest: Vec<u64> = (1..plan.splits.max(1) as u64).map(|step| plan.seed.wrapping_add(step)).collect();
    let results = in_parallel(&rest, |seed| {
        // Which page stands for a website is drawn anew as well.
        let drawn = split::draw(examples, *seed);
        let result = methods::run_split(sets, &split::divide(&drawn, *seed), *seed);
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
    let choices = choices::measure(examples, plan, progress)?;
    Ok(PaperResult { single, repeats, choices })
}

/// Applies a function to all items on two threads; results come in the order of items.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], apply: impl Fn(&T) -> R + Sync) -> Vec<R> {
    const THREADS: usize = 2;
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let apply = &apply;
        let workers: Vec<_> = (0..THREADS)
            .map(|worker| {
                scope.spawn(move || {
                    let own = items.iter().enumerate().skip(worker).step_by(THREADS);
                    own.map(|(place, item)| (place, apply(item))).collect::<Vec<_>>()
                })
            })
            .collect();
        let joined = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.flatten().collect()
    });
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_results_keep_their_order() {
        let items: Vec<u32> = (0..7).collect();
        assert_eq!(in_parallel(&items, |item| item * item), [0, 1, 4, 9, 16, 25, 36]);
        assert!(in_parallel(&[] as &[u32], |item| *item).is_empty());
    }
}
