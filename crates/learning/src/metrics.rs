//! Measures scores: precision, recall, F, and the precision–recall curve.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

/// Why scores could not be measured.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricsError {
    /// Scores and labels do not pair up.
    #[error("expected one label for each of {scores} scores, found {labels} labels")]
    Lengths {
        /// Scores given.
        scores: usize,
        /// Labels given.
        labels: usize,
    },
    /// The score at this position, from 0, is not a number.
    #[error("expected a number as score {0}, found `NaN`")]
    NotANumber(usize),
}

/// Counts of right and wrong answers for the positive class.
///
/// # Source
///
/// Hanamura (2020), eqs. 4.1–4.3.
///
/// A ratio of 0 to 0 is 0, as in scikit-learn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confusion {
    /// Number of positives that were found.
    pub true_positives: u64,
    /// Number of negatives that were found.
    pub false_positives: u64,
    /// Number of positives that were missed.
    pub false_negatives: u64,
    /// Number of negatives that were not found.
    pub true_negatives: u64,
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl Confusion {
    /// Counts the answers if a score of `threshold` or more means positive.
    ///
    /// # Errors
    ///
    /// * [`MetricsError::Lengths`] if there is not one label for each score.
    /// * [`MetricsError::NotANumber`] if a score is not a number.
    pub fn at(scores: &[f32], labels: &[bool], threshold: f32) -> Result<Self, MetricsError> {
        check(scores, labels)?;
        let mut counts = Self::default();
        for (&score, &label) in scores.iter().zip(labels) {
            counts.add(score >= threshold, label);
        }
        Ok(counts)
    }

    /// Counts one answer.
    pub fn add(&mut self, found: bool, label: bool) {
        let count = match (found, label) {
            (true, true) => &mut self.true_positives,
            (true, false) => &mut self.false_positives,
            (false, true) => &mut self.false_negatives,
            (false, false) => &mut self.true_negatives,
        };
        *count += 1;
    }

    /// Returns the number of answers.
    pub fn all(self) -> u64 {
        self.true_positives + self.false_positives + self.false_negatives + self.true_negatives
    }

    /// Returns precision: the share of found items that are positive; 0 if nothing was found.
    pub fn precision(self) -> f64 {
        ratio(self.true_positives, self.true_positives + self.false_positives)
    }

    /// Returns recall: the share of positives that were found; 0 if there are no positives.
    pub fn recall(self) -> f64 {
        ratio(self.true_positives, self.true_positives + self.false_negatives)
    }

    /// Returns F: the harmonic mean of precision and recall; 0 if either is 0.
    pub fn f1(self) -> f64 {
        let twice = 2 * self.true_positives;
        ratio(twice, twice + self.false_positives + self.false_negatives)
    }
}

impl AddAssign for Confusion {
    fn add_assign(&mut self, other: Self) {
        self.true_positives += other.true_positives;
        self.false_positives += other.false_positives;
        self.false_negatives += other.false_negatives;
        self.true_negatives += other.true_negatives;
    }
}

fn check(scores: &[f32], labels: &[bool]) -> Result<(), MetricsError> {
    if scores.len() != labels.len() {
        return Err(MetricsError::Lengths { scores: scores.len(), labels: labels.len() });
    }
    match scores.iter().position(|score| score.is_nan()) {
        Some(position) => Err(MetricsError::NotANumber(position)),
        None => Ok(()),
    }
}

/// The counts at every distinct score as threshold, highest first.
fn sweep(scores: &[f32], labels: &[bool]) -> Result<Vec<(f32, Confusion)>, MetricsError> {
    check(scores, labels)?;
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let positives = labels.iter().filter(|&&label| label).count() as u64;
    let mut counts = Confusion {
        false_negatives: positives,
        true_negatives: labels.len() as u64 - positives,
        ..Confusion::default()
    };
    let mut swept = Vec::new();
    for equal in order.chunk_by(|&a, &b| scores[a] <= scores[b]) {
        for &row in equal {
            if labels[row] {
                counts.true_positives += 1;
                counts.false_negatives -= 1;
            } else {
                counts.false_positives += 1;
                counts.true_negatives -= 1;
            }
        }
        swept.push((scores[equal[equal.len() - 1]], counts));
    }
    Ok(swept)
}

/// Precision and recall if scores of `threshold` and more count as positive.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrPoint {
    /// The least score that counts as positive.
    pub threshold: f32,
    /// Precision there.
    pub precision: f64,
    /// Recall there.
    pub recall: f64,
}

/// Returns precision and recall at every distinct score, from the highest threshold to the lowest.
///
/// Equal scores make one point, since no threshold separates them.
///
/// # Errors
///
/// As for [`Confusion::at`].
pub fn pr_curve(scores: &[f32], labels: &[bool]) -> Result<Vec<PrPoint>, MetricsError> {
    let point = |(threshold, counts): (f32, Confusion)| PrPoint {
        threshold,
        precision: counts.precision(),
        recall: counts.recall(),
    };
    Ok(sweep(scores, labels)?.into_iter().map(point).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SCORES: [f32; 5] = [0.9, 0.8, 0.8, 0.3, 0.1];
    const LABELS: [bool; 5] = [true, false, true, true, false];

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn counts_by_hand() {
        let counts = Confusion::at(&SCORES, &LABELS, 0.5).unwrap();
        // found 0.9 (right), 0.8 (wrong), 0.8 (right); missed 0.3
        assert_eq!((counts.true_positives, counts.false_positives), (2, 1));
        assert_eq!((counts.false_negatives, counts.true_negatives), (1, 1));
        // 2/3, 2/3, and 2·2 / (2·2 + 1 + 1) = 2/3
        assert!(near(counts.precision(), 2.0 / 3.0) && near(counts.recall(), 2.0 / 3.0));
        assert!(near(counts.f1(), 2.0 / 3.0));
    }

    #[test]
    fn nothing_over_nothing_is_nothing() {
        let none = Confusion::default();
        assert!(near(none.precision() + none.recall() + none.f1(), 0.0));
        assert_eq!(pr_curve(&[], &[]), Ok(Vec::new()));
    }

    #[test]
    fn the_curve_groups_ties() {
        let curve = pr_curve(&SCORES, &LABELS).unwrap();
        let points: Vec<(f32, f64, f64)> =
            curve.iter().map(|point| (point.threshold, point.precision, point.recall)).collect();
        let third = 1.0 / 3.0;
        assert_eq!(
            points,
            [(0.9, 1.0, third), (0.8, 2.0 / 3.0, 2.0 / 3.0), (0.3, 0.75, 1.0), (0.1, 0.6, 1.0)]
        );
    }

    #[test]
    fn unpaired_scores_are_refused() {
        let error = Confusion::at(&[0.5], &[], 0.5).unwrap_err();
        assert_eq!(error.to_string(), "expected one label for each of 1 scores, found 0 labels");
        assert_eq!(pr_curve(&[f32::NAN], &[true]), Err(MetricsError::NotANumber(0)));
    }

    proptest! {
        #[test]
        fn the_sweep_agrees_with_counting(
            rows in prop::collection::vec((0_u8..6, any::<bool>()), 1..40),
        ) {
            let scores: Vec<f32> = rows.iter().map(|&(score, _)| f32::from(score) / 5.0).collect();
            let labels: Vec<bool> = rows.iter().map(|&(_, label)| label).collect();
            for (threshold, counts) in sweep(&scores, &labels).unwrap() {
                prop_assert_eq!(counts, Confusion::at(&scores, &labels, threshold).unwrap());
            }
        }
    }
}
