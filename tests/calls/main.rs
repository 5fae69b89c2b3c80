//! Calls of other `#[gradient]` functions.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod elsewhere;
mod elsewhere_declared;
mod generic;
mod imported;
mod in_out;
mod paths;
mod plain;
mod references;
mod repeated;
mod results;
mod rules;
mod shadowing;
#[path = "../support/mod.rs"]
mod support;

use retrograde::gradient;
use support::number::{D, num};
use support::{check, check_dual, check_exact};

const PAIRS: &[&[f64]] = &[&[0.7, 0.4], &[-1.3, 0.9], &[1.4, -1.1]];

#[gradient]
fn wave(x: f64, k: f64) -> f64 {
    (x * k).sin() * x
}

#[gradient]
fn nested(x: f64, y: f64) -> f64 {
    wave(wave(x, 2.0) + 1.0, wave(y, x)) * wave(x, y)
}

#[test]
fn nested_calls() {
    check(|p| nested(p[0], p[1]), |p| nested_grad(p[0], p[1]), PAIRS);
}

#[gradient(no(inline))]
fn in_loops_and_branches(x: f64, y: f64, n: usize) -> f64 {
    let mut r = x;
    for i in 0..n {
        if i % 2 == 0 {
            r = wave(r, y);
        } else if wave(r, 1.0) > 0.0 {
            r -= wave(x, i as f64);
        }
        while r > 1.0 {
            r *= wave(0.5, 0.7);
        }
    }
    r
}

#[test]
fn calls_in_loops_branches_and_conditions() {
    for n in [0, 1, 5] {
        check(
            |p| in_loops_and_branches(p[0], p[1], n),
            |p| in_loops_and_branches_grad(p[0], p[1], n),
            &[&[0.7, 0.4], &[-1.3, 0.9], &[0.6, -1.1]],
        );
    }
}

#[gradient]
fn with_exits(x: f64, n: usize) -> f64 {
    for i in 0..n {
        if x > i as f64 {
            return x * x;
        }
    }
    x.sin()
}

#[gradient]
fn calls_with_exits(x: f64, y: f64) -> f64 {
    let mut s = 0.0;
    for n in 0..4 {
        s += with_exits(x - y * n as f64, n) * y;
    }
    s
}

#[test]
fn callee_with_several_exits_in_a_loop() {
    check(
        |p| calls_with_exits(p[0], p[1]),
        |p| calls_with_exits_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn power(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[gradient]
fn tree(x: f64, y: f64, n: usize) -> f64 {
    if n == 0 {
        return x * y;
    }
    let left = tree(x * 0.5, y + x, n - 1);
    let right = tree(left * 0.1, y, n - 1);
    left * right + x
}

#[gradient]
fn recursive_loop(v: &[f64], n: usize) -> f64 {
    if v.len() <= 1 {
        return v[0] * v[0];
    }
    let mut r = 0.0;
    for i in 1..=n.min(v.len() - 1) {
        r += recursive_loop(&v[i..], n) * v[i - 1];
    }
    r
}

#[test]
fn recursion() {
    check_exact(
        |p| power(p[0], 5),
        |p| power_grad(p[0], 5),
        |p| vec![5.0 * p[0].powi(4)],
        &[&[0.7], &[-1.1]],
    );
    for n in [0, 1, 3] {
        check(|p| tree(p[0], p[1], n), |p| tree_grad(p[0], p[1], n), PAIRS);
    }
    check(
        |p| recursive_loop(p, 2),
        |p| recursive_loop_grad(p, 2),
        &[&[0.7, 0.4, -0.3, 1.2], &[2.0]],
    );
}

#[gradient]
fn even(x: f64, n: usize) -> f64 {
    if n == 0 { x } else { odd(x * x, n - 1) + x }
}

#[gradient]
fn odd(x: f64, n: usize) -> f64 {
    if n == 0 {
        1.0
    } else {
        even(x.sin(), n - 1) * x
    }
}

#[test]
fn mutual_recursion() {
    for n in 0..6 {
        check(
            |p| even(p[0], n),
            |p| even_grad(p[0], n),
            &[&[0.7], &[-1.2]],
        );
    }
}

#[gradient]
fn pair(x: f64, y: f64) -> (f64, f64) {
    (x / y, x * y)
}

#[gradient]
fn triple(x: f64) -> [f64; 3] {
    let mut a = [x, x * x, 1.0];
    a[2] = a[1] * x;
    a
}

#[gradient]
fn vector(x: f64, n: usize) -> Vec<f64> {
    let mut v = vec![1.0];
    for i in 0..n {
        v.push(v[i] * x);
    }
    v
}

#[gradient]
fn mixed(x: f64) -> (f64, usize, [f64; 2]) {
    (x.exp(), (x.abs() * 2.0) as usize, [x, -x])
}

#[gradient]
fn maybe(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.sqrt()) } else { None }
}

#[gradient]
fn uses_results(x: f64, y: f64) -> f64 {
    let (q, mut r) = pair(x, y);
    r *= q;
    let both = pair(r, y);
    let [a, b, _] = triple(x);
    let cubes = triple(y);
    let v = vector(x, 4);
    let (e, k, arr): (f64, usize, [f64; 2]) = mixed(y);
    let m = match maybe(x) {
        Some(v) => v * y,
        None => y * y,
    };
    let _ = pair(x, y);
    q * r + both.0 * both.1 + a * b + cubes[2] + v[3] * v[4] + e * k as f64 + arr[0] * arr[1] + m
}

#[test]
fn tuples_arrays_vectors_and_options_as_results() {
    check(
        |p| uses_results(p[0], p[1]),
        |p| uses_results_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..a.len() {
        s += a[i] * b[i];
    }
    s
}

#[gradient]
fn same_array_twice(v: &[f64]) -> f64 {
    let a = [v[0], v[1] * v[2]];
    dot(v, v) + dot(&v[1..], &v[..2]) * dot(&a, &a)
}

#[test]
fn the_same_array_passed_twice() {
    check(
        |p| same_array_twice(p),
        |p| same_array_twice_grad(p),
        &[&[0.7, 0.4, -0.3], &[-1.3, 0.9, 1.1]],
    );
    check_exact(
        |p| dot(p, p),
        |p| {
            let (v, (a, b)) = dot_grad(p, p);
            (v, a.iter().zip(&b).map(|(x, y)| x + y).collect::<Vec<_>>())
        },
        |p| p.iter().map(|x| 2.0 * x).collect(),
        &[&[0.7, 0.4]],
    );
}

#[gradient]
fn on_slices(v: &[f64], x: f64) -> f64 {
    let local = vec![x, v[0]];
    let fixed = [x * x, v[1]];
    let mut s = dot(&local, &fixed) + dot(&[x, 1.0], v);
    for i in 0..v.len() - 1 {
        s += dot(&v[i..i + 2], &fixed[..]);
    }
    s
}

#[test]
fn slices_arrays_and_vectors_as_arguments() {
    check(
        |p| on_slices(&p[..3], p[3]),
        |p| on_slices_grad(&p[..3], p[3]),
        &[&[0.7, 0.4, -0.3, 1.2], &[-1.3, 0.9, 1.1, 0.6]],
    );
}

#[gradient]
fn by_reference(x: &f64, pair: (f64, f64), maybe: Option<f64>, flags: &[bool]) -> f64 {
    let scale = if flags[0] { *x } else { x * x };
    scale * pair.0 - pair.1 * maybe.unwrap_or(1.0)
}

#[gradient]
fn passes_everything(x: f64, y: f64) -> f64 {
    let t = (x, x * y);
    by_reference(&x, t, Some(y), &[true]) + by_reference(&t.1, (y, 1.0), None, &[false, true])
}

#[test]
fn references_tuples_and_options_as_arguments() {
    check(
        |p| passes_everything(p[0], p[1]),
        |p| passes_everything_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn takes_vector(mut v: Vec<f64>, k: f64) -> f64 {
    v[0] *= k;
    v.push(v[0] * v[1]);
    v[2] + v[1]
}

#[gradient]
fn gives_vector(x: f64, y: f64) -> f64 {
    let v = vec![x, y];
    let first = takes_vector(v.clone(), y);
    first * takes_vector(v, x)
}

#[test]
fn vector_moved_into_a_callee() {
    check(
        |p| gives_vector(p[0], p[1]),
        |p| gives_vector_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn passive_arguments(x: f64, n: usize, name: &str, weight: f64) -> f64 {
    x * n as f64 * weight + name.len() as f64
}

#[gradient]
fn calls_with_constants(x: f64) -> f64 {
    passive_arguments(x, 3, "ab", 0.5) + passive_arguments(2.0, 1, "", 1.0)
}

#[test]
fn constants_as_arguments() {
    check_exact(
        |p| calls_with_constants(p[0]),
        |p| calls_with_constants_grad(p[0]),
        |_| vec![1.5],
        &[&[0.7], &[-2.0]],
    );
}

fn plain(n: usize) -> f64 {
    n as f64 * 0.5
}

#[gradient]
fn passive_calls(x: f64, n: usize) -> f64 {
    let k = plain(n);
    let mut r = x * k;
    for i in 0..usize::min(n, 3) {
        r += plain(i) * x;
    }
    r
}

#[test]
fn calls_without_active_arguments_need_no_gradient() {
    check(
        |p| passive_calls(p[0], 4),
        |p| passive_calls_grad(p[0], 4),
        &[&[0.7], &[-2.0]],
    );
}

#[gradient]
fn long_chain(x: f64, n: usize) -> f64 {
    let mut r = x;
    for _ in 0..n {
        r = wave(r, 1.01);
    }
    r
}

#[test]
fn many_calls() {
    let dual = |p: &[D]| {
        let mut r = p[0];
        for _ in 0..5000 {
            r = (r * num(1.01)).sin() * r;
        }
        r
    };
    check_dual(
        |p| long_chain(p[0], 5000),
        |p| long_chain_grad(p[0], 5000),
        dual,
        &[&[1.2]],
    );
}
