//! Macros that another file of the package defines: in front of its modules, or in one under `#[macro_use]`.

#![allow(
    clippy::unwrap_used,
    unreachable_pub,
    reason = "the functions are written as users write them"
)]

#[macro_use]
mod tools;

macro_rules! should {
    ($requirement:expr) => {
        debug_assert!($requirement)
    };
}

macro_rules! nonnan {
    ($argument:ident) => {
        if $argument.is_nan() {
            return f64::NAN;
        }
    };
}

mod shapes;

use shapes::deep::{
    Bar, between, between_grad, bracket, bracket_grad, length, length_grad, nested, nested_grad,
};

/// `x²(1 − x)` inside of the unit interval.
#[test]
fn macros_of_the_root() {
    for x in [0.25, 0.75, 1.0] {
        let (value, dx) = between_grad(x);
        assert_eq!(value.to_bits(), between(x).to_bits());
        assert!((dx - (2.0 * x - 3.0 * x * x)).abs() < 1e-14, "{dx}");
    }
    let (value, dx) = between_grad(f64::NAN);
    assert!(value.is_nan() && dx == 0.0);
}

/// A jump that the template holds leaves the function as written, and the sweeps.
#[test]
fn macros_of_a_module_under_macro_use() {
    let (value, dx) = bracket_grad(&[1.5, -2.0, 0.5]);
    assert_eq!(value.to_bits(), bracket(&[1.5, -2.0, 0.5]).to_bits());
    assert_eq!((value, dx), (1.5 * 1.5, vec![3.0, 0.0, 0.0]));
    let (value, dx) = bracket_grad(&[1.5, 2.0]);
    assert_eq!((value, dx), (1.5 * 1.5 + 4.0, vec![3.0, 4.0]));
}

/// A name in the template that the caller has, too, is not the caller's.
#[test]
fn names_of_templates_are_their_own() {
    let bar = Bar {
        span: 3.0,
        rise: -4.0,
    };
    let (value, d) = length_grad(&bar);
    assert_eq!(value.to_bits(), length(&bar).to_bits());
    assert!((value - 25.0).abs() < 1e-12);
    assert!((d.span - 6.0).abs() < 1e-12 && (d.rise + 8.0).abs() < 1e-12);
}

#[test]
fn functions_of_the_body_may_have_attributes_of_tools() {
    for x in [0.25, -1.5] {
        let (value, dx) = nested_grad(x);
        assert_eq!(value.to_bits(), nested(x).to_bits());
        assert!((dx - (1.0 - 4.0 * x + 1.5 * x * x)).abs() < 1e-14, "{dx}");
    }
}
