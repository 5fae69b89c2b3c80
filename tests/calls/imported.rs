//! `swap`, `replace` and `take` by their names alone.

use core::mem::swap;
use std::mem::{replace, take};

use retrograde::gradient;

use crate::support::check;

#[gradient]
fn ordered(a: f64, b: f64, c: f64) -> f64 {
    let (mut a, mut b) = (a, b);
    if a > b {
        swap(&mut a, &mut b);
    }
    let old = replace(&mut a, c * b);
    let mut all = vec![old, b, a];
    all.push(a * old);
    let taken = take(&mut all);
    a * old + b * taken[3] + taken[0] * all.len() as f64
}

#[test]
fn those_of_std() {
    check(
        |p| ordered(p[0], p[1], p[2]),
        |p| ordered_grad(p[0], p[1], p[2]),
        &[&[0.5, 1.5, -2.0], &[2.0, 1.5, 0.25], &[-1.0, 2.0, 3.0]],
    );
}
