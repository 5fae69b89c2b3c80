//! The digamma function, the derivative of ln Γ.

use std::f64::consts::PI;

/// The derivative of ln |Γ(x)|; NaN at zero and the negative integers. By the recurrence and the asymptotic series.
#[must_use]
pub fn digamma(x: f64) -> f64 {
    if x <= 0.0 {
        if x == x.floor() {
            return f64::NAN;
        }
        return digamma(1.0 - x) - PI / (PI * x).tan();
    }
    let (mut z, mut sum) = (x, 0.0);
    while z < 10.0 {
        sum -= 1.0 / z;
        z += 1.0;
    }
    const SERIES: [f64; 8] = [
        1.0 / 12.0,
        -1.0 / 120.0,
        1.0 / 252.0,
        -1.0 / 240.0,
        1.0 / 132.0,
        -691.0 / 32760.0,
        1.0 / 12.0,
        -3617.0 / 8160.0,
    ];
    let t = 1.0 / (z * z);
    let rest = SERIES.iter().rev().fold(0.0, |rest, c| (rest + c) * t);
    sum + z.ln() - 0.5 / z - rest
}
