//! Comparisons of numbers, `izip!`, assertions, derived errors.

use approx::{abs_diff_eq, assert_relative_eq, relative_eq, ulps_eq};
use itertools::izip;
use retrograde::gradient;

use super::outcomes::{Fault, Of, Taken, adjoint, compare, logo, root};

#[gradient]
fn near(x: &[f64]) -> f64 {
    if relative_eq!(x[0], x[1], epsilon = 1e-3) {
        x[0]
    } else if abs_diff_eq!(x[0], 0.0) {
        x[2]
    } else if !ulps_eq!(x[3], x[4]) && approx::ulps_ne!(x[3], x[4], max_ulps = 4) {
        x[3] * x[4]
    } else {
        1.0
    }
}

#[test]
fn near_has_its_derivative() {
    compare(|x| near(x).value(), |x| near_grad(x).outcome());
}

#[gradient]
fn asserted(x: &[f64]) -> f64 {
    assert_relative_eq!(x[0], x[0], epsilon = 1e-9);
    approx::assert_abs_diff_eq!(x[1], x[1]);
    let b = approx::relative_ne!(x[0], 1.0);
    if b { x[0] * x[0] } else { x[1] }
}

#[test]
fn asserted_has_its_derivative() {
    compare(|x| asserted(x).value(), |x| asserted_grad(x).outcome());
}

#[gradient]
fn together(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (a, b, c) in izip!(x, &x[1..], x[2..].iter()) {
        s += a * b * c;
    }
    s + itertools::izip!(x.iter(), &x[1..])
        .map(|(a, b)| a * b)
        .sum::<f64>()
}

#[test]
fn together_has_its_derivative() {
    compare(|x| together(x).value(), |x| together_grad(x).outcome());
}

#[gradient]
fn checked(x: &[f64]) -> f64 {
    debug_assert!(x.len() > 2);
    debug_assert_eq!(x.len(), 6, "length {}", x.len());
    debug_assert_ne!(x.len(), 0);
    assert!(x[0] > -5.0, "x0 = {}", x[0]);
    x[0] * x[1]
}

#[test]
fn checked_has_its_derivative() {
    compare(|x| checked(x).value(), |x| checked_grad(x).outcome());
}

#[gradient]
fn matching(x: &[f64]) -> f64 {
    let k = x.len();
    if matches!(k, 1 | 2) {
        0.0
    } else if matches!(x.get(0), Some(v) if *v > 0.0) {
        x[0] * x[0]
    } else {
        x[1]
    }
}

#[test]
fn matching_has_its_derivative() {
    compare(|x| matching(x).value(), |x| matching_grad(x).outcome());
}

#[derive(Debug, thiserror::Error)]
pub enum E1 {
    #[error("neg {0}")]
    Neg(f64),
    #[error("inner")]
    Inner(#[from] Fault),
    #[error("len {got}")]
    Len { got: usize },
}
#[gradient]
fn derived_errors(x: &[f64]) -> Result<f64, E1> {
    if x.len() < 3 {
        return Err(E1::Len { got: x.len() });
    }
    if x[0] < 0.0 {
        return Err(E1::Neg(x[0]));
    }
    let r = root(x[1])?;
    Ok(r * x[2])
}

#[test]
fn derived_errors_has_its_derivative() {
    compare(
        |x| derived_errors(x).value(),
        |x| derived_errors_grad(x).outcome(),
    );
}
