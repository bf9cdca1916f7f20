//! Seeded rows for tests: a large imbalanced set that looks like ours.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::labelled_rows::LabelledRows;
use crate::matrix::Matrix;
use crate::samples::Mixed;

/// `rows` rows, of which some 8 % are positive; which ones depends on most columns, with noise.
#[expect(clippy::many_single_char_names, reason = "the names of the model's formula")]
pub(crate) fn mixed(rows: usize, seed: u64) -> LabelledRows<Mixed> {
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
