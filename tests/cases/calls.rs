//! Callees that change their arguments, and recursion.

use crate::support::number::{D, num};
use crate::{exact, near};
use retrograde::gradient;

// 32. Callee updates both arguments, called twice.
#[gradient]
fn update(i: &mut f64, j: &mut f64) {
    *i += *j;
    *j += *j;
}
#[gradient]
fn two_mutable_args_called_twice(mut i: f64, mut j: f64) -> f64 {
    update(&mut i, &mut j);
    update(&mut i, &mut j);
    i
}

#[test]
fn a_callee_changes_both_arguments_twice() {
    let primal = |p: &[f64]| two_mutable_args_called_twice(p[0], p[1]);
    let gradient = |p: &[f64]| two_mutable_args_called_twice_grad(p[0], p[1]);
    exact(primal, gradient, &[3.0, 5.0], 18.0, &[1.0, 3.0]);
}

// 33. Helper fills a caller's scratch buffer inside a loop.
#[gradient]
fn subtract(n: usize, x: &[f64], mu: &[f64], out: &mut [f64]) {
    for i in 0..n {
        out[i] = x[i] - mu[i];
    }
}
#[gradient]
fn callee_overwrites_scratch_each_iteration(mu: &[f64]) -> f64 {
    let xs = [[1.0, 2.0], [3.0, -1.0], [0.5, 0.25]];
    let mut buf = [0.0; 2];
    let mut s = 0.0;
    for k in 0..3 {
        subtract(2, &xs[k], mu, &mut buf);
        s += buf[0] * buf[0] * buf[1];
    }
    s
}

fn callee_overwrites_scratch_each_iteration_dual(p: &[D]) -> D {
    let xs = [[1.0, 2.0], [3.0, -1.0], [0.5, 0.25]];
    xs.iter().fold(num(0.0), |s, x| {
        s + (num(x[0]) - p[0]) * (num(x[0]) - p[0]) * (num(x[1]) - p[1])
    })
}

#[test]
fn a_callee_fills_a_buffer_in_each_iteration() {
    let primal = |p: &[f64]| callee_overwrites_scratch_each_iteration(p);
    let gradient = |p: &[f64]| callee_overwrites_scratch_each_iteration_grad(p);
    near(
        primal,
        gradient,
        callee_overwrites_scratch_each_iteration_dual,
        &[0.3, 0.7],
        -11.774000000000001,
        &[7.539999999985151, -7.819999999987281],
    );
}

// 35. Recursive function mutating a shared slice at each level.
#[gradient]
fn rec(a: &[f64], n: usize, v: &mut [f64]) -> f64 {
    if n <= 1 {
        return a[0] * v[0];
    }
    let mut res = 0.0;
    for i in 0..n {
        v[0] += a[i];
        res += rec(a, n - 1, v);
    }
    res
}
#[gradient]
fn recursion_with_array_and_mutation(a: &[f64], v0: f64) -> f64 {
    let mut v = [v0];
    rec(a, a.len(), &mut v)
}

fn recursion_with_array_and_mutation_dual(p: &[D]) -> D {
    fn rec(a: &[D], n: usize, v: &mut D) -> D {
        if n <= 1 {
            return a[0] * *v;
        }
        let mut res = num(0.0);
        for x in &a[..n] {
            *v += *x;
            res += rec(a, n - 1, v);
        }
        res
    }
    rec(&p[..3], 3, &mut p[3].clone())
}

#[test]
fn recursion_changes_a_slice_at_each_level() {
    let primal = |p: &[f64]| recursion_with_array_and_mutation(&p[0..3], p[3]);
    let gradient = |p: &[f64]| recursion_with_array_and_mutation_grad(&p[0..3], p[3]);
    near(
        primal,
        gradient,
        recursion_with_array_and_mutation_dual,
        &[1.0, 2.0, 3.0, 1.0],
        56.0,
        &[
            73.99999999996372,
            12.99999999995786,
            1.9999999999953386,
            5.999999999986016,
        ],
    );
}
