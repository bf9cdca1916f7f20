//! Chains of two labels: the probability of each label at each place, and the most likely sequence.
//!
//! A label is a `bool`: `true` if the row is positive. Only differences of scores matter, so a negative row scores 0, and
//! one number per row is the score of a positive one.

/// The score of two neighbouring labels: `[before][after]`, negative first.
pub(crate) type Transitions = [[f64; 2]; 2];

/// Scores beyond this are as good as certain. The label whose exponential is 1 keeps at least half of the least transition,
/// e^−600, so that no sum of a step is 0.
const CERTAIN: f64 = 300.0;

pub(crate) fn bounded(score: f64) -> f64 {
    score.clamp(-CERTAIN, CERTAIN)
}

#[derive(Debug, Default)]
pub(crate) struct Marginals {
    /// The logarithm of the sum over all sequences of the exponential of their score.
    pub(crate) log_sum: f64,
    pub(crate) positive: Vec<f64>,
    /// By pair of labels: the expected number of neighbours that have them.
    pub(crate) pairs: Transitions,
}

impl Marginals {
    /// Works out the marginals of a chain by forward–backward, with each step scaled to a sum of 1; `forward` is scratch space.
    pub(crate) fn work_out(
        &mut self,
        scores: &[f64],
        transitions: Transitions,
        forward: &mut Vec<ChainStep>,
    ) {
        forward.clear();
        self.positive.clear();
        self.positive.resize(scores.len(), 0.0);
        (self.log_sum, self.pairs) = (0.0, Transitions::default());
        let (steps, greatest) = weights_of(transitions);
        for score in scores {
            let (emission, greatest_emission) = emission(*score);
            let into = forward.last().map_or([1.0, 1.0], |before| {
                self.log_sum += greatest;
                [0, 1].map(|to| before.weights[0] * steps[0][to] + before.weights[1] * steps[1][to])
            });
            let weights = [into[0] * emission[0], into[1] * emission[1]];
            let sum = weights[0] + weights[1];
            self.log_sum += sum.ln() + greatest_emission;
            forward.push(ChainStep { weights: weights.map(|weight| weight / sum), emission, sum });
        }
        let mut backward = [1.0, 1.0];
        for (at, step) in forward.iter().enumerate().rev() {
            self.positive[at] = step.weights[1] * backward[1];
            let Some(before) = at.checked_sub(1).map(|before| &forward[before]) else { break };
            let onward = [0, 1].map(|to| step.emission[to] * backward[to] / step.sum);
            for from in [0, 1] {
                for to in [0, 1] {
                    self.pairs[from][to] += before.weights[from] * steps[from][to] * onward[to];
                }
            }
            backward = [0, 1].map(|from| steps[from][0] * onward[0] + steps[from][1] * onward[1]);
        }
    }
}

#[derive(Debug)]
pub(crate) struct ChainStep {
    /// By label: its probability given all scores up to here.
    weights: [f64; 2],
    /// By label: the exponential of its score, the greater one 1.
    emission: [f64; 2],
    /// The divisor of the weights.
    sum: f64,
}

/// The exponentials of both labels' scores, divided by the greater one, and the logarithm of that.
fn emission(score: f64) -> ([f64; 2], f64) {
    let score = bounded(score);
    let greatest = score.max(0.0);
    ([(-greatest).exp(), (score - greatest).exp()], greatest)
}

fn weights_of(transitions: Transitions) -> (Transitions, f64) {
    let transitions = transitions.map(|row| row.map(bounded));
    let greatest = transitions.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    (transitions.map(|row| row.map(|score| (score - greatest).exp())), greatest)
}

/// Returns the labels with the greatest score, by Viterbi. Of equal ones, those that stay negative longer win.
pub(crate) fn best_labels(scores: &[f64], transitions: Transitions) -> Vec<bool> {
    let transitions = transitions.map(|row| row.map(bounded));
    let mut best = [0.0, 0.0];
    // By place and label: whether the place before it is positive on the best way there.
    let mut from_positive: Vec<[bool; 2]> = Vec::with_capacity(scores.len());
    for (at, score) in scores.iter().enumerate() {
        let ways = [0, 1].map(|to| [best[0] + transitions[0][to], best[1] + transitions[1][to]]);
        let came = ways.map(|way| at > 0 && way[1] > way[0]);
        if at > 0 {
            best = [0, 1].map(|to| ways[to][usize::from(came[to])]);
        }
        best[1] += bounded(*score);
        from_positive.push(came);
    }
    let mut labels = vec![false; scores.len()];
    let mut label = best[1] > best[0];
    for (at, came) in from_positive.iter().enumerate().rev() {
        labels[at] = label;
        label = came[usize::from(label)];
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    impl Marginals {
        fn of(scores: &[f64], transitions: Transitions) -> Marginals {
            let mut marginals = Marginals::default();
            marginals.work_out(scores, transitions, &mut Vec::new());
            marginals
        }
    }

    fn score_of(scores: &[f64], transitions: Transitions, labels: &[bool]) -> f64 {
        let own = scores.iter().zip(labels).filter(|(_, label)| **label).map(|(score, _)| score);
        let pair = |pair: &[bool]| transitions[usize::from(pair[0])][usize::from(pair[1])];
        own.sum::<f64>() + labels.windows(2).map(pair).sum::<f64>()
    }

    fn all(scores: &[f64], transitions: Transitions) -> Vec<(Vec<bool>, f64)> {
        (0..1_u32 << scores.len())
            .map(|bits| {
                let labels: Vec<bool> = (0..scores.len()).map(|at| bits >> at & 1 == 1).collect();
                let score = score_of(scores, transitions, &labels);
                (labels, score)
            })
            .collect()
    }

    #[test]
    fn a_chain_of_two_by_hand() {
        // Scores: -- 1, -+ 2, +- 3, ++ 1.5 + 3 + 2 = 6.5.
        let transitions = [[1.0, 0.0], [0.0, 1.5]];
        let (scores, labels) = ([3.0, 2.0], best_labels(&[3.0, 2.0], transitions));
        assert_eq!(labels, [true, true]);
        let marginals = Marginals::of(&scores, transitions);
        let sum = 1_f64.exp() + 2_f64.exp() + 3_f64.exp() + 6.5_f64.exp();
        assert!((marginals.log_sum - sum.ln()).abs() < 1e-12);
        assert!((marginals.positive[0] - (3_f64.exp() + 6.5_f64.exp()) / sum).abs() < 1e-12);
        assert!((marginals.pairs[0][1] - 2_f64.exp() / sum).abs() < 1e-12);
    }

    #[test]
    fn nothing_and_extremes_are_no_trouble() {
        assert!(best_labels(&[], Transitions::default()).is_empty());
        assert_eq!(Marginals::of(&[], Transitions::default()).log_sum, 0.0);
        let wild = [[f64::MAX, -f64::MAX], [-f64::MAX, f64::MAX]];
        let scores = [f64::MAX, -f64::MAX, 0.0, f64::INFINITY, f64::NEG_INFINITY];
        let marginals = Marginals::of(&scores, wild);
        assert!(marginals.log_sum.is_finite(), "{marginals:?}");
        assert!(marginals.positive.iter().all(|p| (0.0..=1.0 + 1e-9).contains(p)), "{marginals:?}");
        assert_eq!(best_labels(&scores, wild).len(), 5);
    }

    proptest! {
        #[test]
        fn sums_and_bests_are_those_of_all_sequences(
            scores in prop::collection::vec(-4.0..4.0_f64, 1..9),
            t in prop::array::uniform4(-3.0..3.0_f64),
        ) {
            let transitions = [[t[0], t[1]], [t[2], t[3]]];
            let all = all(&scores, transitions);
            let sum: f64 = all.iter().map(|(_, score)| score.exp()).sum();
            let marginals = Marginals::of(&scores, transitions);
            prop_assert!((marginals.log_sum - sum.ln()).abs() < 1e-9);
            for at in 0..scores.len() {
                let positive: f64 = all.iter().filter(|(labels, _)| labels[at]).map(|(_, score)| score.exp()).sum();
                prop_assert!((marginals.positive[at] - positive / sum).abs() < 1e-9);
            }
            for from in [0, 1] {
                for to in [0, 1] {
                    let count = |labels: &[bool]| {
                        let is = |pair: &&[bool]| (usize::from(pair[0]), usize::from(pair[1])) == (from, to);
                        labels.windows(2).filter(is).count() as f64
                    };
                    let expected: f64 = all.iter().map(|(labels, score)| count(labels) * score.exp()).sum();
                    prop_assert!((marginals.pairs[from][to] - expected / sum).abs() < 1e-9);
                }
            }
            let best = all.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
            let found = score_of(&scores, transitions, &best_labels(&scores, transitions));
            prop_assert!((best - found).abs() < 1e-9);
        }
    }
}
