//! Nested loops over matrices.

use retrograde::gradient;

/// A product of two matrices. Sizes: up to 20_000.
#[gradient]
pub(crate) fn product(w: &[f64], v: &[f64], m: usize) -> f64 {
    let mut c = vec![0.0; m * m];
    for i in 0..m {
        for j in 0..m {
            let mut s = 0.0;
            for k in 0..m {
                s += w[i * m + k] * v[k * m + j];
            }
            c[i * m + j] = s;
        }
    }
    let mut total = 0.0;
    for i in 0..m * m {
        total += c[i].sin() * c[i];
    }
    total
}

/// A layer per step: the products for `w` wait. Sizes: up to 10_000.
#[gradient]
pub(crate) fn recurrent(w: &[f64], b: &[f64], m: usize) -> f64 {
    let mut h = b.to_vec();
    let mut t = vec![0.0; m];
    let mut loss = 0.0;
    for step in 0..m + 3 {
        for i in 0..m {
            let mut s = b[i] * 0.3;
            for j in 0..m {
                s += w[i * m + j] * h[j];
            }
            t[i] = (s * 0.2).tanh();
        }
        for i in 0..m {
            h[i] = t[i];
            loss += t[i] * t[i] * step as f64;
        }
    }
    loss
}

/// Outer products of data, without a recurrence. Sizes: up to 40_000.
#[gradient]
pub(crate) fn batch(w: &[f64], #[constant] padded: &[f64], m: usize) -> f64 {
    let mut total = 0.0;
    for t in 0..7 {
        for i in 0..m {
            let mut s = 0.1;
            for j in 0..m {
                s += w[i * m + j] * padded[j + t];
            }
            total += s * s;
        }
    }
    total
}

/// Below the diagonal, with a record each. Sizes: up to 200_000.
#[gradient]
pub(crate) fn triangle(w: &[f64], b: &[f64], m: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..m {
        let mut s = b[i];
        for j in 0..i {
            s = (s + w[i * m + j] * b[j]).sin();
        }
        total += s * s;
    }
    total
}

/// Distances of all pairs. Sizes: up to 700.
#[gradient]
pub(crate) fn pairs(x: &[f64], y: &[f64], p: f64) -> f64 {
    let mut energy = 0.0;
    for i in 0..x.len() {
        for j in 0..i {
            let (dx, dy) = (x[i] - x[j], y[i] - y[j]);
            energy += 1.0 / (dx * dx + dy * dy + p).sqrt();
        }
    }
    energy
}

/// Elimination in place. Sizes: up to 2_500.
#[gradient]
pub(crate) fn elimination(w: &[f64], m: usize) -> f64 {
    let mut a = w.to_vec();
    for i in 0..m {
        a[i * m + i] += 2.0 * m as f64;
    }
    let mut log = 0.0;
    for k in 0..m {
        for i in k + 1..m {
            let f = a[i * m + k] / a[k * m + k];
            for j in k..m {
                a[i * m + j] -= f * a[k * m + j];
            }
        }
        log += a[k * m + k].ln();
    }
    log
}

/// Rows of different lengths. Sizes: up to 200_000.
#[gradient]
pub(crate) fn ragged(rows: &[Vec<f64>], p: f64) -> f64 {
    let mut total = 0.0;
    for row in rows {
        let mut s = p;
        for v in row {
            s = (s * v).sin() + 0.1;
        }
        total += s * row.len() as f64;
    }
    total
}
