//! Items of which a copy cannot stand for the item: one writes through them, or they are structs.

use super::support::checked_by_name;
use retrograde::{Differentiable, Record, gradient};

const POINTS: &[&[f64]] = &[
    &[0.7, 0.4, -0.3, 1.2, -0.5, 0.9],
    &[-1.3, 0.9, 1.1, 0.2, 0.8, -0.7],
    &[0.6, -0.2],
    &[],
];

#[derive(Clone, Copy, Differentiable, Record)]
struct Point {
    x: f64,
    y: f64,
}

#[gradient]
fn written(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    if let Some(f) = v.iter_mut().find(|t| **t > 0.5) {
        *f = f.sqrt() * 3.0;
    }
    if let Some((i, l)) = v.iter_mut().enumerate().skip(1).last() {
        *l *= i as f64;
    }
    if let Some(m) = v.iter_mut().max_by(|a, b| a.total_cmp(b)) {
        *m += 1.0;
    }
    v.iter().enumerate().map(|(i, t)| t * (i + 1) as f64).sum()
}

#[gradient]
fn structs(x: &[f64]) -> f64 {
    let points: Vec<Point> = x
        .chunks_exact(2)
        .map(|c| Point { x: c[0], y: c[1] })
        .collect();
    if points.is_empty() {
        return 1.0;
    }
    let top = points.iter().max_by(|a, b| a.y.total_cmp(&b.y)).unwrap();
    let low = points
        .iter()
        .min_by(|a, b| a.y.partial_cmp(&b.y).unwrap())
        .unwrap();
    let last = points.iter().last().unwrap();
    let first = points.first().copied().unwrap();
    let right = if let Some(p) = points.iter().find(|p| p.x > 0.65) {
        p.x * p.y
    } else {
        2.0
    };
    top.x * low.y + last.x * first.y + right
}

#[gradient]
fn changed(x: &[f64]) -> f64 {
    let mut points: Vec<Point> = x
        .chunks_exact(2)
        .map(|c| Point { x: c[0], y: c[1] })
        .collect();
    if let Some(p) = points.iter_mut().find(|p| p.x > 0.5) {
        p.y *= p.x;
        p.x = 2.0;
    }
    points.iter().map(|p| p.x * p.y).sum()
}

#[gradient]
fn matched(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    match v.iter_mut().find(|t| **t > 0.5) {
        Some(t) => *t *= 2.0,
        None => {}
    }
    match v.last_mut() {
        None => return 3.0,
        Some(t) => *t += x[0],
    }
    let points: Vec<Point> = x
        .chunks_exact(2)
        .map(|c| Point { x: c[0], y: c[1] })
        .collect();
    let y = match points.iter().last() {
        Some(p) => p.x * p.y,
        _ => 0.5,
    };
    v.iter()
        .enumerate()
        .map(|(i, t)| t * (i + 1) as f64)
        .sum::<f64>()
        * y
}

/// Of numbers, a copy of what a shared reference leads to is kept.
#[gradient]
fn references(x: &[f64]) -> f64 {
    let mut best: Option<&f64> = None;
    for v in x {
        if best.map_or(true, |b| v > b) {
            best = Some(v);
        }
    }
    let fallback = 0.25;
    let found = x.iter().find(|&&v| v < 0.0).unwrap_or(&fallback);
    let mut sorted: Vec<&f64> = x.iter().collect();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let mid = sorted.len() / 2;
    let median = match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => *sorted[mid],
        _ => (*sorted[mid] + *sorted[mid - 1]) / 2.0,
    };
    let (neg, pos): (Vec<&f64>, Vec<&f64>) = x.iter().partition(|v| **v < 0.0);
    let neg = neg.iter().map(|v| **v * **v).sum::<f64>();
    let pos = pos.into_iter().sum::<f64>();
    best.map_or(1.0, |b| b * b) * found + median * neg - pos
}

checked_by_name! {
    written written_grad
    structs structs_grad
    changed changed_grad
    matched matched_grad
    references references_grad
}
