//! Synthetic positive rows.

use std::num::NonZeroUsize;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::balance::{BalanceError, target};
use super::labelled_rows::LabelledRows;
use tsugi_scoring::{Matrix, Schema};

/// Adds synthetic positive rows until there are `ratio` times as many as negative ones.
///
/// A new row starts at a positive row `a` drawn at random, picks one of its `k` nearest positive neighbours
/// `b`, and lies at `a + u·(b − a)` with `u` uniform in `[0, 1)`. Original rows keep their places; new rows
/// follow them. If there are as many positives already, the rows are returned as they are.
///
/// With `k` positives or fewer, each has only `positives − 1` neighbours to pick from. A single positive is repeated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smote {
    /// Number of nearest neighbours to pick from.
    pub k: NonZeroUsize,
    /// Number of positives for each negative: 0.1 raises them to a tenth.
    pub ratio: f64,
    /// `true` divides each column by its standard deviation before distances are taken.
    pub scaled: bool,
}

impl Smote {
    /// The number of neighbours in the original article and in imbalanced-learn.
    pub const USUAL_K: NonZeroUsize = NonZeroUsize::new(5).expect("5 is not 0");

    /// Adds synthetic positive rows. Neighbours at equal distance rank by row.
    ///
    /// # Shape
    ///
    /// `(n, d)` becomes `(n₀ + max(n₁, ⌊ratio·n₀⌋), d)` for `n₀` negatives and `n₁` positives.
    ///
    /// # Units
    ///
    /// Output columns keep the units of the input; flags come out fractional. A [`scaled`](Self::scaled) distance divides
    /// each column by its standard deviation over all rows, and ignores constant columns.
    ///
    /// # Errors
    ///
    /// * [`BalanceError::Ratio`] if the ratio is not above 0.
    /// * [`BalanceError::SingleClass`] if one class has no rows.
    /// * [`BalanceError::TooManyRows`] if the ratio is too large.
    ///
    /// # Cost
    ///
    /// `O(b·m·d)` time for `m` positives, of which `b` distinct ones are drawn (exact neighbours), and
    /// `O(m·(d + k))` memory.
    ///
    /// # Source
    ///
    /// Chawla, Bowyer, Hall & Kegelmeyer (2002), JAIR 16, 321–357, algorithm `SMOTE(T, N, k)`,
    /// <https://doi.org/10.1613/jair.953>.
    ///
    /// DIFFERENCE: the article's listing draws `u` for each attribute, which fills a box; one draw for each
    /// row stays on the segment, as its text and imbalanced-learn describe.
    /// DIFFERENCE: the article gives every positive the same number of new rows; here, as in
    /// imbalanced-learn, each new row draws its origin, so that any ratio can be met.
    /// DIFFERENCE: the article does not scale distances; [`scaled`](Self::scaled) is ours.
    pub fn apply<S: Schema>(
        &self,
        rows: LabelledRows<S>,
        seed: u64,
    ) -> Result<LabelledRows<S>, BalanceError> {
        let wanted = target(&rows, self.ratio, rows.negatives())?;
        let positives: Vec<usize> = (0..rows.y().len()).filter(|&row| rows.y()[row]).collect();
        if positives.len() >= wanted {
            return Ok(rows);
        }
        let mut neighbours = Neighbours::new(rows.x(), &positives, self.k.get(), self.scaled);
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let mut synthetic = Matrix::with_capacity(wanted - positives.len());
        let mut row = Vec::with_capacity(rows.x().columns_len());
        for _ in positives.len()..wanted {
            let origin = generator.random_range(0..positives.len());
            let near = neighbours.of(origin);
            let other = if near.is_empty() { origin } else { near[generator.random_range(0..near.len())] };
            let share: f64 = generator.random();
            row.clear();
            let ends = rows.x().row(positives[origin]).iter().zip(rows.x().row(positives[other]));
            row.extend(ends.map(|(&a, &b)| between(a, b, share)));
            synthetic.push(&row)?;
        }
        let (mut x, mut y) = rows.into_parts();
        x.append(&synthetic);
        y.resize(x.rows(), true);
        Ok(LabelledRows::new(x, y)?)
    }
}

fn between(a: f32, b: f32, share: f64) -> f32 {
    let exact = f64::from(a) + share * (f64::from(b) - f64::from(a));
    #[expect(clippy::cast_possible_truncation, reason = "rounds to the nearest f32, which is wanted")]
    let rounded = exact as f32;
    rounded.clamp(a.min(b), a.max(b))
}

const LANES: usize = 8;

struct Neighbours {
    /// Scaled rows, each padded with zeros to a multiple of [`LANES`].
    scaled: Vec<f32>,
    width: usize,
    k: usize,
    known: Vec<Option<Box<[usize]>>>,
}

impl Neighbours {
    fn new<S: Schema>(x: &Matrix<S>, positives: &[usize], k: usize, scaled: bool) -> Self {
        let factors = if scaled { factors(x) } else { vec![1.0; x.columns_len()] };
        let width = x.columns_len().next_multiple_of(LANES);
        let mut scaled = vec![0.0; width * positives.len()];
        for (target, &row) in scaled.chunks_exact_mut(width.max(1)).zip(positives) {
            for ((target, &value), &factor) in target.iter_mut().zip(x.row(row)).zip(&factors) {
                #[expect(clippy::cast_possible_truncation, reason = "a distance needs no more than f32")]
                let value = (f64::from(value) * factor) as f32;
                *target = value;
            }
        }
        let k = k.min(positives.len() - 1);
        Self { scaled, width, k, known: vec![None; positives.len()] }
    }

    fn of(&mut self, origin: usize) -> &[usize] {
        if self.known[origin].is_none() {
            self.known[origin] = Some(self.search(origin));
        }
        self.known[origin].as_deref().unwrap_or_default()
    }

    fn search(&self, origin: usize) -> Box<[usize]> {
        let from = &self.scaled[origin * self.width..(origin + 1) * self.width];
        // Sorted by distance, then by row, because rows are met in order and only a nearer one moves ahead.
        let mut nearest: Vec<(f32, usize)> = Vec::with_capacity(self.k + 1);
        for row in (0..self.known.len()).filter(|&row| row != origin) {
            let distance = squared_distance(from, &self.scaled[row * self.width..(row + 1) * self.width]);
            let full = nearest.len() == self.k;
            if self.k == 0 || (full && nearest.last().is_some_and(|&(worst, _)| distance >= worst)) {
                continue;
            }
            let place = nearest.partition_point(|&(near, _)| near <= distance);
            nearest.insert(place, (distance, row));
            nearest.truncate(self.k);
        }
        nearest.into_iter().map(|(_, row)| row).collect()
    }
}

/// Returns the sum of squared differences, added in [`LANES`] strands that are joined in a fixed order.
fn squared_distance(a: &[f32], b: &[f32]) -> f32 {
    let mut strands = [0.0_f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for lane in 0..LANES {
            let difference = a[lane] - b[lane];
            strands[lane] += difference * difference;
        }
    }
    strands.iter().sum()
}

/// Returns one over the standard deviation of each column over all rows; 0 for a constant column.
fn factors<S: Schema>(x: &Matrix<S>) -> Vec<f64> {
    let rows = x.rows() as f64;
    let mut means = vec![0.0; x.columns_len()];
    for row in x.iter() {
        for (mean, &value) in means.iter_mut().zip(row) {
            *mean += f64::from(value) / rows;
        }
    }
    let mut variances = vec![0.0; x.columns_len()];
    let mut constant = vec![true; x.columns_len()];
    for row in x.iter() {
        for (column, &value) in row.iter().enumerate() {
            variances[column] += (f64::from(value) - means[column]).powi(2) / rows;
            constant[column] &= value.to_bits() == x.row(0)[column].to_bits();
        }
    }
    let scale = |(variance, constant): (f64, bool)| {
        if constant || variance <= 0.0 { 0.0 } else { 1.0 / variance.sqrt() }
    };
    variances.into_iter().zip(constant).map(scale).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{TestPlane, mixed};
    use proptest::prelude::*;

    fn plane(positives: &[[f32; 2]], negatives: usize) -> LabelledRows<TestPlane> {
        let mut x = Matrix::from_rows(positives).unwrap();
        for _ in 0..negatives {
            x.push(&[500.0, 500.0]).unwrap();
        }
        let y = (0..x.rows()).map(|row| row < positives.len()).collect();
        LabelledRows::new(x, y).unwrap()
    }

    fn smote(k: usize, ratio: f64) -> Smote {
        Smote { k: NonZeroUsize::new(k).unwrap(), ratio, scaled: true }
    }

    #[test]
    fn a_point_a_quarter_of_the_way() {
        // 2 + 0.25 × (6 − 2) = 3
        assert!((between(2.0, 6.0, 0.25) - 3.0).abs() < f32::EPSILON);
        // the end itself is never passed, whatever rounding does
        assert!(between(0.1, 0.3, 1.0 - f64::EPSILON) <= 0.3);
    }

    #[test]
    fn positives_rise_to_the_ratio_rounded_down() {
        // 45 negatives: ⌊0.1 × 45⌋ = 4 positives, so 1 is added to 3
        let rows = smote(5, 0.1).apply(plane(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], 45), 1).unwrap();
        assert_eq!((rows.positives(), rows.negatives()), (4, 45));
        assert_eq!(rows.x().rows(), 49, "new rows follow the old ones");
    }

    #[test]
    fn enough_positives_are_left_alone() {
        let rows = plane(&[[0.0, 0.0], [1.0, 0.0]], 10);
        assert_eq!(smote(5, 0.2).apply(rows.clone(), 1).unwrap(), rows);
    }

    #[test]
    fn a_single_positive_is_repeated() {
        let rows = smote(5, 0.5).apply(plane(&[[3.0, 4.0]], 8), 1).unwrap();
        assert_eq!(rows.positives(), 4);
        assert!(rows.x().iter().skip(9).all(|row| row == [3.0, 4.0]));
    }

    #[test]
    fn only_the_nearest_neighbour_is_used() {
        // 0 and 1 are neighbours, 100 and 101 are: with k = 1 no new row lies between 1 and 100
        let near = [[0.0, 0.0], [1.0, 0.0], [100.0, 0.0], [101.0, 0.0]];
        let rows = smote(1, 1.0).apply(plane(&near, 200), 5).unwrap();
        for row in rows.x().iter().skip(204) {
            assert!((0.0..=1.0).contains(&row[0]) || (100.0..=101.0).contains(&row[0]), "{row:?}");
        }
    }

    #[test]
    fn distances_are_scaled_by_standard_deviation() {
        // x runs over thousands, y over hundredths. Unscaled, row 0 is nearest to row 2 (3 apart in x);
        // scaled, to row 1, which has the same y and differs in x by 30 of a deviation of some 500.
        let x = Matrix::<TestPlane>::from_rows([
            [0.0, 0.00],
            [30.0, 0.00],
            [3.0, 0.05],
            [999.0, 0.00],
            [-999.0, 0.05],
            [0.0, -0.05],
        ])
        .unwrap();
        let nearest = |scaled| Neighbours::new(&x, &[0, 1, 2], 1, scaled).of(0).to_vec();
        assert_eq!((nearest(true), nearest(false)), (vec![1], vec![2]));
    }

    #[test]
    fn ties_rank_by_row_and_agree_with_a_full_sort() {
        let rows = mixed(3000, 5);
        let positives: Vec<usize> = (0..3000).filter(|&row| rows.y()[row]).collect();
        let mut neighbours = Neighbours::new(rows.x(), &positives, 5, true);
        let width = neighbours.width;
        for origin in [0, 7, positives.len() - 1] {
            let scaled = neighbours.scaled.clone();
            let row = |i: usize| &scaled[i * width..(i + 1) * width];
            let mut all: Vec<(f32, usize)> = (0..positives.len())
                .filter(|&other| other != origin)
                .map(|other| (squared_distance(row(origin), row(other)), other))
                .collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let expected: Vec<usize> = all.iter().take(5).map(|&(_, other)| other).collect();
            assert_eq!(neighbours.of(origin), expected);
        }
    }

    #[test]
    fn equal_seeds_give_equal_bits() {
        let first = smote(5, 0.5).apply(mixed(2000, 1), 9).unwrap();
        assert_eq!(first, smote(5, 0.5).apply(mixed(2000, 1), 9).unwrap());
        assert_ne!(first, smote(5, 0.5).apply(mixed(2000, 1), 10).unwrap());
    }

    #[test]
    fn a_class_without_rows_is_refused() {
        let error = smote(5, 0.5).apply(plane(&[], 3), 1).unwrap_err();
        assert_eq!(error.to_string(), "expected rows of both classes, found no positive row");
        let error = smote(5, 0.5).apply(plane(&[[1.0, 1.0]], 0), 1).unwrap_err();
        assert_eq!(error.to_string(), "expected rows of both classes, found no negative row");
    }

    proptest! {
        #[test]
        fn a_synthetic_row_lies_between_two_positives(
            points in prop::collection::vec([-1000.0_f32..1000.0, -1000.0_f32..1000.0], 1..8),
            k in 1_usize..9,
            seed: u64,
        ) {
            let rows = smote(k, 1.0).apply(plane(&points, 40), seed).unwrap();
            for new in rows.x().iter().skip(points.len() + 40) {
                let parents = points.iter().any(|a| points.iter().any(|b| {
                    (0..2).all(|c| a[c].min(b[c]) <= new[c] && new[c] <= a[c].max(b[c]))
                }));
                prop_assert!(parents, "{:?} lies between no two of {:?}", new, points);
            }
        }
    }
}
