//! Calls of closures: arguments, results, places where the name stands.

use retrograde::{Tape, gradient};

use super::outcomes::{Fault, Of, Taken, adjoint, compare, logo, root};

#[gradient]
fn simple(x: &[f64]) -> f64 {
    let f = |t: f64| t * t + x[1];
    f(x[0]) + f(2.0 * x[2])
}

#[test]
fn simple_has_its_derivative() {
    compare(|x| simple(x).value(), |x| simple_grad(x).outcome());
}

#[gradient]
fn slice(x: &[f64]) -> f64 {
    let dot = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(p, q)| p * q).sum() };
    dot(x, &x[1..]) * dot(&x[..2], x)
}

#[test]
fn slice_has_its_derivative() {
    compare(|x| slice(x).value(), |x| slice_grad(x).outcome());
}

#[gradient]
fn nested(x: &[f64]) -> f64 {
    let sq = |t: f64| t * t;
    let f = |t: f64| sq(t) + sq(t + x[1]);
    f(x[0])
}

#[test]
fn nested_has_its_derivative() {
    compare(|x| nested(x).value(), |x| nested_grad(x).outcome());
}

#[gradient]
fn in_chain(x: &[f64]) -> f64 {
    let k = |a: f64, b: f64| (-(a - b).powi(2)).exp();
    let f = |v: &f64| v * v;
    (0..x.len())
        .map(|i| (0..i).map(|j| k(x[i], x[j])).sum::<f64>())
        .sum::<f64>()
        + x.iter().map(f).sum::<f64>()
        + x.iter().copied().map(|v| k(v, 1.0)).sum::<f64>()
}

#[test]
fn in_chain_has_its_derivative() {
    compare(|x| in_chain(x).value(), |x| in_chain_grad(x).outcome());
}

#[gradient]
fn idx(x: &[f64]) -> f64 {
    let n = 2;
    let idx = |i: usize, j: usize| i * n + j;
    let at = |i: usize, j: usize| x[idx(i, j)];
    at(0, 1) * at(2, 1)
}

#[test]
fn idx_has_its_derivative() {
    compare(|x| idx(x).value(), |x| idx_grad(x).outcome());
}

#[gradient]
fn tuple(x: &[f64]) -> f64 {
    let f = |(a, b): (f64, f64)| (a * b, a + b);
    let (p, q) = f((x[0], x[1]));
    p * q
}

#[test]
fn tuple_has_its_derivative() {
    compare(|x| tuple(x).value(), |x| tuple_grad(x).outcome());
}

#[gradient]
fn by_value_vec(x: &[f64]) -> f64 {
    let total = |v: Vec<f64>| -> f64 { v.iter().map(|a| a * a).sum() };
    total(x.to_vec()) + total(vec![x[0]; 3])
}

#[test]
fn by_value_vec_has_its_derivative() {
    compare(
        |x| by_value_vec(x).value(),
        |x| by_value_vec_grad(x).outcome(),
    );
}

#[gradient]
fn ret_vec(x: &[f64]) -> f64 {
    let scale = |v: &[f64], k: f64| -> Vec<f64> { v.iter().map(|a| a * k).collect() };
    let a = scale(x, x[0]);
    let b = scale(&a, 2.0);
    b[1] * a[2]
}

#[test]
fn ret_vec_has_its_derivative() {
    compare(|x| ret_vec(x).value(), |x| ret_vec_grad(x).outcome());
}

#[gradient]
fn ret_arr(x: &[f64]) -> f64 {
    let f = |s: &[f64; 2], t: f64| [s[1], -s[0] * t];
    let mut s = [x[0], x[1]];
    for k in 0..5 {
        let d = f(&s, x[2] + k as f64);
        s = [s[0] + 0.1 * d[0], s[1] + 0.1 * d[1]];
    }
    s[0] * s[1]
}

#[test]
fn ret_arr_has_its_derivative() {
    compare(|x| ret_arr(x).value(), |x| ret_arr_grad(x).outcome());
}

#[gradient]
fn mutarg(x: &[f64]) -> f64 {
    let relax = |v: &mut Vec<f64>, w: f64| {
        for i in 1..v.len() {
            v[i] = (1.0 - w) * v[i] + w * v[i - 1];
        }
    };
    let mut v = x.to_vec();
    relax(&mut v, 0.5);
    relax(&mut v, x[0]);
    v[5] * v[1]
}

#[test]
fn mutarg_has_its_derivative() {
    compare(|x| mutarg(x).value(), |x| mutarg_grad(x).outcome());
}

#[gradient]
fn mutarg_slice(x: &[f64]) -> f64 {
    let f = |dy: &mut [f64], y: &[f64]| {
        dy[0] = y[1];
        dy[1] = -y[0] * x[2];
    };
    let mut y = [x[0], x[1]];
    let mut d = [0.0; 2];
    for _ in 0..4 {
        f(&mut d, &y);
        for i in 0..2 {
            y[i] += 0.1 * d[i];
        }
    }
    y[0] * y[1]
}

#[test]
fn mutarg_slice_has_its_derivative() {
    compare(
        |x| mutarg_slice(x).value(),
        |x| mutarg_slice_grad(x).outcome(),
    );
}

#[gradient]
fn assert_in(x: &[f64]) -> f64 {
    let f = |t: f64| t * t;
    assert!(f(x[0]) >= 0.0, "f {}", f(x[0]));
    debug_assert!(f(2.0) > 1.0);
    let big = |t: f64| t > 1.0;
    if big(x[0]) && !big(x[1]) {
        f(x[0])
    } else {
        f(x[1]) * 2.0
    }
}

#[test]
fn assert_in_has_its_derivative() {
    compare(|x| assert_in(x).value(), |x| assert_in_grad(x).outcome());
}

#[gradient]
fn asked_any(x: &[f64]) -> f64 {
    let lim = x[0];
    let big = |t: &f64| *t > lim;
    if x.iter().any(|v| big(v)) {
        x[1] * x[2]
    } else {
        let n = x.iter().filter(|v| big(v)).count();
        x[3] + n as f64
    }
}

#[test]
fn asked_any_has_its_derivative() {
    compare(|x| asked_any(x).value(), |x| asked_any_grad(x).outcome());
}

#[gradient]
fn sort_with(x: &[f64]) -> f64 {
    let key = |v: &f64| v.abs();
    let mut w = x.to_vec();
    w.sort_by(|a, b| key(a).total_cmp(&key(b)));
    let m = x
        .iter()
        .copied()
        .max_by(|a, b| key(a).total_cmp(&key(b)))
        .unwrap();
    w[0] * w[5] + m
}

#[test]
fn sort_with_has_its_derivative() {
    compare(|x| sort_with(x).value(), |x| sort_with_grad(x).outcome());
}

#[gradient]
fn ref_closure(x: &[f64]) -> f64 {
    let f = &|t: f64| t * x[1];
    f(x[0]) + x.iter().map(|v| f(*v)).sum::<f64>()
}

#[test]
fn ref_closure_has_its_derivative() {
    compare(
        |x| ref_closure(x).value(),
        |x| ref_closure_grad(x).outcome(),
    );
}

#[gradient]
fn map_ref(x: &[f64]) -> f64 {
    let f = |t: f64| t * x[1];
    x.iter().copied().map(&f).sum::<f64>() + x.iter().copied().map(f).product::<f64>()
}

#[test]
fn map_ref_has_its_derivative() {
    compare(|x| map_ref(x).value(), |x| map_ref_grad(x).outcome());
}

#[gradient]
fn const_capture(x: &[f64]) -> f64 {
    const K: f64 = 2.5;
    let n = x.len();
    let idx = |i: usize| (i + 1) % n;
    let lap = |i: usize| x[idx(i)] - K * x[i];
    (0..n).map(|i| lap(i) * lap(i)).sum()
}

#[test]
fn const_capture_has_its_derivative() {
    compare(
        |x| const_capture(x).value(),
        |x| const_capture_grad(x).outcome(),
    );
}

#[gradient]
fn tuple_ret(x: &[f64]) -> f64 {
    let rot =
        |p: (f64, f64), a: f64| (p.0 * a.cos() - p.1 * a.sin(), p.0 * a.sin() + p.1 * a.cos());
    let q = rot((x[0], x[1]), x[2]);
    let (u, v) = rot(q, 0.3);
    u * v
}

#[test]
fn tuple_ret_has_its_derivative() {
    compare(|x| tuple_ret(x).value(), |x| tuple_ret_grad(x).outcome());
}

#[gradient]
fn param_mut(x: &[f64]) -> f64 {
    let f = |mut t: f64, n: usize| {
        for _ in 0..n {
            t = t * 0.5 + x[0];
        }
        t
    };
    let a = x[1];
    f(a, 3) + a + f(x[2], 2)
}

#[test]
fn param_mut_has_its_derivative() {
    compare(|x| param_mut(x).value(), |x| param_mut_grad(x).outcome());
}

#[gradient]
fn same_names(x: &[f64]) -> f64 {
    let f = |x: f64, y: f64| {
        let z = x * y;
        z + x
    };
    let y = x[0];
    let z = x[1];
    f(y, z) + f(z, y) * z
}

#[test]
fn same_names_has_its_derivative() {
    compare(|x| same_names(x).value(), |x| same_names_grad(x).outcome());
}

#[gradient]
fn match_arm(x: &[f64]) -> f64 {
    let f = |k: usize, t: f64| match k {
        0 => t,
        1 => t * t,
        _ => {
            let u = t.sin();
            u * t
        }
    };
    (0..4).map(|k| f(k, x[k])).sum()
}

#[test]
fn match_arm_has_its_derivative() {
    compare(|x| match_arm(x).value(), |x| match_arm_grad(x).outcome());
}

#[gradient]
fn generic_num(x: &[f64]) -> f64 {
    let sq = |t| t * t;
    let h = |a, b| sq(a) + sq(b);
    h(x[0], x[1]) * sq(2.0)
}

#[test]
fn generic_num_has_its_derivative() {
    compare(
        |x| generic_num(x).value(),
        |x| generic_num_grad(x).outcome(),
    );
}

/// As a statement such a body would end behind the block.
#[gradient]
fn begins_with_a_block(x: &[f64]) -> f64 {
    let over = |t: f64| {
        let bound = 0.5 * x[1];
        bound
    } * t
        - x[2];
    let few = x
        .iter()
        .filter(|&&t| {
            let bound = x[0];
            bound
        } < t)
        .map(|t| if true { *t } else { x[0] } * x[3])
        .sum::<f64>();
    over(x[0]) * over(x[3]) + few
}

#[test]
fn begins_with_a_block_has_its_derivative() {
    compare(
        |x| begins_with_a_block(x).value(),
        |x| begins_with_a_block_grad(x).outcome(),
    );
}
