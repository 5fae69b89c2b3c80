//! Calls of other functions under `#[gradient]`, in loops and by themselves.

use retrograde::gradient;

#[gradient]
fn softplus(x: f64) -> f64 {
    x.exp().ln_1p()
}

#[gradient]
fn advance(state: &mut [f64; 2], force: f64, step: f64) -> f64 {
    let before = state[0];
    state[1] += step * (force - state[0].sin());
    state[0] += step * state[1];
    before * state[1]
}

#[gradient]
fn scale(v: &mut [f64], by: f64) {
    for t in v.iter_mut() {
        *t = (*t * by).sin();
    }
}

#[gradient]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..a.len() {
        s += (a[i] * b[i]).tanh();
    }
    s
}

/// A scalar callee for each element. Sizes: up to 300_000.
#[gradient]
pub(crate) fn activations(x: &[f64], p: f64) -> f64 {
    let mut s: f64 = 0.0;
    for i in 0..x.len() {
        s += softplus(x[i] * p) * s.cos();
    }
    s
}

/// A callee that changes its argument. Sizes: up to 300_000.
#[gradient]
pub(crate) fn trajectory(x: &[f64], p: f64) -> f64 {
    let mut state = [p, 0.0];
    let mut work = 0.0;
    for f in x {
        work += advance(&mut state, *f, 0.02);
    }
    work + state[0]
}

/// Callees with loops of their own. Sizes: up to 100_000.
#[gradient]
pub(crate) fn rows_of_calls(w: &[f64], b: &[f64], m: usize) -> f64 {
    let mut a = w.to_vec();
    let mut s = 0.0;
    for i in 0..m {
        s += dot(&a[i * m..(i + 1) * m], b);
        scale(&mut a[i * m..], 0.99);
        if s > 1000.0 {
            break;
        }
    }
    s
}

#[gradient]
fn halves(x: &[f64], p: f64) -> f64 {
    if x.len() < 2 {
        let mut s = p;
        for v in x {
            s = (s * v).cos();
        }
        return s;
    }
    let middle = x.len() / 2;
    let left = halves(&x[..middle], p * 0.99);
    let right = halves(&x[middle..], left);
    (left * right).sin() + p * left
}

/// A tree of calls. Sizes: up to 100_000.
#[gradient]
pub(crate) fn tree(x: &[f64], p: f64) -> f64 {
    halves(x, p)
}

#[gradient]
fn nested(p: f64, n: usize) -> f64 {
    if n == 0 {
        p.sin()
    } else {
        (nested(p * 0.999, n - 1) * p).cos() + p
    }
}

/// A chain of calls. Sizes: up to 1_000.
#[gradient]
pub(crate) fn deep(p: f64, n: usize) -> f64 {
    nested(p, n)
}
