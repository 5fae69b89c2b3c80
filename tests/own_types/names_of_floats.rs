//! Functions of floats by another name of the type, which another module or a `cfg` chooses.

use retrograde::gradient;

use crate::support::check;

mod numbers {
    pub(super) type Real = f64;
    pub(super) type Narrow = f32;
}

use numbers::{Narrow, Real};

#[cfg(not(target_os = "none"))]
type Math = f64;
#[cfg(target_os = "none")]
type Math = libm::Libm<f64>;

#[gradient]
fn polar(x: f64, y: f64) -> f64 {
    Math::atan2(y, x) * Math::hypot(x, y) + Math::max(x, y) * Math::powf(x.abs(), y)
}

#[gradient]
fn waves(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..x.len() {
        let wave: f64 = Real::sin(x[k]) + Real::exp(-x[k]);
        sum += wave * Real::sqrt(x[k] + 3.0) + Real::floor(x[k]);
        sum = Real::min(sum, 2.5);
    }
    sum
}

#[gradient]
fn narrow(x: f32) -> f32 {
    Narrow::tanh(x) * Narrow::ln(x)
}

#[test]
fn as_those_of_the_type_itself() {
    let points: &[&[f64]] = &[&[0.5, 1.5], &[-0.75, 0.25], &[2.0, -0.5]];
    check(
        |p| polar(p[0], p[1]),
        |p| {
            let (value, (dx, dy)) = polar_grad(p[0], p[1]);
            (value, [dx, dy])
        },
        points,
    );
    check(waves, waves_grad, points);
    let (value, dx) = narrow_grad(1.5);
    let (tanh, ln) = (1.5_f32.tanh(), 1.5_f32.ln());
    assert_eq!(value, tanh * ln);
    assert!((dx - ((1.0 - tanh * tanh) * ln + tanh / 1.5)).abs() < 1e-6);
}
