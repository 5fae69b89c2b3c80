//! Adapters of the crate `itertools`.

use super::support::check;
use itertools::Itertools;
use retrograde::gradient;

#[gradient]
fn lengths(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (a, b) in x.iter().tuple_windows() {
        s += (b - a) * a.sin();
    }
    s
}

#[gradient]
fn curvature(x: &[f64]) -> f64 {
    let bends = x.iter().tuple_windows::<(_, _, _)>();
    let squares = x.iter().rev().map(|v| v * v);
    bends
        .map(|(a, b, c)| c - 2.0 * b + a)
        .fold(0.0, |s, d| s + d * d)
        + squares.tuple_windows().map(|(a, b)| a * b).sum::<f64>()
}

#[gradient]
fn four(x: &[f64]) -> f64 {
    x.iter()
        .skip(1)
        .map(|v| v.exp() * x[0])
        .tuple_windows()
        .map(|(a, b, c, d): (f64, f64, f64, f64)| a * b - c * d)
        .enumerate()
        .map(|(k, d)| d * (k + 1) as f64)
        .sum()
}

#[gradient]
fn folded(x: &[f64]) -> f64 {
    let steps = x
        .iter()
        .copied()
        .enumerate()
        .tuple_windows()
        .fold(1.0, |s, ((i, a), (j, b))| {
            s * 0.5 + a * b * (i + 2 * j) as f64
        });
    let mut s = steps;
    x.iter().tuple_windows().for_each(|(a, b)| s += a * b);
    s
}

#[gradient]
fn pairs(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (a, b) in x.iter().tuple_combinations() {
        s += (a - b).powi(2) * a;
    }
    s + x
        .iter()
        .tuple_combinations()
        .map(|(a, b)| (a * b).cos())
        .sum::<f64>()
}

#[gradient]
fn product(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, v) in (0..3).cartesian_product(x) {
        s = s * 0.9 + v * v * i as f64;
    }
    s + x
        .iter()
        .cartesian_product(x.iter().skip(1))
        .map(|(a, b)| a.powi(2) * b)
        .sum::<f64>()
}

#[gradient]
fn gathered(x: &[f64]) -> f64 {
    let squares = x.iter().map(|v| v * v).collect_vec();
    let all = squares.iter().zip(x).map(|(a, b)| a * b).collect_vec();
    all.iter().sum::<f64>() * squares[0]
}

/// Places alone.
#[gradient]
fn of_places(x: &[f64]) -> f64 {
    let ends = [0, 1, x.len() - 1];
    let mut s = 0.0;
    for (&a, &b) in ends.iter().tuple_windows() {
        s += x[a] * x[b];
    }
    for (i, j) in (0..x.len()).tuple_combinations() {
        s += x[i] * x[j] * (i + j) as f64;
    }
    s
}

const POINTS: &[&[f64]] = &[
    &[0.7, 0.4, -0.3, 1.2, 0.9, -0.8, 0.35],
    &[-1.3, 0.9, 1.1, -0.2, 0.6],
    &[0.25, -0.75],
];

#[test]
fn windows_of_items() {
    check(lengths, lengths_grad, POINTS);
    check(curvature, curvature_grad, POINTS);
    check(four, four_grad, POINTS);
    check(folded, folded_grad, POINTS);
    assert_eq!(lengths_grad(&[]), (0.0, vec![]));
    assert_eq!(lengths_grad(&[2.0]), (0.0, vec![0.0]));
}

#[test]
fn pairs_of_items() {
    check(pairs, pairs_grad, POINTS);
    check(product, product_grad, POINTS);
    check(of_places, of_places_grad, POINTS);
}

#[test]
fn items_in_a_vector() {
    check(gathered, gathered_grad, POINTS);
}
