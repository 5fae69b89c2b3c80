//! The same in single precision: records of 4 and 12 bytes, wider vectors.

use retrograde::gradient;

/// Records of 4 bytes. Sizes: up to 500_000.
#[gradient]
pub(crate) fn four(x: &[f32], p: f32) -> f32 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (p * x[i]).sin();
    }
    (s * 0.01).sin()
}

/// Records of 12 bytes. Sizes: up to 300_000.
#[gradient]
pub(crate) fn twelve(x: &[f32], y: &[f32], p: f32) -> f32 {
    let mut s = 0.5;
    for i in 0..x.len() {
        let a = (p * x[i]).sin();
        let b = (a + y[i]).exp();
        let c = (b * p).cos();
        s += a * b * c * 0.01;
    }
    s * s
}

/// Neighbours. Sizes: up to 500_000.
#[gradient]
pub(crate) fn bends(x: &[f32], y: &[f32]) -> f32 {
    let mut s = 0.0;
    for i in 2..x.len() {
        let d = x[i] - x[i - 1] * y[i - 2];
        s += d * d * 0.001;
    }
    s
}

/// A time loop. Sizes: up to 30_000.
#[gradient]
pub(crate) fn warmth(x: &[f32], p: f32, m: usize) -> f32 {
    let n = x.len();
    let mut u = x.to_vec();
    let mut v = u.clone();
    for _ in 0..m {
        for i in 1..n - 1 {
            v[i] = u[i] + p * 0.4 * (u[i + 1] - 2.0 * u[i] + u[i - 1]) / (1.0 + u[i] * u[i]);
        }
        std::mem::swap(&mut u, &mut v);
    }
    let mut s = 0.0;
    for i in 0..n {
        s += u[i] * u[i];
    }
    s
}

/// A product of a matrix and a vector. Sizes: up to 300_000.
#[gradient]
pub(crate) fn row_sums(w: &[f32], b: &[f32], m: usize) -> f32 {
    let mut total = 0.0;
    for i in 0..m {
        let mut s = 0.1;
        for j in 0..m {
            s += w[i * m + j] * b[j];
        }
        total += s.tanh() * b[i];
    }
    total
}
