//! Functions of the crate `libm`: called by path, by name, and given to others.

#![allow(
    clippy::all,
    unused,
    unused_qualifications,
    unreachable_pub,
    reason = "the functions are written as users write them"
)]

#[path = "support/mod.rs"]
mod support;

use libm::{atan2, cos, expf, hypot, sqrt};
use retrograde::gradient;

use support::{assert_same_value, check, check_exact, unary};

unary! {
    libm:
    acos: [-0.6, 0.1, 0.5];
    acosh: [1.6, 4.0];
    asin: [-0.6, 0.1, 0.5];
    asinh: [-2.0, 0.0, 0.5];
    atan: [-2.0, 0.0, 0.5];
    atanh: [-0.6, 0.1];
    cbrt: [-2.0, 0.5, 8.0];
    ceil: [0.3, 1.9];
    cosh: [-1.0, 0.3];
    erf: [-0.8, 0.0, 1.5];
    erfc: [-0.8, 0.0, 1.5];
    exp: [-0.8, 0.0, 1.5];
    exp10: [-0.8, 0.0, 0.7];
    exp2: [-0.8, 0.0, 1.5];
    expm1: [-0.8, 0.0, 1.5];
    fabs: [-0.8, 1.5];
    floor: [0.3, 1.9];
    lgamma: [-1.5, 0.4, 2.0, 90.0];
    log: [0.3, 7.0];
    log10: [0.3, 7.0];
    log1p: [-0.4, 7.0];
    log2: [0.3, 7.0];
    rint: [0.3, 1.9];
    round: [0.3, 1.9];
    roundeven: [0.3, 1.9];
    sin: [-0.8, 0.0, 1.5];
    sinh: [-0.8, 0.0, 1.5];
    tan: [-0.8, 0.0, 0.9];
    tanh: [-0.8, 0.0, 0.9];
    tgamma: [0.4, 1.0, 7.5];
    trunc: [-0.3, 1.9];
}

/// By name, renamed names apart.
#[gradient]
fn by_name(x: f64, y: f64) -> f64 {
    let r = sqrt(x * x + y * y);
    let angle = atan2(y, x);
    r * cos(angle) + hypot(x, y) * libm::pow(x, y)
}

#[test]
fn functions_are_called_by_name() {
    check(
        |p| by_name(p[0], p[1]),
        |p| by_name_grad(p[0], p[1]),
        &[&[0.7, 1.3], &[2.0, -0.4]],
    );
}

/// In loops, with what they have computed again.
#[gradient]
fn iterated(x: &[f64], n: usize) -> f64 {
    let mut s = x[0];
    for k in 0..n {
        s = libm::sin(s) + x[k % x.len()] * libm::exp(-s);
        if libm::fabs(s) > 10.0 {
            break;
        }
    }
    libm::fmax(s, libm::fmin(x[0], 1.0)) + libm::fma(s, x[1], x[2]) + libm::fmod(x[1], 0.75)
        - libm::copysign(x[2], s)
}

#[test]
fn loops_call_them() {
    for n in [0, 1, 7] {
        check(
            |p| iterated(p, n),
            |p| iterated_grad(p, n),
            &[&[0.4, 1.1, -0.3], &[-2.0, 0.2, 3.0]],
        );
    }
}

#[gradient]
fn narrow(x: f32, y: f32) -> f32 {
    libm::sqrtf(x * x + y) * expf(-y) + libm::powf(x, 2.5)
}

#[test]
fn those_of_f32_are_of_f32() {
    let (x, y) = (1.5_f32, 0.25_f32);
    let (value, (dx, dy)) = narrow_grad(x, y);
    assert_eq!(value.to_bits(), narrow(x, y).to_bits());
    let (xd, yd) = (f64::from(x), f64::from(y));
    let root = (xd * xd + yd).sqrt();
    assert!((f64::from(dx) - (xd / root * (-yd).exp() + 2.5 * xd.powf(1.5))).abs() < 1e-5);
    assert!((f64::from(dy) - (0.5 / root - root) * (-yd).exp()).abs() < 1e-5);
}

/// Singular partials do no harm where nothing is asked of them.
#[gradient]
fn dead(x: f64) -> f64 {
    0.0 * libm::sqrt(x) + x
}

#[test]
fn a_zero_seed_gives_zero() {
    assert_eq!(dead_grad(0.0), (0.0, 1.0));
}

#[gradient]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * f(2.0 * x)
}

#[gradient]
fn given(x: f64) -> f64 {
    apply(libm::sinh, x) + apply(cos, x)
}

#[test]
fn they_are_arguments_of_functions() {
    check(|p| given(p[0]), |p| given_grad(p[0]), &[&[0.3], &[-1.0]]);
}

#[gradient]
fn mapped(x: &[f64]) -> f64 {
    x.iter().map(|v| libm::exp(-v * v)).sum::<f64>() + x.iter().copied().map(libm::cos).sum::<f64>()
}

#[test]
fn chains_call_them() {
    check(|p| mapped(p), |p| mapped_grad(p), &[&[0.3, -1.0, 2.0], &[]]);
}

#[gradient(seeds)]
fn several(x: f64, y: f64) -> [f64; 2] {
    [::libm::sin(x) * y, ::libm::hypot(x, y)]
}

#[test]
fn several_seeds_run_them() {
    let mut tape = retrograde::Tape::new();
    let (x, y) = (0.6_f64, 1.7_f64);
    let (mut dx, mut dy) = ([0.0; 2], [0.0; 2]);
    let seeds = [[2.0, -1.0], [0.0, 3.0]];
    let value = several_vjp_n(&mut tape, x, y, seeds, dx.each_mut(), dy.each_mut());
    assert_same_value(value[0], libm::sin(x) * y);
    let r = x.hypot(y);
    for (k, seed) in seeds.iter().enumerate() {
        assert!((dx[k] - (seed[0] * x.cos() * y + seed[1] * x / r)).abs() < 1e-14);
        assert!((dy[k] - (seed[0] * x.sin() + seed[1] * y / r)).abs() < 1e-14);
    }
}

/// Functions that yield two numbers.
#[gradient]
fn pairs(x: f64, y: f64) -> f64 {
    let (sin, cos) = libm::sincos(x * y);
    let (fraction, whole) = libm::modf(3.0 * x);
    let (mantissa, exponent) = libm::frexp(y);
    let (ln_gamma, sign) = libm::lgamma_r(x);
    let both = libm::sincos(x);
    sin * x + cos * cos + fraction * fraction * whole + mantissa * exponent as f64
        - ln_gamma * sign as f64
        + both.0 * both.1
}

/// The same by functions of std, and what the parts are known to be.
fn slopes_of_pairs(x: f64, y: f64) -> (f64, f64) {
    let (sin, cos) = (x * y).sin_cos();
    let (fraction, whole) = ((3.0 * x).fract(), (3.0 * x).trunc());
    let exponent = y.abs().log2().floor() + 1.0;
    let (_, sign) = libm::lgamma_r(x);
    let h = 1e-4;
    let digamma = (libm::lgamma(x - 2.0 * h) - 8.0 * libm::lgamma(x - h)
        + 8.0 * libm::lgamma(x + h)
        - libm::lgamma(x + 2.0 * h))
        / (12.0 * h);
    let of_product = cos * x - 2.0 * cos * sin;
    let dx =
        sin + of_product * y + 6.0 * fraction * whole - digamma * f64::from(sign) + (2.0 * x).cos();
    (dx, of_product * x + exponent / exponent.exp2())
}

#[test]
fn both_numbers_have_derivatives() {
    for (x, y) in [(0.7, 1.3), (2.4, -0.4), (-1.6, 40.0), (-0.3, 1e-3)] {
        let (value, (dx, dy)) = pairs_grad(x, y);
        assert_same_value(value, pairs(x, y));
        let (by_x, by_y) = slopes_of_pairs(x, y);
        assert!(
            (dx - by_x).abs() < 1e-9 * by_x.abs().max(1.0),
            "{dx} {by_x}"
        );
        assert!(
            (dy - by_y).abs() < 1e-12 * by_y.abs().max(1.0),
            "{dy} {by_y}"
        );
    }
}

#[gradient]
fn pairs_of_f32(x: f32) -> f32 {
    let (sin, cos) = libm::sincosf(x);
    let (fraction, _) = libm::modff(x);
    sin * cos + fraction * fraction
}

#[test]
fn pairs_of_f32_are_of_f32() {
    for x in [0.4_f32, 1.7, -2.2] {
        let (value, dx) = pairs_of_f32_grad(x);
        assert_eq!(value.to_bits(), pairs_of_f32(x).to_bits());
        let expected = (2.0 * x).cos() + 2.0 * x.fract();
        assert!((dx - expected).abs() < 1e-5, "{dx} {expected}");
    }
}

/// Powers of two that are given as integers, differences that are not negative, and remainders of both signs.
#[gradient]
fn scaled(x: f64, y: f64, n: i32) -> f64 {
    let mut sum = libm::ldexp(x * x, n) + libm::fdim(x, y) * x;
    for k in 0..3 {
        sum += libm::scalbn(sum, -k) * libm::remainder(y, 0.7);
    }
    let (rest, quotient) = libm::remquo(y, x);
    sum + libm::remainder(3.0, x) + rest * rest * quotient as f64
}

#[test]
fn scaling_differences_and_remainders_have_derivatives() {
    for n in [-1030, -2, 0, 5] {
        check(
            |p| scaled(p[0], p[1], n),
            |p| scaled_grad(p[0], p[1], n),
            &[&[0.7, 1.3], &[1.9, -0.4], &[-0.9, -1.1]],
        );
    }
}

#[test]
fn where_they_are_not_smooth_documented_slopes_hold() {
    #[gradient]
    fn difference(x: f64, y: f64) -> f64 {
        libm::fdim(x, y)
    }
    assert_eq!(difference_grad(1.0, 1.0), (0.0, (0.0, 0.0)));
    assert_eq!(difference_grad(3.0, 1.0), (2.0, (1.0, -1.0)));
    #[gradient]
    fn mantissa(x: f64) -> f64 {
        libm::frexp(x).0
    }
    assert_eq!(mantissa_grad(0.0), (0.0, 1.0));
    assert_eq!(mantissa_grad(f64::MAX).1, 2.0_f64.powi(-1023) / 2.0);
    #[gradient]
    fn unused(x: f64) -> f64 {
        0.0 * libm::tgamma(x) + 0.0 * libm::lgamma(x) + x
    }
    assert_eq!(unused_grad(200.0).1, 1.0);
}

#[gradient(seeds)]
fn several_of_pairs(x: f64, n: i32) -> [f64; 2] {
    let (sin, cos) = libm::sincos(x);
    [sin * cos, libm::ldexp(x, n)]
}

#[test]
fn several_seeds_run_pairs() {
    let mut tape = retrograde::Tape::new();
    let mut dx = [0.0; 2];
    let seeds = [[2.0, -1.0], [0.0, 3.0]];
    several_of_pairs_vjp_n(&mut tape, 0.6, 4, seeds, dx.each_mut());
    for (k, seed) in seeds.iter().enumerate() {
        assert!((dx[k] - (seed[0] * 1.2_f64.cos() + seed[1] * 16.0)).abs() < 1e-14);
    }
}

#[gradient]
fn apply_pair(f: impl Fn(f64) -> (f64, f64), x: f64) -> f64 {
    let (a, b) = f(x);
    a * b
}

#[gradient]
fn given_pair(x: f64) -> f64 {
    apply_pair(libm::sincos, x)
}

#[test]
fn pairs_are_arguments_of_functions() {
    check(
        |p| given_pair(p[0]),
        |p| given_pair_grad(p[0]),
        &[&[0.3], &[-1.0]],
    );
}
