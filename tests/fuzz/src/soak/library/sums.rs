//! Sums over elements: records of many sizes, and none.

use retrograde::gradient;

/// The square of a sum of exponentials. Sizes: up to 1_000_000.
#[gradient]
pub(crate) fn exponentials(x: &[f64], p: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (p * x[i]).exp();
    }
    s * s
}

/// Records of 8 bytes, not fused: the sum is squared in the loop behind. Sizes: up to 1_000_000.
#[gradient]
pub(crate) fn eight(x: &[f64], p: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (p * x[i]).sin();
    }
    (s * p).sin()
}

/// Records of 16 bytes. Sizes: up to 500_000.
#[gradient]
pub(crate) fn sixteen(x: &[f64], y: &[f64], p: f64) -> f64 {
    let mut s = 1.0;
    let mut t = 0.0;
    for i in 0..x.len() {
        let e = (p * x[i]).exp();
        let c = (y[i] * e).cos();
        s += e * c;
        t += c / (1.0 + e);
    }
    (s * s + t * t).sqrt()
}

/// Records of 24 bytes. Sizes: up to 500_000.
#[gradient]
pub(crate) fn twenty_four(x: &[f64], y: &[f64], p: f64) -> f64 {
    let mut s = 0.5;
    for i in 0..x.len() {
        let a = (p * x[i]).sin();
        let b = (a + y[i]).exp();
        let c = (b * p).tanh();
        s += a * b * c;
    }
    s.ln_1p().abs() + s * s
}

/// Records of an odd size: a flag, and what one arm computes. Sizes: up to 300_000.
#[gradient]
pub(crate) fn odd(x: &[f64], p: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        if x[i] > 0.1 {
            let e = (x[i] * p).exp();
            s += e * e;
        } else {
            s += x[i].sin() * p * s.cos();
        }
    }
    s
}

/// Arms that record different amounts. Sizes: up to 300_000.
#[gradient]
pub(crate) fn arms(x: &[f64], k: &[usize], p: f64) -> f64 {
    let mut s = p;
    for i in 0..x.len() {
        s += match k[i] % 5 {
            0 => x[i] * x[i],
            1 => (x[i] * p).exp(),
            2 => {
                let a = x[i].sin();
                let b = (a * p).cos();
                a * b
            }
            3 if x[i] > 0.0 => (x[i] + 1.0).ln() * s.sin(),
            _ => 0.5,
        };
    }
    s
}

/// Arithmetic of neighbours, no record. Sizes: up to 1_000_000.
#[gradient]
pub(crate) fn neighbours(x: &[f64], p: f64) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len().saturating_sub(1) {
        let bend = x[i - 1] - 2.0 * x[i] + x[i + 1];
        s += bend * bend / (1.0 + p * x[i] * x[i]);
    }
    s
}

/// The Rosenbrock function. Sizes: up to 1_000_000.
#[gradient]
pub(crate) fn valley(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() {
        let a = x[i] - x[i - 1] * x[i - 1];
        let b = 1.0 - x[i - 1];
        s += 100.0 * a * a + b * b;
    }
    s
}

/// Iterator chains. Sizes: up to 500_000.
#[gradient]
pub(crate) fn chains(x: &[f64], y: &[f64], p: f64) -> f64 {
    let dot: f64 = x.iter().zip(y).map(|(a, b)| a * b).sum();
    let norm = x.iter().map(|a| a * a).sum::<f64>();
    let mut s = dot * p / (1.0 + norm);
    for pair in x.windows(2) {
        s += pair[0] * pair[1];
    }
    for part in y.chunks_exact(3) {
        s += (part[0] * part[1]).sin() * part[2];
    }
    s
}

/// The largest element and its place, then more of it. Sizes: up to 1_000_000.
#[gradient]
pub(crate) fn largest(x: &[f64], y: &[f64]) -> f64 {
    let mut best = -10.0;
    let mut at = 0;
    for i in 0..x.len() {
        if x[i] > best {
            best = x[i];
            at = i;
        }
    }
    let mut low = best;
    for v in y {
        low = low.min(*v);
    }
    if x.is_empty() {
        best
    } else {
        best * y[at] + low
    }
}

/// The place of the best product, by a constant table. Sizes: up to 500_000.
#[gradient]
pub(crate) fn chosen(x: &[f64], #[constant] y: &[f64]) -> f64 {
    let mut best = 0.0;
    let mut at = 0;
    for i in 0..y.len() {
        if y[i] > best {
            best = y[i];
            at = i;
        }
    }
    if x.is_empty() {
        0.0
    } else {
        x[at] * best + x[at] * x[0]
    }
}

/// Minimum, maximum, absolute values. Sizes: up to 300_000.
#[gradient]
pub(crate) fn kinks(x: &[f64], y: &[f64], p: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i].max(y[i]) * p - x[i].min(p).abs() + y[i].clamp(-0.5, 0.5);
    }
    s * s
}

/// Two results by the adjoint. Sizes: up to 300_000.
#[gradient]
pub(crate) fn moments(x: &[f64], p: f64) -> (f64, f64) {
    let (mut mean, mut square) = (0.0, 0.0);
    for v in x {
        let t = (v * p).sin();
        mean += t;
        square += t * t;
    }
    (mean / (1 + x.len()) as f64, (square + 1.0).sqrt() * p)
}
