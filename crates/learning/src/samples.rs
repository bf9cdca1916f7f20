//! Schemas, trees and seeded rows for tests.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::labelled_rows::LabelledRows;
use super::metrics::{PrPoint, pr_curve};
use tsugi_scoring::{Column, Matrix, Range, Schema, Symbol, Unit};

#[derive(Clone, Copy, Debug)]
pub(crate) struct TestPlane;

impl Schema for TestPlane {
    const NAME: &'static str = "plane";
    fn columns() -> &'static [Column] {
        const {
            const EXTENT: Range = Range { low: -1000.0, high: 1000.0 };
            &[
                Column::new("x", Unit::Count, EXTENT, "first coordinate", "own"),
                Column::new("y", Unit::Count, EXTENT, "second coordinate", "own"),
            ]
        }
    }
}

/// Fourteen columns of mixed units: flags, heavy-tailed counts, tiny ratios, positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MixedRows;

const FLAG: Column = Column::new("flag", Unit::Flag, Range::flag(), "a flag", "own");
const COUNT: Column = Column::new("count", Unit::Count, Range::at_least(0.0), "a count", "own");
const RATIO: Column = Column::new("ratio", Unit::Ratio, Range::unit(), "a ratio", "own");

impl Schema for MixedRows {
    const NAME: &'static str = "mixed";
    fn columns() -> &'static [Column] {
        const { &[FLAG, FLAG, FLAG, FLAG, COUNT, COUNT, COUNT, COUNT, RATIO, COUNT, RATIO, RATIO, RATIO, RATIO] }
    }
}

pub(crate) const fn split(column: u16, threshold: f32) -> Symbol {
    Symbol::Split { column, threshold }
}

pub(crate) const fn leaf(value: f32, cover: u32) -> Symbol {
    Symbol::Leaf { value, cover }
}

/// `rows` rows, of which some 8 % are positive; which ones depends on most columns, with noise.
#[expect(clippy::many_single_char_names, reason = "the names of the model's formula")]
pub(crate) fn mixed(rows: usize, seed: u64) -> LabelledRows<MixedRows> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut x = Matrix::with_capacity(rows);
    let mut y = Vec::with_capacity(rows);
    for _ in 0..rows {
        let u: [f32; 14] = std::array::from_fn(|_| generator.random());
        let mut f = u;
        for j in 0..4 {
            f[j] = f32::from(u8::from(u[j] < 0.12));
        }
        for j in 4..8 {
            f[j] = (1.0 / (u[j] + 0.001)).floor();
        }
        f[8] = u[8] * u[8] * 1e-3;
        f[9] = (u[9] * 40.0).floor();
        let corner = if f[10] > 0.7 && f[11] < 0.3 { 2.5 } else { 0.0 };
        let z = -5.2 + 3.0 * f[0] + 2.0 * f[1] * f[2] + 1.5 * f[3] + 1.2 * (f[4] / (1.0 + f[5])).min(3.0)
            - 2.0 * f[12] * f[13]
            + 2.5 * (f[8] * 1000.0 - 0.5)
            + 1.5 * ((f[9] - 20.0).abs() / 20.0)
            + corner;
        let p = 1.0 / (1.0 + (-1.6 * z).exp());
        y.push(generator.random::<f32>() < p);
        x.push(&f).unwrap();
    }
    LabelledRows::new(x, y).unwrap()
}

pub(crate) fn best_f(scores: &[f32], labels: &[bool]) -> f64 {
    let f = |point: PrPoint| 2.0 * point.precision * point.recall / (point.precision + point.recall);
    pr_curve(scores, labels).unwrap().into_iter().map(f).fold(0.0, f64::max)
}

/// The mean of the precision at each positive.
pub(crate) fn average_precision(scores: &[f32], labels: &[bool]) -> f64 {
    let mut before = 0.0;
    let steps = pr_curve(scores, labels).unwrap().into_iter().map(|point| {
        let step = point.recall - before;
        before = point.recall;
        point.precision * step
    });
    steps.sum()
}
