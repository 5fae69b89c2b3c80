//! Bessel functions of integer order.

use std::f64::consts::PI;

use ad_macros::derivative_of;

/// The Bessel function of the first kind, of order 0.
#[must_use]
pub fn j0(x: f64) -> f64 {
    libm::j0(x)
}

#[derivative_of(j0, crate = crate)]
pub fn j0_rule(x: f64) -> f64 {
    -libm::j1(x)
}

/// The Bessel function of the first kind, of order 1.
#[must_use]
pub fn j1(x: f64) -> f64 {
    libm::j1(x)
}

#[derivative_of(j1, crate = crate)]
pub fn j1_rule(x: f64) -> f64 {
    0.5 * (libm::j0(x) - libm::jn(2, x))
}

/// The Bessel function of the first kind, of order `n`.
#[must_use]
pub fn jn(n: i32, x: f64) -> f64 {
    libm::jn(n, x)
}

#[derivative_of(jn, crate = crate)]
pub fn jn_rule(n: i32, x: f64) -> f64 {
    0.5 * (libm::jn(n - 1, x) - libm::jn(n + 1, x))
}

/// The Bessel function of the second kind, of order 0, for x > 0.
#[must_use]
pub fn y0(x: f64) -> f64 {
    libm::y0(x)
}

#[derivative_of(y0, crate = crate)]
pub fn y0_rule(x: f64) -> f64 {
    -libm::y1(x)
}

/// The Bessel function of the second kind, of order 1, for x > 0.
#[must_use]
pub fn y1(x: f64) -> f64 {
    libm::y1(x)
}

#[derivative_of(y1, crate = crate)]
pub fn y1_rule(x: f64) -> f64 {
    0.5 * (libm::y0(x) - libm::yn(2, x))
}

/// The Bessel function of the second kind, of order `n`, for x > 0.
#[must_use]
pub fn yn(n: i32, x: f64) -> f64 {
    libm::yn(n, x)
}

#[derivative_of(yn, crate = crate)]
pub fn yn_rule(n: i32, x: f64) -> f64 {
    0.5 * (libm::yn(n - 1, x) - libm::yn(n + 1, x))
}

/// The modified Bessel function of the first kind, of order 0.
#[must_use]
pub fn i0(x: f64) -> f64 {
    modified(0, x.abs())
}

#[derivative_of(i0, crate = crate)]
pub fn i0_rule(x: f64) -> f64 {
    i1(x)
}

/// The modified Bessel function of the first kind, of order 1.
#[must_use]
pub fn i1(x: f64) -> f64 {
    if x < 0.0 {
        -modified(1, -x)
    } else {
        modified(1, x)
    }
}

#[derivative_of(i1, crate = crate)]
pub fn i1_rule(x: f64) -> f64 {
    0.5 * (modified(0, x.abs()) + modified(2, x.abs()))
}

/// The modified Bessel function of the first kind, for x ≥ 0: its power series, all of whose terms are positive, then
/// its expansion at infinity.
fn modified(n: u32, x: f64) -> f64 {
    if x == f64::INFINITY {
        return x;
    }
    let order = f64::from(n);
    if x <= 30.0 {
        let half = 0.5 * x;
        let mut term = (1..=n).fold(1.0, |term, k| term * half / f64::from(k));
        let (mut sum, mut k) = (term, 0.0);
        while term > sum * f64::EPSILON * 0.25 {
            k += 1.0;
            term *= half * half / (k * (k + order));
            sum += term;
        }
        return sum;
    }
    let mu = 4.0 * order * order;
    let (mut term, mut sum, mut k) = (1.0_f64, 1.0, 1.0);
    while term.abs() > f64::EPSILON * 0.25 {
        let odd = 2.0 * k - 1.0;
        term *= (odd * odd - mu) / (k * 8.0 * x);
        sum += term;
        k += 1.0;
    }
    // In two factors: the value may be finite where e^x is not.
    let root = (0.5 * x).exp();
    root / (2.0 * PI * x).sqrt() * sum * root
}
