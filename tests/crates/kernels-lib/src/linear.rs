//! Arrays and slices.

use diff::gradient;

/// The inner product of two arrays of one length.
#[gradient(crate = ::diff)]
#[must_use]
pub fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for i in 0..N {
        sum += a[i] * b[i];
    }
    sum
}

/// Multiplies in place.
#[gradient(crate = ::diff)]
pub fn scale(values: &mut [f64], factor: f64) {
    for v in values.iter_mut() {
        *v *= factor;
    }
}

/// A matrix times a vector.
#[gradient(crate = ::diff)]
#[must_use]
pub fn matrix_vector<const ROWS: usize, const COLUMNS: usize>(
    m: &[[f64; COLUMNS]; ROWS],
    x: &[f64; COLUMNS],
) -> [f64; ROWS] {
    let mut y = [0.0; ROWS];
    for i in 0..ROWS {
        y[i] = dot::<COLUMNS>(&m[i], x);
    }
    y
}

/// The squares of the entries.
#[gradient(crate = ::diff)]
#[must_use]
pub fn squares(values: &[f64]) -> Vec<f64> {
    let mut out = vec![0.0; values.len()];
    for i in 0..values.len() {
        out[i] = values[i] * values[i];
    }
    out
}
