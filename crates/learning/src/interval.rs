//! Means with their 95 % intervals.

use serde::{Deserialize, Serialize};

/// A figure, and the interval that covers the true one in 95 of 100 repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The mean, or the figure over all items.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Keeps the ends within the values that the figure can have, such as 0 and 1 for a share.
    #[must_use]
    pub fn within(self, least: f64, greatest: f64) -> Interval {
        Interval { low: self.low.max(least), high: self.high.min(greatest), ..self }
    }
}

/// Two-sided 95 % quantiles of Student's t for 1 to 30 degrees of freedom.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// The same for more degrees of freedom, each up to the next.
const STUDENT_BEYOND: [(usize, f64); 4] = [(31, 2.042), (40, 2.021), (60, 2.000), (120, 1.980)];

/// Returns the mean of repeated measurements, such as one for each seed, with its interval by Student's t.
///
/// A single value gives an interval of no width, since nothing is known of its spread. No values give `None`.
///
/// # Source
///
/// Student (1908), The Probable Error of a Mean, Biometrika 6, 1–25, <https://doi.org/10.2307/2331554>.
/// Between the listed degrees of freedom the next lower one is used, which makes the interval slightly too wide.
pub fn mean_interval(values: &[f64]) -> Option<Interval> {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let half = match values.len() {
        0 => return None,
        1 => 0.0,
        more => {
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            quantile(more - 1) * (squares / (count - 1.0) / count).sqrt()
        }
    };
    Some(Interval { mean, low: mean - half, high: mean + half })
}

fn quantile(freedom: usize) -> f64 {
    let beyond = || STUDENT_BEYOND.iter().rev().find(|(from, _)| freedom >= *from);
    STUDENT.get(freedom - 1).copied().or_else(|| beyond().map(|&(_, value)| value)).unwrap_or(STUDENT[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_by_hand() {
        // mean 3, variance 2.5, standard error √(2.5 / 5) = 0.70711, times 2.776
        let interval = mean_interval(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert!((interval.mean - 3.0).abs() < 1e-12);
        assert!((interval.low - (3.0 - 1.962_93)).abs() < 1e-4);
        assert_eq!(mean_interval(&[]), None);
        assert_eq!(mean_interval(&[2.0]), Some(Interval { mean: 2.0, low: 2.0, high: 2.0 }));
    }

    #[test]
    fn shares_stay_shares() {
        // .9 ± 12.706 · .1
        let interval = mean_interval(&[0.8, 1.0]).unwrap();
        assert!(interval.low < 0.0 && interval.high > 1.0);
        assert_eq!(interval.within(0.0, 1.0), Interval { mean: interval.mean, low: 0.0, high: 1.0 });
        assert_eq!(interval.within(-9.0, 9.0), interval);
    }

    #[test]
    fn quantiles_fall_with_the_degrees_of_freedom() {
        let quantiles: Vec<f64> = (1..200).map(quantile).collect();
        assert!(quantiles.is_sorted_by(|a, b| a >= b), "{quantiles:?}");
        assert!((quantiles[198] - 1.98).abs() < 1e-12);
    }
}
