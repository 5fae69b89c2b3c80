//! Closures that look at parts of what is assigned again, or write to them, and take nothing by value.

use retrograde::{Differentiable, Record, gradient};

use super::outcomes::{Of, Taken, compare};

#[derive(Clone, Debug, Differentiable, Record)]
struct Body {
    mass: f64,
    steps: usize,
    path: Vec<f64>,
}

#[gradient]
fn looked_at(x: &[f64]) -> f64 {
    let mut body = Body {
        mass: x[0],
        steps: 1,
        path: vec![x[1]],
    };
    body.mass = x[0] * 2.0;
    let weight = |t: f64| {
        let sum: f64 = body.path.iter().sum();
        body.mass * t + body.path[0] * body.steps as f64 + sum
    };
    let first = weight(2.0);
    body.mass = 3.0 * x[2];
    body.path = vec![body.mass, first];
    body.path[1] * body.mass
}

#[test]
fn looked_at_has_its_derivative() {
    compare(|x| looked_at(x).value(), |x| looked_at_grad(x).outcome());
}

#[gradient]
fn written(x: &[f64]) -> f64 {
    let mut body = Body {
        mass: x[0],
        steps: 1,
        path: vec![x[1], x[2]],
    };
    let fresh = Body {
        mass: x[1],
        steps: 2,
        path: x.to_vec(),
    };
    let mut again = |t: f64| {
        body = fresh.clone();
        body.path[0] = body.path[0] * 0.5 + t;
        body.mass *= t;
        body.path.push(t);
        t.tanh()
    };
    let y = again(x[3]) + again(x[4]);
    y * body.path[0] * body.mass + body.path.len() as f64
}

#[test]
fn written_has_its_derivative() {
    compare(|x| written(x).value(), |x| written_grad(x).outcome());
}

#[gradient]
fn shown(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut pair = (x[0], 2usize);
    let mut add = |t: f64| {
        v.push(t);
        v.sort_by(|a, b| a.total_cmp(b));
        pair.0 += t * v[0];
        assert_ne!(v, [0.0]);
        v.len() as f64
    };
    let n = add(x[1]) + add(2.0);
    v = vec![n, pair.0];
    pair = (1.0, 3);
    v[1] * v[0] + pair.0
}

#[test]
fn shown_has_its_derivative() {
    compare(|x| shown(x).value(), |x| shown_grad(x).outcome());
}
