//! The likelihood of labelled sequences and its gradient, and the weights that maximise it, by L-BFGS.

use super::{CrfError, CrfFit};
use crate::chain::coding::Coded;
use crate::chain::marginals::{ChainStep, Marginals, Transitions, bounded};
use crate::chain::scores_of;

pub(super) struct Labelled<'a> {
    pub(super) coded: Coded,
    pub(super) labels: &'a [bool],
}

/// The loss of the weights: the negative log-likelihood of the labels plus the penalty.
///
/// Weights are those of attributes, `width` for each (one for each place of the window), then the four of transitions.
pub(super) struct Objective<'a> {
    pub(super) sequences: &'a [Labelled<'a>],
    pub(super) attributes: usize,
    /// Number of places of the window: `2 · reach + 1`.
    pub(super) width: usize,
    pub(super) l2: f64,
}

/// Number of sequences that are summed together. Sums are added in order, so threads change nothing.
const PART: usize = 64;

/// Fewest sequences for which a second thread saves time.
const WORTH_A_THREAD: usize = 4 * PART;

impl Objective<'_> {
    pub(super) fn weights(&self) -> usize {
        self.attributes * self.width + 4
    }

    /// Returns the loss, and writes its gradient to `gradient`.
    pub(super) fn evaluate(&self, weights: &[f64], gradient: &mut [f64]) -> f64 {
        let parts: Vec<&[Labelled<'_>]> = self.sequences.chunks(PART).collect();
        let sum = |parts: &[&[Labelled<'_>]]| -> Vec<(f64, Vec<f64>)> {
            parts.iter().map(|part| self.evaluate_part(weights, part)).collect()
        };
        let sums = if self.sequences.len() < WORTH_A_THREAD {
            sum(&parts)
        } else {
            let (first, second) = parts.split_at(parts.len() / 2);
            std::thread::scope(|scope| {
                let other = scope.spawn(|| sum(second));
                let mut all = sum(first);
                all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
                all
            })
        };
        let mut loss = 0.0;
        for (at, (slope, weight)) in gradient.iter_mut().zip(weights).enumerate() {
            // A transition has a weight for each pair of labels, an attribute one for both of its labels.
            let l2 = if at < self.attributes * self.width { self.l2 } else { 2.0 * self.l2 };
            loss += l2 * weight * weight;
            *slope = 2.0 * l2 * weight;
        }
        for (part_loss, part) in sums {
            loss += part_loss;
            for (slope, of_part) in gradient.iter_mut().zip(part) {
                *slope += of_part;
            }
        }
        loss
    }

    fn evaluate_part(&self, weights: &[f64], part: &[Labelled<'_>]) -> (f64, Vec<f64>) {
        let (of_attributes, of_transitions) = weights.split_at(self.attributes * self.width);
        let transitions = transitions_of(of_transitions);
        let mut gradient = vec![0.0; self.weights()];
        let (attribute_slopes, transition_slopes) = gradient.split_at_mut(of_attributes.len());
        let mut loss = 0.0;
        let (mut marginals, mut forward) = (Marginals::default(), Vec::<ChainStep>::new());
        let mut around = vec![0.0; self.width];
        for Labelled { coded, labels } in part {
            let scores = scores_of(coded, of_attributes, self.width);
            marginals.work_out(&scores, transitions, &mut forward);
            loss += marginals.log_sum - score_of(&scores, transitions, labels);
            // By place: how far the expected label lies above the true one.
            let excess = |at: usize| marginals.positive[at] - f64::from(u8::from(labels[at]));
            let reach = self.width / 2;
            for (at, attributes) in coded.rows().enumerate() {
                // What an attribute here adds to the place `offset` places on.
                for (offset, slope) in around.iter_mut().enumerate() {
                    let place = (at + reach).checked_sub(offset).filter(|place| *place < labels.len());
                    *slope = place.map_or(0.0, excess);
                }
                for attribute in attributes {
                    let slopes = &mut attribute_slopes[usize::from(*attribute) * self.width..][..self.width];
                    for (slope, excess) in slopes.iter_mut().zip(&around) {
                        *slope += excess;
                    }
                }
            }
            for (from, of_pairs) in marginals.pairs.iter().enumerate() {
                for (to, expected) in of_pairs.iter().enumerate() {
                    transition_slopes[2 * from + to] += expected;
                }
            }
            for pair in labels.windows(2) {
                transition_slopes[2 * usize::from(pair[0]) + usize::from(pair[1])] -= 1.0;
            }
        }
        (loss, gradient)
    }
}

fn score_of(scores: &[f64], transitions: Transitions, labels: &[bool]) -> f64 {
    let own = scores.iter().zip(labels).filter(|(_, label)| **label).map(|(score, _)| bounded(*score));
    let pairs =
        labels.windows(2).map(|pair| bounded(transitions[usize::from(pair[0])][usize::from(pair[1])]));
    own.sum::<f64>() + pairs.sum::<f64>()
}

/// The last four weights as a table.
pub(super) fn transitions_of(weights: &[f64]) -> Transitions {
    let mut transitions = Transitions::default();
    for (cell, weight) in transitions.iter_mut().flatten().zip(weights) {
        *cell = *weight;
    }
    transitions
}

/// The optimiser stops if the loss falls by less than this share in each of [`STEPS`] steps in a row.
///
/// # Source
///
/// CRF++, `-e` (0.0001, three times), which Fujita et al. used. Weights of nearly equal columns take thousands of
/// steps more to settle, and then label held-out rows no better.
const LEAST_GAIN: f64 = 1e-4;
const STEPS: usize = 3;

/// Finds the weights that minimise an objective, starting from zero. The weights are finite.
///
/// The stopping rule is ours, since the library ignores its own parameters for one.
pub(super) fn minimise(
    objective: &Objective<'_>,
    max_iterations: usize,
) -> Result<(Vec<f64>, CrfFit), CrfError> {
    let mut weights = vec![0.0; objective.weights()];
    let (mut last, mut small_gains) = (f64::INFINITY, 0);
    let mut fit = CrfFit { iterations: 0, loss: 0.0, settled: false };
    // A search along the slope that fails leaves the weights of the step before, and a next step that is no number.
    let mut is_lost = false;
    // The library's first iteration is the start itself.
    let outcome =
        liblbfgs::lbfgs().with_max_iterations(max_iterations + 1).with_epsilon(LEAST_GAIN).minimize(
            &mut weights,
            |weights, gradient| Ok(objective.evaluate(weights, gradient)),
            |progress| {
                is_lost = !(progress.fx.is_finite() && progress.step.is_finite());
                if is_lost {
                    return true;
                }
                fit.iterations = progress.niter;
                let is_small = last - progress.fx < LEAST_GAIN * progress.fx;
                small_gains = if is_small { small_gains + 1 } else { 0 };
                last = progress.fx;
                small_gains >= STEPS
            },
        );
    fit.settled = !is_lost && outcome.is_ok() && fit.iterations < max_iterations;
    if weights.iter().any(|weight| !weight.is_finite()) {
        let what =
            outcome.err().map_or_else(|| "a weight is no number".to_owned(), |error| format!("{error:#}"));
        return Err(CrfError::Optimiser { what });
    }
    let mut gradient = vec![0.0; weights.len()];
    fit.loss = objective.evaluate(&weights, &mut gradient);
    Ok((weights, fit))
}
