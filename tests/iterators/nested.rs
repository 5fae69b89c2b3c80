//! `flat_map`, `flatten` and `chain`: several loops take the place of one.

use super::support::check;
use retrograde::gradient;

const POINTS: &[&[f64]] = &[
    &[0.7, 0.4, -0.3, 1.2, -0.5, 0.9],
    &[-1.3, 0.9, 1.1, 0.2, 0.8, -0.7],
];

#[gradient]
fn pairs(v: &[f64]) -> f64 {
    (0..v.len())
        .flat_map(|i| (i + 1..v.len()).map(move |j| v[i] * v[j] * (j - i) as f64))
        .sum()
}

#[test]
fn pairs_by_flat_map() {
    check(|p| pairs(p), |p| pairs_grad(p), POINTS);
    check(
        |p| pairs(p),
        |p| pairs_grad(p),
        &[&[], &[0.5], &[0.5, -2.0]],
    );
}

#[gradient]
fn entries(m: &[[f64; 3]], scale: f64) -> f64 {
    let all: f64 = m.iter().flatten().map(|x| x * x).sum();
    let some: f64 = m
        .iter()
        .flat_map(|row| row.iter().filter(|x| **x > 0.0))
        .map(|x| x.sqrt())
        .sum();
    let mut product = scale;
    for x in m.iter().flat_map(|row| row.iter()) {
        if *x < -0.4 {
            continue;
        }
        product *= x + 1.5;
        if product > 20.0 {
            break;
        }
    }
    all * some + product
}

#[test]
fn entries_of_rows() {
    let rows = |p: &[f64]| [[p[0], p[1], p[2]], [p[3], p[4], p[5]]];
    check(
        |p| entries(&rows(p), 1.25),
        |p| {
            let (value, (m, _)) = entries_grad(&rows(p), 1.25);
            (value, m.concat())
        },
        POINTS,
    );
    assert_eq!(entries_grad(&[], 1.25), (entries(&[], 1.25), (vec![], 1.0)));
}

#[gradient]
fn vectors(v: &[f64]) -> f64 {
    let rows: Vec<Vec<f64>> = vec![v.to_vec(), Vec::new(), vec![v[0] * v[1], v[2].sin()]];
    let kept: f64 = rows
        .iter()
        .flatten()
        .filter(|x| **x > -0.4)
        .take(6)
        .map(|x| x * x)
        .sum();
    let numbered: f64 = rows
        .iter()
        .flat_map(|r| r.iter())
        .enumerate()
        .map(|(i, x)| x * i as f64)
        .sum();
    let stopped: f64 = rows
        .iter()
        .flat_map(|r| r.iter().take_while(|x| **x > -0.4))
        .sum();
    let whole: f64 = rows
        .iter()
        .flat_map(|r| r.iter())
        .take_while(|x| **x > -0.4)
        .sum();
    kept * numbered + stopped * whole
}

#[test]
fn adapters_inside_and_behind() {
    check(|p| vectors(p), |p| vectors_grad(p), POINTS);
}

#[gradient]
fn shadowed(v: &[f64], x: f64) -> f64 {
    // Behind `flat_map`, `x` is the parameter again.
    v.iter()
        .flat_map(|x| (0..2).map(move |k| x * (k + 1) as f64))
        .filter(|y| *y > x - 1.07)
        .map(|y| y * x)
        .sum()
}

#[test]
fn names_of_the_inner_closure_end_with_it() {
    check(
        |p| shadowed(&p[..5], p[5]),
        |p| shadowed_grad(&p[..5], p[5]),
        POINTS,
    );
}

#[gradient]
fn chained(a: &[f64], b: &[f64]) -> f64 {
    let sum: f64 = a.iter().chain(b.iter()).map(|x| x * x).sum();
    let numbered: f64 = a
        .iter()
        .chain(b)
        .enumerate()
        .filter(|(i, _)| i % 2 == 0)
        .map(|(i, x)| x * i as f64)
        .sum();
    let back: f64 = a.iter().chain(b.iter()).rev().fold(0.2, |s, x| s * x + x);
    let mut product = 1.0;
    for x in a.iter().chain(b.iter()) {
        if *x < -0.6 {
            break;
        }
        if *x < 0.0 {
            continue;
        }
        product *= x + 0.5;
    }
    let collected: Vec<f64> = a.iter().chain(b).filter(|x| **x > 0.0).copied().collect();
    sum * numbered + back * product + collected[0]
}

#[test]
fn one_chain_behind_the_other() {
    check(
        |p| chained(&p[..2], &p[2..]),
        |p| {
            let (value, (a, b)) = chained_grad(&p[..2], &p[2..]);
            (value, [a, b].concat())
        },
        POINTS,
    );
}

#[gradient]
fn options(v: &[Option<f64>]) -> f64 {
    v.iter().flatten().map(|x| x * x).sum()
}

#[test]
fn options_are_flattened() {
    let (value, gradient) = options_grad(&[Some(2.0), None, Some(-3.0)]);
    assert_eq!((value, gradient), (13.0, vec![Some(4.0), None, Some(-6.0)]));
}
