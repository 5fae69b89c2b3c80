//! Single loops: sums, records of all sizes, loops on slices, exits, calls.

use retrograde::gradient;

#[gradient]
pub(crate) fn exponentials(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (c * x[i]).exp();
    }
    s * s
}

/// Several numbers that all iterations add to.
#[gradient]
pub(crate) fn several(x: &[f64], c: f64) -> f64 {
    let (d, e) = (c.sin(), c * c);
    let mut s = 0.0;
    let mut p = 0.0;
    for i in 0..x.len() {
        let t = (d * x[i] + e).exp();
        s += t * (e * x[i]).cos();
        p += t * d;
    }
    s * p
}

/// A record of numbers and flags.
#[gradient]
pub(crate) fn odd_records(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let t = (c * x[i]).tanh();
        let u = if t > 0.1 { t * t * c } else { (t + c).exp() };
        s += if u > 0.9 { u * t } else { u.sqrt() };
    }
    s * c
}

#[gradient]
pub(crate) fn wide_records(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    let mut p = 1.0;
    for i in 0..x.len() {
        let a = (c * x[i]).exp();
        let b = (a + c).ln();
        let d = (a * b).sin();
        s += d * a * c;
        p = (p + d * x[i]).cos();
    }
    s * p
}

/// Each iteration needs the one before.
#[gradient]
pub(crate) fn recurrence(x: &[f64], c: f64) -> f64 {
    let mut y = c;
    for i in 0..x.len() {
        y = (y * 0.9 + c * x[i]).sin();
    }
    y * y
}

/// Elements that several iterations read.
#[gradient]
pub(crate) fn neighbours(x: &[f64], c: f64) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    if n > 2 {
        for i in 1..n - 1 {
            let flux = (c * (x[i + 1] - x[i - 1])).exp();
            s += flux * x[i] * x[i - 1] * c;
        }
    }
    s
}

/// A loop that begins late, and neighbours further away.
#[gradient]
pub(crate) fn shifted(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for i in 5..x.len() {
        let t = (x[i - 5] * c + x[i - 2]).sin();
        s += t * t * x[i];
    }
    s * c
}

#[gradient]
pub(crate) fn in_place(x: &[f64], c: f64) -> f64 {
    let mut a = x.to_vec();
    for i in 1..a.len() {
        a[i] = (a[i] * c).sin() + 0.5 * a[i - 1];
    }
    let mut s = 0.0;
    for i in 0..a.len() {
        s += a[i] * a[i] * c;
    }
    s
}

#[gradient]
pub(crate) fn inclusive(x: &[f64], c: f64) -> f64 {
    let n = x.len();
    let mut s = 0.0;
    if n > 0 {
        for i in 0..=n - 1 {
            s += (c * x[i]).exp() * x[i];
        }
    }
    s
}

/// Left somewhere in the middle.
#[gradient]
pub(crate) fn early(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (c * x[i]).exp();
        if i > 3 * x.len() / 4 {
            break;
        }
    }
    for v in x {
        s += (v * c).cos() * c;
    }
    s
}

#[gradient]
pub(crate) fn unknown_length(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    let mut i = 0;
    while i < x.len() {
        s += (c * x[i]).exp() * c;
        i += 1 + i % 3;
    }
    s
}

#[gradient]
pub(crate) fn searched(x: &[f64], c: f64) -> f64 {
    let mut most = -1e300;
    for i in 0..x.len() {
        if x[i] > most {
            most = x[i];
        }
    }
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (c * (x[i] - most)).exp();
    }
    s.ln() + c
}

#[gradient]
pub(crate) fn views(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for v in x.chunks_exact(3) {
        let t = (v[0] * v[1] + c).sin();
        s += t * v[2];
    }
    for (a, b) in x.iter().zip(x.iter().skip(7)) {
        s += (a * b * c).exp();
    }
    s
}

/// Contributions that are zeros with a sign.
#[gradient]
pub(crate) fn signed_zeros(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s -= x[i] * (c - 0.7);
    }
    s
}

#[gradient]
pub(crate) fn quotients(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] / (x[i] * x[i] * c * c + 1.0) + c / (1.5 + x[i]);
    }
    s
}

#[gradient]
pub(crate) fn roots(x: &[f64], c: f64) -> f64 {
    let h = x.len() / 2;
    let mut f = vec![0.0; h];
    for i in 0..h {
        let d = x[i + h] - x[i];
        let l = (d * d + c * c).sqrt();
        f[i] = c * (l - 1.0) / l * d;
    }
    let mut s = 0.0;
    for i in 0..h {
        s += f[i] * f[i].exp();
    }
    s
}

#[gradient]
pub(crate) fn inner(v: f64, c: f64) -> f64 {
    let t = (v * c).exp();
    if t > 1.2 { t * t } else { t.sin() }
}

#[gradient(no(inline))]
pub(crate) fn called(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += inner(x[i], c) * c;
    }
    s + exponentials(x, c * 0.5)
}

/// A vector in each record.
#[gradient]
pub(crate) fn boxed(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let parts = vec![(x[i] * c).sin(); 1 + i % 4];
        let mut p = c;
        for part in &parts {
            p *= part * 1.5;
        }
        s += p;
    }
    s
}

#[gradient]
pub(crate) fn optional(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let t = (x[i] * c).exp();
        let kept = if i % 3 == 0 { None } else { Some(t * x[i]) };
        s += match kept {
            Some(v) => v * v * c,
            None => t,
        };
    }
    s
}

/// Strips behind strips: none but the first begins where a block does.
#[gradient]
pub(crate) fn strips_in_a_row(x: &[f64], c: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (c * x[i]).exp();
    }
    for i in 0..x.len() / 2 {
        let t = (s * 1e-6 + x[i] * c).sin();
        s += t * t;
    }
    for i in 0..x.len() / 3 {
        s += (c * x[i]).cos() * (s * 1e-3).cos();
    }
    s
}

/// An array that is computed, kept and overwritten.
#[gradient]
pub(crate) fn written_back(x: &[f64], c: f64) -> f64 {
    let mut a = x.to_vec();
    for _ in 0..3 {
        for i in 0..a.len() {
            a[i] = (a[i] * c).sin() + x[i] * a[i];
        }
    }
    let mut s = 0.0;
    for v in &a {
        s += v * v;
    }
    s
}

#[gradient]
pub(crate) fn single(x: &[f32], c: f32) -> f32 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += (c * x[i]).exp() * (c + x[i]);
    }
    s * s
}
