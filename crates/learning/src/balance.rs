//! Undersampling, and how balancing can fail.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::labelled_rows::{Class, LabelledRows};
use tsugi_scoring::{Matrix, MatrixError, Schema};

/// The most rows that balancing may produce; more means a mistaken ratio.
pub(crate) const MAX_ROWS: usize = 1 << 28;

/// Why rows could not be balanced.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BalanceError {
    /// This class has no rows, so there is nothing to balance against.
    #[error("expected rows of both classes, found no {0} row")]
    SingleClass(Class),
    /// The ratio is not a positive number.
    #[error("expected a ratio above 0, found `{0}`")]
    Ratio(f64),
    /// The ratio asks for more rows than any matrix should hold.
    #[error("expected a ratio that gives at most {limit} rows, found `{found}`")]
    TooManyRows {
        /// The most rows that may be produced.
        limit: usize,
        /// The ratio asked for.
        found: f64,
    },
    /// A row could not be stored.
    #[error("expected rows that fit the schema")]
    Matrix(#[from] MatrixError),
}

pub(crate) fn target<S: Schema>(
    rows: &LabelledRows<S>,
    ratio: f64,
    of: usize,
) -> Result<usize, BalanceError> {
    if !ratio.is_finite() || ratio <= 0.0 {
        return Err(BalanceError::Ratio(ratio));
    }
    if let Some(missing) = rows.missing_class() {
        return Err(BalanceError::SingleClass(missing));
    }
    let wanted = (ratio * of as f64).floor();
    if wanted > MAX_ROWS as f64 {
        return Err(BalanceError::TooManyRows { limit: MAX_ROWS, found: ratio });
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 ≤ wanted ≤ MAX_ROWS")]
    Ok(wanted as usize)
}

/// Drops negative rows at random until there are `ratio` times as many as positive ones.
///
/// Every subset of the negatives is equally likely. The remaining rows keep their order. If there are no
/// more negatives than asked for, all remain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Undersample {
    /// Number of negatives for each positive; 1 makes the classes equal.
    pub ratio: f64,
}

impl Undersample {
    /// Drops negative rows.
    ///
    /// # Errors
    ///
    /// * [`BalanceError::Ratio`] if the ratio is not above 0.
    /// * [`BalanceError::SingleClass`] if one class has no rows.
    /// * [`BalanceError::TooManyRows`] if the ratio is too large.
    ///
    /// # Source
    ///
    /// Selection sampling: Knuth, The Art of Computer Programming, volume 2, section 3.4.2, algorithm S.
    pub fn apply<S: Schema>(
        &self,
        rows: LabelledRows<S>,
        seed: u64,
    ) -> Result<LabelledRows<S>, BalanceError> {
        let wanted = target(&rows, self.ratio, rows.positives())?;
        let mut ahead = rows.negatives();
        if ahead <= wanted {
            return Ok(rows);
        }
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let mut needed = wanted;
        let mut x = Matrix::with_capacity(rows.positives() + wanted);
        let mut y = Vec::with_capacity(rows.positives() + wanted);
        for (row, &label) in rows.x().iter().zip(rows.y()) {
            let keep = label || {
                // Of the `ahead` negatives not yet seen, `needed` must be kept.
                let kept = generator.random_range(0..ahead) < needed;
                ahead -= 1;
                needed -= usize::from(kept);
                kept
            };
            if keep {
                x.push(row)?;
                y.push(label);
            }
        }
        Ok(LabelledRows::new(x, y)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::TestPlane;

    fn rows(negatives: u16) -> LabelledRows<TestPlane> {
        let (mut x, mut y) = (Matrix::new(), Vec::new());
        for i in 0..negatives {
            x.push(&[f32::from(i), 0.0]).unwrap();
            y.push(false);
            if i % 10 == 9 {
                x.push(&[f32::from(i), 1.0]).unwrap();
                y.push(true);
            }
        }
        LabelledRows::new(x, y).unwrap()
    }

    #[test]
    fn negatives_fall_to_the_ratio_and_order_stays() {
        // 100 negatives and 10 positives; 2.5 × 10 = 25 negatives stay.
        let kept = Undersample { ratio: 2.5 }.apply(rows(100), 3).unwrap();
        assert_eq!((kept.positives(), kept.negatives()), (10, 25));
        let order: Vec<f32> = kept.x().iter().map(|row| row[0]).collect();
        assert!(order.is_sorted(), "rows keep their order: {order:?}");
    }

    #[test]
    fn nothing_is_dropped_where_negatives_are_few() {
        assert_eq!(Undersample { ratio: 10.0 }.apply(rows(100), 3).unwrap(), rows(100));
    }

    #[test]
    fn every_negative_has_the_same_chance() {
        // Each of 20 negatives stays with probability 2/20; in 2000 draws that is 200 ± 5 × 13.4.
        let mut kept = [0_u32; 20];
        for seed in 0..2000 {
            let rows = Undersample { ratio: 1.0 }.apply(rows(20), seed).unwrap();
            for (row, _) in rows.x().iter().zip(rows.y()).filter(|(_, label)| !**label) {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 19")]
                let row = row[0] as usize;
                kept[row] += 1;
            }
        }
        assert!(kept.iter().all(|count| (133..=267).contains(count)), "{kept:?}");
    }

    #[test]
    fn senseless_requests_are_refused() {
        for ratio in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(Undersample { ratio }.apply(rows(20), 0), Err(BalanceError::Ratio(_))));
        }
        let huge = Undersample { ratio: 1e300 }.apply(rows(20), 0);
        assert!(matches!(huge, Err(BalanceError::TooManyRows { .. })));
        let error = Undersample { ratio: 1.0 }.apply(rows(5), 0).unwrap_err();
        assert_eq!(error.to_string(), "expected rows of both classes, found no positive row");
    }
}
