//! Learns a calibration from scores, and measures one.

use tsugi_scoring::Calibration;

/// Fewest examples behind a knot: fewer would claim more than is known.
const LEAST: usize = 20;

#[derive(Clone, Copy)]
struct PooledScores {
    score_sum: f64,
    positives: f64,
    count: f64,
}

impl PooledScores {
    fn mean(self) -> f64 {
        self.positives / self.count
    }
}

/// Fits the map to scores of examples that the model was not trained on, each with `true` if it is positive.
///
/// Neighbouring examples are pooled, at least 20 together, until the share of positives rises from pool to pool.
/// The probability of a pool is its share of positives after adding half a positive and half a negative, so that
/// nothing is certain. Too few examples give the identity. The order of the examples does not matter.
///
/// # Source
///
/// Isotonic regression by pooling adjacent violators: Zadrozny & Elkan (2002),
/// <https://doi.org/10.1145/775047.775151>.
pub fn fit_calibration(examples: &[(f32, bool)]) -> Calibration {
    let mut sorted: Vec<(f32, bool)> =
        examples.iter().copied().filter(|(score, _)| score.is_finite()).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut pools: Vec<PooledScores> = Vec::new();
    for group in groups(&sorted) {
        pools.push(PooledScores {
            score_sum: group.iter().map(|(score, _)| f64::from(*score)).sum(),
            positives: group.iter().filter(|(_, positive)| *positive).count() as f64,
            count: group.len() as f64,
        });
        while let [.., before, last] = pools.as_mut_slice()
            && before.mean() >= last.mean()
        {
            before.score_sum += last.score_sum;
            before.positives += last.positives;
            before.count += last.count;
            pools.pop();
        }
    }
    if pools.len() < 2 {
        return Calibration::identity();
    }
    #[expect(clippy::cast_possible_truncation, reason = "means of f32 values fit, rounded")]
    let knot = |pool: &PooledScores| {
        let score = (pool.score_sum / pool.count) as f32;
        (score, ((pool.positives + 0.5) / (pool.count + 1.0)) as f32)
    };
    let mut knots: Vec<(f32, f32)> = pools.iter().map(knot).collect();
    // Half an example more moves small pools further than large ones: keep it rising.
    for at in 1..knots.len() {
        knots[at].1 = knots[at].1.max(knots[at - 1].1);
    }
    Calibration::try_from(knots).unwrap_or_else(|_| Calibration::identity())
}

/// Splits examples into runs of at least [`LEAST`], with equal scores together.
fn groups(sorted: &[(f32, bool)]) -> impl Iterator<Item = &[(f32, bool)]> {
    let mut rest = sorted;
    std::iter::from_fn(move || {
        let mut end = LEAST.min(rest.len());
        while end > 0 && end < rest.len() && rest[end].0 <= rest[end - 1].0 {
            end += 1;
        }
        if rest.len() - end < LEAST {
            end = rest.len();
        }
        let (group, others) = rest.split_at(end);
        rest = others;
        (!group.is_empty()).then_some(group)
    })
}

/// Examples whose score lies in one tenth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReliabilityBin {
    /// Number of examples.
    pub count: u64,
    /// Their mean score.
    pub predicted: f64,
    /// The share of them that are right.
    pub observed: f64,
}

/// Returns the reliability curve: for each tenth of the scores, the predicted and the actual share of right answers.
///
/// # Examples
///
/// ```
/// let bins = tsugi_learning::reliability([(0.96, 1.0), (0.92, 1.0), (0.94, 0.0), (0.1, 0.0)]);
/// assert_eq!((bins[9].count, bins[1].count), (3, 1));
/// assert!((bins[9].predicted - 0.94).abs() < 1e-6 && (bins[9].observed - 2.0 / 3.0).abs() < 1e-6);
/// ```
///
/// # Source
///
/// Niculescu-Mizil & Caruana (2005), <https://doi.org/10.1145/1102351.1102430>.
pub fn reliability(examples: impl IntoIterator<Item = (f32, f64)>) -> [ReliabilityBin; 10] {
    let mut bins = [ReliabilityBin::default(); 10];
    for (score, observed) in examples {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 9; saturates")]
        let bin = &mut bins[((score * 10.0) as usize).min(9)];
        bin.count += 1;
        bin.predicted += f64::from(score);
        bin.observed += observed;
    }
    for bin in bins.iter_mut().filter(|bin| bin.count > 0) {
        bin.predicted /= bin.count as f64;
        bin.observed /= bin.count as f64;
    }
    bins
}

/// Returns the expected calibration error: the mean distance, over examples, between predicted and actual share.
pub fn calibration_error(bins: &[ReliabilityBin]) -> f64 {
    let count: u64 = bins.iter().map(|bin| bin.count).sum();
    let off: f64 = bins.iter().map(|bin| bin.count as f64 * (bin.predicted - bin.observed).abs()).sum();
    if count == 0 { 0.0 } else { off / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn overconfident() -> Vec<(f32, bool)> {
        let mut examples = Vec::new();
        for step in 0..100 {
            let score = step as f32 / 100.0;
            examples.extend((0..100).map(|i| (score, (i as f32) < 100.0 * score * score)));
        }
        examples
    }

    #[test]
    fn scores_become_shares() {
        let calibration = fit_calibration(&overconfident());
        for score in [0.3_f32, 0.5, 0.9] {
            assert!((calibration.apply(score) - score * score).abs() < 0.02, "{score}");
        }
        assert!(calibration.apply(-5.0) < 0.01 && calibration.apply(5.0) < 1.0);
        let bins = |map: &dyn Fn(f32) -> f32| {
            let mapped = overconfident().into_iter();
            let mapped = mapped.map(|(score, is)| (map(score), f64::from(u8::from(is))));
            calibration_error(&reliability(mapped))
        };
        assert!(bins(&|score| calibration.apply(score)) < 0.01);
        assert!(bins(&|score| score) > 0.1);
    }

    #[test]
    fn too_few_examples_change_nothing() {
        assert_eq!(fit_calibration(&[(0.3, true)]), Calibration::identity());
        assert!((Calibration::identity().apply(0.25) - 0.25).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn probabilities_rise_with_scores(
            examples in prop::collection::vec((0_f32..1.0, any::<bool>()), 0..200), a in 0_f32..1.0, b in 0_f32..1.0,
        ) {
            let calibration = fit_calibration(&examples);
            prop_assert!(calibration.apply(a.min(b)) <= calibration.apply(a.max(b)));
            prop_assert!((0.0..=1.0).contains(&calibration.apply(a)));
        }
    }
}
