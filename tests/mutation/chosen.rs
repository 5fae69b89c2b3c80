//! Two references of which each may lead to either of two places, and what they lead to exchanged.

use retrograde::{Differentiable, Record, gradient};

use super::support::check;

const FOUR: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[1.5, 0.3, -0.8, 2.2],
    &[-0.6, 1.1, 0.9, -1.7],
];

/// The halves of one vector, the one with the larger beginning first; their elements.
#[gradient]
fn halves(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let (p, q) = v.split_at_mut(2);
    let (large, small) = if q[0] > p[0] { (q, p) } else { (p, q) };
    std::mem::swap(&mut large[0], &mut small[0]);
    std::mem::swap(&mut large[1], &mut small[0]);
    large[1] *= small[1];
    v[0] + 2.0 * v[1] + 3.0 * v[2] * v[2] + 5.0 * v[3]
}

/// The same, zipped.
#[gradient]
fn zipped(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let (p, q) = v.split_at_mut(2);
    let (large, small) = if q[0] > p[0] { (q, p) } else { (p, q) };
    for (a, b) in large.iter_mut().zip(small.iter_mut()) {
        std::mem::swap(a, b);
        *a *= *b;
    }
    v[0] + 2.0 * v[1] + 3.0 * v[2] * v[2] + 5.0 * v[3]
}

/// Two arrays as they are.
#[gradient]
fn arrays(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1]];
    let mut b = [x[2], x[3]];
    let (p, q) = if x[0] > x[2] {
        (&mut a, &mut b)
    } else {
        (&mut b, &mut a)
    };
    q[0] *= p[1];
    std::mem::swap(p, q);
    a[0] + 2.0 * a[1] + 3.0 * b[0] * b[1]
}

#[derive(Clone, Differentiable, Record)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
}

/// Layers of one vector, with what they own.
#[gradient]
fn layers(x: &[f64]) -> f64 {
    let mut all: Vec<Layer> = Vec::new();
    for i in 0..4 {
        all.push(Layer {
            weights: vec![x[i], x[3 - i] * x[i]],
            bias: x[i] + 1.0,
        });
    }
    for i in 0..3 {
        let (p, q) = all.split_at_mut(2);
        let (a, b) = if x[i] > 0.5 { (p, q) } else { (q, p) };
        std::mem::swap(&mut a[i % 2], &mut b[1]);
        a[1].bias *= b[0].weights[i % 2];
        std::mem::swap(&mut a[0].weights, &mut b[0].weights);
    }
    let mut sum = 0.0;
    for (i, layer) in all.iter().enumerate() {
        sum += (i as f64 + 1.0) * layer.bias * layer.weights[0] - layer.weights[1];
    }
    sum
}

#[test]
fn elements_of_chosen_halves() {
    check(halves, halves_grad, FOUR);
}

#[test]
fn elements_of_chosen_halves_that_are_zipped() {
    check(zipped, zipped_grad, FOUR);
}

#[test]
fn chosen_arrays() {
    check(arrays, arrays_grad, FOUR);
}

#[test]
fn elements_that_own_memory() {
    check(layers, layers_grad, FOUR);
}
