//! Operators of numbers by the methods of their traits, which an import brings.

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use retrograde::gradient;

use crate::support::check;

const TURN: f64 = 1.75;

#[gradient]
fn angle(t: f64, by: f64) -> f64 {
    (3.5 + t * (7.25 + by * t)).rem(TURN) * 2.0
}

#[gradient]
fn all(x: f64, y: f64) -> f64 {
    x.add(y).mul(x.sub(y)).div(y.neg().add(3.0)).neg().rem(&4.0)
}

#[gradient]
fn behind_references(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (a, b) in x.iter().zip(&x[1..]) {
        sum += a.mul(b).add(a.sub(2.0));
    }
    sum
}

/// What is evaluated first stays so.
#[gradient]
fn in_order(x: f64) -> f64 {
    let mut at = x;
    at.mul({
        at *= 3.0;
        at
    })
}

/// Integers have them, too.
#[gradient]
fn counted(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for k in 0..n.mul(2) {
        sum += x[k.rem(x.len())] * (k as f64).add(0.5);
    }
    sum
}

mod by_glob {
    use core::ops::*;

    #[retrograde::gradient]
    pub fn wrapped(x: f32) -> f32 {
        x.mul(x).rem(0.75)
    }
}

#[test]
fn methods_of_operators_are_operators() {
    let points: &[&[f64]] = &[&[0.3, 0.7], &[1.4, -0.2], &[-0.6, 1.5]];
    check(|p| angle(p[0], p[1]), |p| angle_grad(p[0], p[1]), points);
    check(|p| all(p[0], p[1]), |p| all_grad(p[0], p[1]), points);
    let points: &[&[f64]] = &[&[0.3], &[-1.4]];
    check(|p| in_order(p[0]), |p| in_order_grad(p[0]), points);
    let lists: &[&[f64]] = &[&[0.3, 0.7, 2.0], &[1.4, -0.2]];
    check(behind_references, behind_references_grad, lists);
    check(|p| counted(p, 4), |p| counted_grad(p, 4), lists);
    assert_eq!(by_glob::wrapped_grad(1.5), (0.0, 3.0));
}
