//! Closures that a function keeps as written, where nothing carries a derivative.

use retrograde::gradient;

use super::outcomes::{Of, Taken, compare};

#[gradient]
fn indices(x: &[f64]) -> f64 {
    let wrap = |i: usize| i % x.len();
    let order: Vec<usize> = (0..x.len()).map(|i| wrap(i + 2)).collect();
    let last = order.iter().copied().map(wrap).max().unwrap_or(0);
    x[order[0]] * x[wrap(11)] + x[last]
}

#[test]
fn indices_are_computed() {
    compare(|x| indices(x).value(), |x| indices_grad(x).outcome());
}
