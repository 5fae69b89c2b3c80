//! More than one nest, callees, regions.

use retrograde::gradient;

use crate::{SIZES, check};

/// One flat vector of weights for two layers: the last layer is the first to touch its gradient, the rest adds to
/// zeros.
#[gradient]
fn layers(w: &[f64], x: &[f64], hidden: usize) -> f64 {
    let n = x.len();
    let mut h = vec![0.0; hidden];
    for k in 0..hidden {
        let mut s = 0.0;
        for i in 0..n {
            s += w[k * n + i] * x[i];
        }
        h[k] = s.tanh();
    }
    let mut f = 0.0;
    for k in 0..hidden {
        f += w[hidden * n + k] * h[k];
    }
    f
}

/// The later nest reaches into the range of the first.
#[gradient]
fn overlapping(x: &[f64], n: usize) -> f64 {
    let mut f = 0.0;
    for i in 0..n {
        f += x[i + 2] * x[i + 2];
    }
    for i in 0..n {
        f += x[i].sin();
    }
    f
}

#[gradient]
fn norm(x: &[f64], scale: f64) -> f64 {
    let mut f = 0.0;
    for i in 0..x.len() {
        f += x[i] * x[i] * scale;
    }
    f
}

/// A callee whose own `f_grad_into` would assign: here it adds, once before and once after a nest, and twice to one
/// array.
#[gradient]
fn calling(x: &[f64], y: &[f64]) -> f64 {
    let mut f = norm(x, 2.0);
    for i in 0..x.len() {
        f += x[i] * y[i];
    }
    f + norm(y, 0.5) * norm(y, 1.5)
}

#[gradient]
fn in_a_region(x: &[f64], y: &[f64]) -> f64 {
    let mut f = 0.0;
    #[checkpoint]
    for i in 0..x.len() {
        let e = (x[i] * y[i]).exp();
        f += e;
    }
    for i in 0..y.len() {
        f += y[i].sin();
    }
    f
}

#[test]
fn nests_callees_and_regions() {
    for n in SIZES {
        for hidden in [0, 1, 4] {
            check!(
                layers,
                layers_grad_into,
                layers_adjoint,
                [hidden * n + hidden + 1, n],
                hidden
            );
        }
        check!(
            overlapping,
            overlapping_grad_into,
            overlapping_adjoint,
            [n + 3],
            n
        );
        check!(calling, calling_grad_into, calling_adjoint, [n, n]);
        check!(
            in_a_region,
            in_a_region_grad_into,
            in_a_region_adjoint,
            [n, n]
        );
    }
}
