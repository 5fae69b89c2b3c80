//! Indices from data, vectors that grow, options, tuples.

use retrograde::gradient;

/// In place, where the data say. Sizes: up to 300_000.
#[gradient]
pub(crate) fn scatter(x: &[f64], k: &[usize], p: f64, at: usize) -> f64 {
    let mut a = x.to_vec();
    for i in 0..x.len() {
        assert!(i != at);
        let j = k[i];
        a[j] = (a[j] * p).sin() + x[i] * a[i];
    }
    let mut s = 0.0;
    for v in &a {
        s += v * v;
    }
    s
}

/// Indices that wrap around. Sizes: up to 300_000.
#[gradient]
pub(crate) fn wrapped(x: &[f64], n: usize, p: f64) -> f64 {
    let mut a = x.to_vec();
    for i in 0..n {
        let j = i.wrapping_mul(7).wrapping_add(usize::MAX - 2) % n;
        let l = (i + n - 1) % n;
        let t = a[j];
        a[j] = t * 0.5 + x[i] * a[l] * p;
    }
    let mut s = 0.0;
    for i in 0..n {
        s += a[i] * x[(i + 3) % n];
    }
    s
}

/// Saturated neighbours. Sizes: up to 300_000.
#[gradient]
pub(crate) fn saturated(x: &[f64], n: usize) -> f64 {
    let mut a = x.to_vec();
    for i in 0..n {
        let l = i.saturating_sub(2);
        let r = (i + 2).min(n - 1);
        a[i] = a[l] * 0.5 + x[r] * x[i];
    }
    let mut s = 0.0;
    for v in &a {
        s += v * v;
    }
    s
}

/// A stack. Sizes: up to 200_000.
#[gradient]
pub(crate) fn stack(x: &[f64], k: &[usize], p: f64) -> f64 {
    let mut v = Vec::new();
    v.push(p);
    for i in 0..x.len() {
        if k[i] % 3 == 0 && v.len() > 1 {
            let a = v.pop().unwrap();
            let last = v.len() - 1;
            v[last] = (v[last] * a).sin() + 0.2;
        } else {
            v.push(x[i] * p);
        }
    }
    let mut s = 0.0;
    for t in &v {
        s += t * t;
    }
    s
}

/// Swaps by data. Sizes: up to 200.
#[gradient]
pub(crate) fn sorted(x: &[f64], p: f64) -> f64 {
    let mut a = x.to_vec();
    for i in 0..a.len() {
        for j in 1..a.len() - i {
            if a[j - 1] > a[j] {
                a.swap(j - 1, j);
            }
        }
    }
    let mut s = 0.0;
    for i in 0..a.len() {
        s += a[i] * (i as f64 * p).sin() * a[0];
    }
    s
}

/// Parameters that are no slices. Sizes: up to 200_000.
#[gradient]
pub(crate) fn shapes(
    t: (f64, f64),
    o: Option<f64>,
    a: &[f64; 3],
    c: (f64, usize),
    n: usize,
) -> f64 {
    let mut s = t.0 * a[0];
    let scale = if let Some(v) = o { v * v + 1.0 } else { t.1 };
    for i in 0..n {
        s = (s * 0.7 + scale * a[i % 3]).sin() * c.0;
        if i % 4 == c.1 % 4 {
            s += t.1 * a[2];
        }
    }
    s
}

/// Points in the plane. Sizes: up to 200_000.
#[gradient]
pub(crate) fn polygon(points: &[[f64; 2]], p: f64) -> f64 {
    let n = points.len();
    let mut area = 0.0;
    let mut length = 0.0;
    for i in 0..n {
        let (a, b) = (points[i], points[(i + 1) % n]);
        area += a[0] * b[1] - a[1] * b[0];
        length += (b[0] - a[0]).hypot(b[1] - a[1]);
    }
    area * p + length
}

/// A vector by value, summed from both ends. Sizes: up to 300_000.
#[gradient]
pub(crate) fn prefix(x: Vec<f64>, p: f64) -> f64 {
    let mut a = x;
    for i in 1..a.len() {
        a[i] = a[i] * a[i - 1] * p + a[i];
    }
    let mut s = 0.0;
    for i in 0..a.len() {
        s += a[i] * a[a.len() - 1 - i];
    }
    s
}

/// Slices of different lengths are saved. Sizes: up to 40_000.
#[gradient]
pub(crate) fn overwritten(x: &[f64], b: &[f64], m: usize) -> f64 {
    let mut a = x.to_vec();
    let mut s = 0.0;
    for i in 0..m {
        s += a[i] * a[i] * b[i];
        a[i..m].fill(s * 0.01);
        for j in i..m {
            a[j] += (x[j] * s * 0.001).sin();
        }
        a[..i].copy_from_slice(&b[..i]);
    }
    s
}
