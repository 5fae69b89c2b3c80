//! Ends of chains that keep an item, or share the items out.

use super::support::check;
use retrograde::{Differentiable, Record, gradient};

const SIX: &[&[f64]] = &[
    &[0.7, 0.4, -0.3, 1.2, -0.5, 0.9],
    &[-1.3, 0.9, 1.1, 0.2, 0.8, -0.7],
    &[-1.0, -0.9, -1.1, -0.2, -0.8, -0.7],
];

#[gradient]
fn extremes(v: &[f64]) -> f64 {
    let least = v.iter().copied().min_by(|a, b| a.total_cmp(b)).unwrap();
    let most = v
        .iter()
        .copied()
        .max_by(|a, b| a.partial_cmp(b).unwrap())
        .unwrap_or(0.0);
    let by_path = v.iter().copied().max_by(f64::total_cmp).unwrap();
    let behind = *v.iter().min_by(|a, b| a.total_cmp(b)).unwrap();
    let copied = v
        .iter()
        .max_by(|a, b| a.partial_cmp(b).unwrap())
        .copied()
        .unwrap();
    let nearest = v
        .iter()
        .map(|x| (x - 0.45) * (x - 0.45))
        .min_by(|a, b| a.total_cmp(b))
        .unwrap();
    (most - least) * by_path + behind * copied + nearest
}

#[test]
fn extremes_of_slices() {
    check(|p| extremes(p), |p| extremes_grad(p), SIX);
}

#[gradient]
fn first_or_last(v: &[f64], w: &[f64]) -> f64 {
    let (i, _) = v
        .iter()
        .copied()
        .enumerate()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap();
    let (j, _) = v
        .iter()
        .enumerate()
        .min_by(|(_, a), (_, b)| a.partial_cmp(b).unwrap())
        .unwrap();
    w[i] * v[i] + 10.0 * w[j]
}

#[test]
fn of_equal_items_min_by_yields_the_first_and_max_by_the_last() {
    let v = [2.0, 1.0, 2.0, 1.0];
    let w = [0.5, 0.25, 3.0, 7.0];
    assert_eq!(first_or_last(&v, &w), 8.5);
    let (value, (dv, dw)) = first_or_last_grad(&v, &w);
    assert_eq!(
        (value, dv, dw),
        (8.5, vec![0.0, 0.0, 3.0, 0.0], vec![0.0, 10.0, 2.0, 0.0])
    );
}

#[gradient]
fn kept(v: &[f64]) -> f64 {
    let product = v.iter().copied().reduce(|a, b| a * b + 0.5).unwrap();
    let largest = v.iter().map(|x| x * x).reduce(f64::max).unwrap_or(1.0);
    let first = v.iter().copied().find(|x| *x > 0.3).unwrap_or(2.0);
    let found = v.iter().find(|x| **x < -0.2).copied().unwrap_or(0.5);
    let root = v
        .iter()
        .find_map(|x| if *x > 0.5 { Some(x.sqrt()) } else { None })
        .unwrap_or(0.25);
    let last = v
        .iter()
        .filter(|x| **x > -0.6)
        .last()
        .copied()
        .unwrap_or(4.0);
    product * largest + first * found + root * last
}

#[test]
fn reduce_find_and_last() {
    check(|p| kept(p), |p| kept_grad(p), SIX);
    check(|p| kept(p), |p| kept_grad(p), &[&[1.5]]);
}

#[gradient]
fn empty(v: &[f64], other: f64) -> f64 {
    let a = v.iter().copied().reduce(|a, b| a * b).unwrap_or(other);
    let b = v
        .iter()
        .copied()
        .min_by(|a, b| a.total_cmp(b))
        .unwrap_or(2.0 * other);
    let c = v.iter().copied().find(|x| *x > 0.0).unwrap_or(3.0 * other);
    a * b * c
}

#[test]
fn of_nothing_there_is_none() {
    assert_eq!(
        empty_grad(&[], 0.5),
        (empty(&[], 0.5), (vec![], 6.0 * 3.0 * 0.25))
    );
}

#[gradient]
fn shared_out(v: &[f64]) -> f64 {
    let (a, b): (Vec<f64>, Vec<f64>) = v.iter().map(|x| (x * x, x.sin())).unzip();
    let (low, high): (Vec<f64>, Vec<f64>) = v.iter().copied().partition(|x| *x < 0.3);
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += a[i] * b[a.len() - 1 - i];
    }
    sum * low.iter().sum::<f64>() + high.iter().map(|x| x * x).sum::<f64>()
}

#[test]
fn unzip_and_partition() {
    check(|p| shared_out(p), |p| shared_out_grad(p), SIX);
    check(|p| shared_out(p), |p| shared_out_grad(p), &[&[]]);
}

#[derive(Clone, Copy, Differentiable, Record)]
struct Body {
    mass: f64,
    at: f64,
}

#[gradient]
fn moment(bodies: &[Body]) -> f64 {
    bodies
        .iter()
        .filter(|b| b.mass > 0.5)
        .map(|b| b.mass * b.at * b.at)
        .sum()
}

#[test]
fn items_that_are_structs() {
    let bodies = [
        Body { mass: 2.0, at: 0.5 },
        Body {
            mass: 0.25,
            at: 3.0,
        },
        Body {
            mass: 1.0,
            at: -1.0,
        },
    ];
    let (value, gradient) = moment_grad(&bodies);
    assert_eq!(value, moment(&bodies));
    let flat: Vec<_> = gradient.iter().map(|b| (b.mass, b.at)).collect();
    assert_eq!(flat, [(0.25, 2.0), (0.0, 0.0), (1.0, -2.0)]);
}

// A copy that a chain takes without a derivative, while the chain looks at what it is a copy of.

#[gradient]
fn counted_copies(p: Vec<f64>) -> f64 {
    let n = p
        .clone()
        .into_iter()
        .inspect(|&v| assert!(v < 9.0 || p.len() > 2))
        .take(4)
        .count();
    n as f64 * p[0] * p[p.len() - 1]
}

#[test]
fn copies_that_are_counted() {
    check(
        |p| counted_copies(p.to_vec()),
        |p| counted_copies_grad(p.to_vec()),
        SIX,
    );
}

// A chain without a derivative goes on where an argument binds a value first.

#[gradient]
fn scanned_chunks(p: &[[f64; 2]], x: f64) -> f64 {
    let mut part = p[1];
    let mut y = x * p[0][0];
    part[1..].fill(y);
    let rises = part
        .chunks(3)
        .scan(
            {
                let t: f64 = 0.1;
                t
            },
            |s, w| {
                *s += y.tanh() * w.len() as f64;
                Some(*s * 2.0_f64)
            },
        )
        .any(|v| v > 0.3 && part[part.len() - 1] >= 0.1);
    y = y * 0.5 + (if rises { y } else { 0.3 * x }).sin();
    y * part[0]
}

#[test]
fn chains_that_are_given_bound_values() {
    let rows = |p: &[f64]| [[p[0], p[1]], [p[2], p[3]]];
    check(
        |p| scanned_chunks(&rows(p), p[4]),
        |p| scanned_chunks_grad(&rows(p), p[4]),
        &[&[0.7, 0.4, -0.3, 1.2, 0.9], &[-1.3, 0.9, 1.1, 0.2, 0.7]],
    );
}

// What `find_map` makes of an item may be of a type that the text does not show.

const WEIGHTS: [f64; 3] = [1.5, 2.5, 0.5];

#[derive(Clone, Copy, retrograde::Differentiable, retrograde::Record)]
struct Mark {
    at: f64,
    height: f64,
}

#[gradient]
fn made_of_references(v: &[f64]) -> f64 {
    let weight = v
        .iter()
        .step_by(2)
        .find_map(|x| if *x >= 0.6 { Some(WEIGHTS[2]) } else { None })
        .unwrap_or(v[0]);
    let own = Mark {
        at: v[0],
        height: 1.0,
    };
    let marks: Vec<Mark> = v
        .iter()
        .map(|&at| Mark {
            at,
            height: at * v[0],
        })
        .collect();
    let mark = marks
        .iter()
        .find_map(|m| if m.at > 0.5 { Some(*m) } else { None })
        .unwrap_or(own);
    let (i, area) = marks
        .iter()
        .enumerate()
        .find_map(|(i, m)| {
            if m.height < 0.3 {
                Some((i, m.at * m.height))
            } else {
                None
            }
        })
        .unwrap_or((7, v[0]));
    weight * v[0] * mark.at * mark.height + area * i as f64
}

#[test]
fn what_is_made_of_references() {
    check(
        |p| made_of_references(p),
        |p| made_of_references_grad(p),
        SIX,
    );
    check(
        |p| made_of_references(p),
        |p| made_of_references_grad(p),
        &[&[0.4], &[-1.5], &[2.0]],
    );
}

/// Has no derivative.
fn level(x: f64) -> usize {
    let scaled = (x.abs() * 3.0) as usize;
    scaled.min(2)
}

#[gradient]
fn counted_from_a_level(v: &[f64; 4], w: &[f64], x: f64) -> f64 {
    let many = v
        .windows(3)
        .zip(w.iter())
        .scan((2 + level(w[1].cos())) as f64 * 0.1, |s, (part, _)| {
            *s = *s * 0.5 + x.sin() + part.len() as f64;
            if *s > 5.0 { None } else { Some(*s + 0.125) }
        })
        .filter(|s| *s > 0.3)
        .count();
    let high = w.iter().skip(level(v[0])).any(|t| *t > x);
    many as f64 * x + if high { v[3] * w[0] } else { v[2] }
}

#[test]
fn chains_that_are_given_what_functions_yield() {
    let rows = |p: &[f64]| [p[0], p[1], p[2], p[3]];
    check(
        |p| counted_from_a_level(&rows(p), &p[2..], p[4]),
        |p| {
            let (value, (v, w, x)) = counted_from_a_level_grad(&rows(p), &p[2..], p[4]);
            let sum = |i: usize| v[i] + if i >= 2 { w[i - 2] } else { 0.0 };
            let all = vec![sum(0), sum(1), sum(2), sum(3), w[2] + x];
            (value, all)
        },
        &[&[0.7, 0.4, -0.3, 1.2, 0.9], &[-1.3, 0.9, 1.1, 0.2, 0.75]],
    );
}
