//! Cuts columns into bins, so that splits are found by counting instead of sorting.

use tsugi_scoring::{Matrix, Schema};

/// The most bins of a column: a code is one byte.
const MAX_BINS: usize = 255;

/// Number of rows that are sampled to place the cuts of a column; more would not move them.
const SAMPLE: usize = 200_000;

#[derive(Debug)]
pub(crate) struct Bins {
    rows: usize,
    /// By column: the greatest value of each bin but the last, ascending.
    cuts: Vec<Vec<f32>>,
    codes: Vec<u8>,
    /// By column: the code that most rows have, if it pays to count only the others.
    frequent: Vec<Option<u8>>,
}

impl Bins {
    pub(crate) fn of<S: Schema>(x: &Matrix<S>) -> Self {
        let (rows, columns) = (x.rows(), x.columns_len());
        let mut cuts = Vec::with_capacity(columns);
        let mut codes = Vec::with_capacity(rows * columns);
        let mut frequent = Vec::with_capacity(columns);
        for column in 0..columns {
            let of_column =
                cuts_of((0..rows).step_by(rows / SAMPLE + 1).map(|row| x.row(row)[column]), MAX_BINS);
            codes.extend((0..rows).map(|row| code(&of_column, x.row(row)[column])));
            frequent.push(frequent_code(&codes[column * rows..]));
            cuts.push(of_column);
        }
        Self { rows, cuts, codes, frequent }
    }

    pub(crate) fn codes(&self, column: usize) -> &[u8] {
        &self.codes[column * self.rows..][..self.rows]
    }

    pub(crate) fn frequent(&self, column: usize) -> Option<u8> {
        self.frequent[column]
    }

    pub(crate) fn count(&self, column: usize) -> usize {
        self.cuts[column].len() + 1
    }

    pub(crate) fn columns(&self) -> usize {
        self.cuts.len()
    }

    /// Returns the greatest value that goes left if the bins up to `bin` do.
    pub(crate) fn threshold(&self, column: usize, bin: usize) -> f32 {
        self.cuts[column][bin]
    }
}

fn code(cuts: &[f32], value: f32) -> u8 {
    // There are at most 254 cuts.
    u8::try_from(cuts.partition_point(|cut| *cut < value)).unwrap_or(u8::MAX)
}

fn frequent_code(codes: &[u8]) -> Option<u8> {
    let mut counts = [0_usize; 256];
    for code in codes {
        counts[usize::from(*code)] += 1;
    }
    let most = (0..=u8::MAX).max_by_key(|code| counts[usize::from(*code)])?;
    (counts[usize::from(most)] * 10 >= codes.len() * 7).then_some(most)
}

/// Cuts between all distinct values if there are at most `most`; otherwise into at most that many bins of about equally
/// many rows.
pub fn cuts_of(values: impl Iterator<Item = f32>, most: usize) -> Vec<f32> {
    let mut sorted: Vec<f32> = values.collect();
    sorted.sort_unstable_by(f32::total_cmp);
    let mut distinct: Vec<(f32, usize)> = Vec::new();
    for value in &sorted {
        match distinct.last_mut() {
            // By value: both zeros are one.
            Some((last, count)) if *last >= *value => *count += 1,
            _ => distinct.push((*value, 1)),
        }
    }
    let mut cuts = Vec::new();
    // A frequent value fills a bin of its own; the others share what is left.
    let (mut left, mut bins) = (sorted.len(), most);
    let mut filled = 0;
    for pair in distinct.windows(2) {
        let ((low, count), (high, _)) = (pair[0], pair[1]);
        filled += count;
        if distinct.len() > most && filled * bins < left {
            continue;
        }
        cuts.push(between(low, high));
        left -= filled;
        (filled, bins) = (0, bins - 1);
        if bins == 1 {
            break;
        }
    }
    cuts
}

/// Returns the midpoint of two values, or the lower one if rounding would give the higher.
fn between(low: f32, high: f32) -> f32 {
    let middle = f32::midpoint(low, high);
    if middle < high { middle } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::TestPlane;

    #[test]
    fn few_values_are_told_apart_exactly() {
        let x = Matrix::<TestPlane>::from_rows([[1.0, -0.0], [3.0, 0.0], [1.0, 1e-7], [7.0, 0.0]]).unwrap();
        let bins = Bins::of(&x);
        assert_eq!(bins.cuts, [vec![2.0, 5.0], vec![5e-8]]);
        assert_eq!(bins.codes(0), [0, 1, 0, 2]);
        assert_eq!(bins.codes(1), [0, 0, 1, 0], "both zeros are one value");
        assert_eq!((bins.count(0), bins.threshold(0, 1)), (3, 5.0));
    }

    #[test]
    fn many_values_share_bins_evenly() {
        let cuts = cuts_of((0..10_000).map(|value| value as f32), MAX_BINS);
        assert_eq!(cuts.len(), MAX_BINS - 1);
        let widths: Vec<f32> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(widths.iter().all(|width| (38.0..=41.0).contains(width)), "{widths:?}");
    }

    #[test]
    fn a_frequent_value_leaves_the_cuts_to_the_others() {
        let frequent = std::iter::repeat_n(0.0, 100_000);
        let cuts = cuts_of(frequent.chain((1..=5_000).map(|value| value as f32)), MAX_BINS);
        assert_eq!((cuts[0], cuts.len()), (0.5, MAX_BINS - 1));
        assert_eq!(frequent_code(&[3, 3, 0, 3, 3]), Some(3));
        assert_eq!(frequent_code(&[3, 1, 0, 3, 3]), None);
    }

    #[test]
    fn neighbouring_floats_are_told_apart() {
        let cuts = cuts_of([1.0, 1.0_f32.next_up()].into_iter(), MAX_BINS);
        assert_eq!(cuts, [1.0]);
        assert_eq!((code(&cuts, 1.0), code(&cuts, 1.0_f32.next_up())), (0, 1));
    }
}
