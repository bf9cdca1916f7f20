//! Bootstrap intervals.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::interval::Interval;
use std::ops::AddAssign;

const DRAWS: usize = 2000;

/// The seed of all reports, so that equal results have equal intervals.
const SEED: u64 = 1;

/// Returns a figure over items, such as F over websites, with its interval by the percentile bootstrap.
///
/// `figure` takes the positions of items. It is computed over all items for the mean, and over 2,000 draws of as many
/// items, with repetition, for the interval. Without items the result is `None`.
///
/// # Source
///
/// Efron & Tibshirani (1993), An Introduction to the Bootstrap, section 13.3.
///
/// # Examples
///
/// ```
/// let right = [1.0, 0.0, 1.0, 1.0];
/// let share = |items: &[usize]| items.iter().map(|&i| right[i]).sum::<f64>() / items.len() as f64;
/// let interval = tsugi_learning::bootstrap_interval(right.len(), 1, share).expect("there are items");
/// assert_eq!(interval.mean, 0.75);
/// assert!(interval.low < 0.75 && interval.high <= 1.0);
/// ```
pub fn bootstrap_interval(
    items: usize,
    seed: u64,
    mut figure: impl FnMut(&[usize]) -> f64,
) -> Option<Interval> {
    if items == 0 {
        return None;
    }
    let mut drawn: Vec<usize> = (0..items).collect();
    let mean = figure(&drawn);
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut figures: Vec<f64> = (0..DRAWS)
        .map(|_| {
            drawn.fill_with(|| generator.random_range(0..items));
            figure(&drawn)
        })
        .collect();
    figures.sort_by(f64::total_cmp);
    // The 2.5 % of draws at either end are left out.
    let out = DRAWS / 40;
    Some(Interval { mean, low: figures[out], high: figures[DRAWS - 1 - out] })
}

/// Returns a figure of sums over groups of items that belong together, such as the pages of a site, with its interval.
///
/// The groups are drawn; `figure` takes the sum of those drawn. Without groups the result is `None`.
pub fn bootstrap_of_sums<T: Copy + Default + AddAssign>(
    groups: &[T],
    figure: impl Fn(&T) -> f64,
) -> Option<Interval> {
    bootstrap_interval(groups.len(), SEED, |drawn| {
        let mut all = T::default();
        for at in drawn {
            all += groups[*at];
        }
        figure(&all)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::mean_interval;

    #[test]
    fn the_bootstrap_repeats_itself_and_comes_near_the_t_interval() {
        let values: Vec<f64> = (0..100).map(|i| f64::from(i % 10)).collect();
        let mean = |items: &[usize]| items.iter().map(|&i| values[i]).sum::<f64>() / items.len() as f64;
        let drawn = bootstrap_interval(100, 3, mean).unwrap();
        assert_eq!(drawn, bootstrap_interval(100, 3, mean).unwrap());
        let student = mean_interval(&values).unwrap();
        assert!((drawn.low - student.low).abs() < 0.1 && (drawn.high - student.high).abs() < 0.1);
        assert_eq!(bootstrap_interval(0, 3, mean), None);
    }
}
