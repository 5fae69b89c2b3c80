//! `no_gradient(…)` takes whatever is in it, with whatever result type.

use retrograde::{Record, gradient, no_gradient};

use crate::support::check;

/// Mantissa and exponent: `x = m · 2^e`.
fn frexp(x: f64) -> (f64, i32) {
    let e = x.abs().log2().floor() as i32 + 1;
    (x / 2.0_f64.powi(e), e)
}

fn good(x: f64) -> bool {
    x > 0.5
}

fn nearest(x: f64, grid: &[f64]) -> usize {
    let far = |&i: &usize| (grid[i] - x).abs();
    (0..grid.len())
        .min_by(|a, b| far(a).total_cmp(&far(b)))
        .unwrap_or(0)
}

fn rounded(x: f64) -> Option<f64> {
    (x.abs() < 10.0).then(|| x.round())
}

#[derive(Clone, Copy, Record)]
struct Cell {
    row: usize,
    inside: bool,
}

fn locate(x: f64) -> Cell {
    Cell {
        row: (x.abs() * 2.0) as usize % 3,
        inside: x > 0.0,
    }
}

#[gradient]
fn exponent(x: f64) -> f64 {
    let (_, e) = no_gradient(frexp(x));
    x * f64::from(e) + x.powi(2)
}

#[gradient]
fn mantissa_frozen(x: f64) -> f64 {
    let (m, _) = no_gradient(frexp(x));
    m * x
}

#[gradient]
fn bits(x: f64) -> f64 {
    let b = no_gradient(x.to_bits());
    if b >> 63 == 1 { -x * 2.0 } else { x * 3.0 }
}

#[gradient]
fn predicate_and(x: f64, y: f64) -> f64 {
    if no_gradient(good(x)) && y > 0.0 && no_gradient(good(x * y)) {
        x * y
    } else {
        x - y
    }
}

#[gradient]
fn predicate_named(x: f64) -> f64 {
    let ok = no_gradient(good(x) || x < -1.0);
    if ok { x * x } else { x }
}

#[gradient]
fn index(x: &[f64], #[constant] grid: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let k = no_gradient(nearest(x[i], grid));
        s += (x[i] - grid[k]) * (x[i] - grid[k]);
    }
    s
}

#[gradient]
fn optional(x: f64) -> f64 {
    match no_gradient(rounded(x)) {
        Some(r) => (x - r) * (x - r),
        None => x,
    }
}

#[gradient]
fn of_an_own_type(x: f64, w: &[f64; 3]) -> f64 {
    let cell = no_gradient(locate(x));
    let s = w[cell.row] * x;
    if cell.inside { s * s } else { s }
}

#[gradient]
fn in_a_block(x: f64) -> f64 {
    let k = no_gradient({
        let (m, e) = frexp(x);
        if m > 0.7 { e + 1 } else { e }
    });
    x * f64::from(k)
}

const NUMBERS: [f64; 6] = [0.3, 0.61, 1.7, -0.9, 2.3, 6.2];

#[test]
fn cuts_take_what_is_in_them() {
    for x in NUMBERS {
        check(|x| exponent(x[0]), |x| exponent_grad(x[0]), &[&[x]]);
        check(|x| bits(x[0]), |x| bits_grad(x[0]), &[&[x]]);
        check(
            |x| predicate_named(x[0]),
            |x| predicate_named_grad(x[0]),
            &[&[x]],
        );
        check(|x| optional(x[0]), |x| optional_grad(x[0]), &[&[x]]);
        check(|x| in_a_block(x[0]), |x| in_a_block_grad(x[0]), &[&[x]]);
        for y in NUMBERS {
            check(
                |x| predicate_and(x[0], x[1]),
                |x| predicate_and_grad(x[0], x[1]),
                &[&[x, y]],
            );
            let weights = |p: &[f64]| [p[1], p[2], p[3]];
            check(
                |p| of_an_own_type(p[0], &weights(p)),
                |p| of_an_own_type_grad(p[0], &weights(p)),
                &[&[x, y, 0.4, 1.3]],
            );
        }
    }
    let grid = [-1.0, 0.4, 2.5];
    check(
        |x| index(x, &grid),
        |x| index_grad(x, &grid),
        &[&NUMBERS, &[]],
    );
}

/// What is cut counts as a constant, also where it is a part of `x`.
#[test]
fn what_is_cut_has_no_derivative() {
    for x in NUMBERS {
        assert_eq!(mantissa_frozen_grad(x).1, frexp(x).0);
    }
}
