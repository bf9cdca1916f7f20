//! A logistic regression, fitted by `linfa-logistic`: one weight a column.
//!
//! Columns are scaled to mean 0 and variance 1 first, since penalty and optimiser expect columns of one size. The model holds
//! the weights of the columns as they are. The library multiplies matrices with the vector instructions that it finds, so
//! that the last bits of weights may differ between processors. Cost: `O(steps·n·d)`.
//!
//! # Source
//!
//! Liu & Nocedal (1989), On the limited memory BFGS method for large scale optimization, Mathematical Programming 45,
//! 503–528, <https://doi.org/10.1007/BF01589116>.

use super::fit::{FitError, refused};
use super::labelled_rows::{LabelledRows, view};
use linfa::prelude::*;
use linfa_logistic::LogisticRegression;
use ndarray::{Array1, Array2};
use tsugi_scoring::{FlatModel, LogisticParams, Matrix, Schema, Slope};

/// How far a score may be from the library's, which computes in `f64`.
const TOLERANCE: f64 = 1e-6;

pub(crate) fn fit<S: Schema>(
    params: &LogisticParams,
    rows: &LabelledRows<S>,
) -> Result<FlatModel<S>, FitError> {
    let scales = scales(rows.x());
    let x = scaled(rows.x(), &scales);
    let y = Array1::from_iter(rows.y().iter().copied());
    let trained = LogisticRegression::default()
        .alpha(params.l2.into())
        .max_iterations(params.steps as u64)
        .fit(&DatasetBase::new(x.view(), y))
        .map_err(refused("linfa-logistic"))?;
    // The library's positive class is the larger one.
    let sign = if trained.labels().pos.class { 1.0 } else { -1.0 };
    let weights = trained.params().iter().zip(&scales);
    let slopes =
        weights.map(|(weight, scale)| Slope { weight: sign * weight / scale.deviation, mean: scale.mean });
    #[expect(clippy::cast_possible_truncation, reason = "log-odds are rounded")]
    let base = (sign * trained.intercept()) as f32;
    let model = FlatModel::linear(base, slopes.collect())?;
    if cfg!(debug_assertions) {
        let expected = trained.predict_probabilities(&x).mapv(|p| if sign > 0.0 { p } else { 1.0 - p });
        check_close(&model, rows, expected.iter())?;
    }
    Ok(model)
}

fn check_close<'a, S: Schema>(
    model: &FlatModel<S>,
    rows: &LabelledRows<S>,
    expected: impl Iterator<Item = &'a f64>,
) -> Result<(), FitError> {
    for (row, (found, expected)) in model.score(rows.x()).into_iter().zip(expected).enumerate() {
        if (f64::from(found) - expected).abs() > TOLERANCE {
            #[expect(clippy::cast_possible_truncation, reason = "it is shown only")]
            return Err(FitError::Differs { row, expected: *expected as f32, found });
        }
    }
    Ok(())
}

struct Scale {
    mean: f64,
    /// 1 if all values are equal.
    deviation: f64,
}

fn scales<S: Schema>(x: &Matrix<S>) -> Vec<Scale> {
    let columns = view(x);
    let of_column = |values: ndarray::ArrayView1<'_, f32>| {
        let first = values.first().copied().unwrap_or_default();
        if values.iter().all(|value| *value == first) {
            return Scale { mean: first.into(), deviation: 1.0 };
        }
        let rows = values.len() as f64;
        let mean = values.iter().map(|value| f64::from(*value)).sum::<f64>() / rows;
        let squares = values.iter().map(|value| (f64::from(*value) - mean).powi(2)).sum::<f64>();
        Scale { mean, deviation: (squares / rows).sqrt() }
    };
    columns.columns().into_iter().map(of_column).collect()
}

fn scaled<S: Schema>(x: &Matrix<S>, scales: &[Scale]) -> Array2<f64> {
    let mut scaled = view(x).mapv(f64::from);
    for (mut column, scale) in scaled.columns_mut().into_iter().zip(scales) {
        column.mapv_inplace(|value| (value - scale.mean) / scale.deviation);
    }
    scaled
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{TestPlane, best_f, mixed};

    #[test]
    fn scores_as_the_library_does_on_every_row() {
        let rows = mixed(3_000, 1);
        let model = fit(&LogisticParams::default(), &rows).unwrap();
        // Means and variances by the book, not by the code above.
        let mut x = view(rows.x()).mapv(f64::from);
        for mut column in x.columns_mut() {
            let (mean, deviation) = (column.mean().unwrap(), column.std(0.0));
            column.mapv_inplace(|value| (value - mean) / deviation);
        }
        let y = Array1::from_iter(rows.y().iter().copied());
        let library = LogisticRegression::default().fit(&DatasetBase::new(x.view(), y)).unwrap();
        // Most rows are negative, so the library's positive class is ours of negatives.
        assert!(!library.labels().pos.class);
        let expected = library.predict_probabilities(&x).mapv(|p| 1.0 - p);
        check_close(&model, &rows, expected.iter()).unwrap();
        let labels = library.predict(&x);
        for ((score, label), p) in model.score(rows.x()).into_iter().zip(labels).zip(expected) {
            assert!((score > 0.5) == label || (p - 0.5).abs() < TOLERANCE, "{score} {label}");
        }
    }

    #[test]
    fn columns_of_all_sizes_are_learned_from() {
        let rows = |scale: f32| {
            let x = (0_u16..100).map(|row| [f32::from(row) * scale, 7.3]);
            LabelledRows::new(
                Matrix::<TestPlane>::from_rows(x).unwrap(),
                (0..100).map(|row| row >= 50).collect(),
            )
            .unwrap()
        };
        for scale in [1e-30, 1.0, 1e30] {
            let rows = rows(scale);
            let model = fit(&LogisticParams::default(), &rows).unwrap();
            let f1 = best_f(&model.score(rows.x()), rows.y());
            assert_eq!(f1, 1.0, "{scale}");
            // The second column never changes, so it says nothing.
            assert_eq!(model.contributions(&[0.0, 100.0])[1], 0.0);
        }
    }
}
