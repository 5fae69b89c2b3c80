//! Const generics, turbofish, lifetimes.

use crate::support::{check, check_exact};
use retrograde::gradient;

const TRIPLES: &[&[f64]] = &[&[0.7, 0.4, -0.3], &[-1.3, 0.9, 1.1]];

#[gradient]
fn scaled<const N: usize>(x: f64) -> f64 {
    let m = if 53 < N { 53 } else { N };
    x * m as f64
}

#[gradient]
fn two_instances(x: f64) -> f64 {
    scaled::<15>(x) + scaled::<99>(x) * x
}

#[test]
fn const_generic_as_a_factor() {
    check_exact(
        |p| two_instances(p[0]),
        |p| two_instances_grad(p[0]),
        |p| vec![15.0 + 106.0 * p[0]],
        &[&[1.3], &[-0.2]],
    );
    assert_eq!(scaled_grad::<7>(2.0), (14.0, 7.0));
}

#[gradient]
fn norm<const N: usize>(a: [f64; N]) -> f64 {
    let mut s = 0.0;
    for i in 0..N {
        s += a[i] * a[i];
    }
    s.sqrt()
}

#[gradient]
fn normalised<const N: usize>(a: &[f64; N]) -> [f64; N] {
    let n = norm(*a);
    let mut out = [0.0; N];
    for i in 0..N {
        out[i] = a[i] / n;
    }
    out
}

#[gradient]
fn uses_arrays(v: &[f64; 3]) -> f64 {
    let u = normalised(v);
    let w = normalised::<2>(&[v[0], u[1]]);
    norm::<3>(*v) * w[0] + u[2] * w[1]
}

#[test]
fn arrays_of_generic_length() {
    check(
        |p| norm([p[0], p[1], p[2]]),
        |p| norm_grad([p[0], p[1], p[2]]),
        TRIPLES,
    );
    check(
        |p| uses_arrays(&[p[0], p[1], p[2]]),
        |p| uses_arrays_grad(&[p[0], p[1], p[2]]),
        TRIPLES,
    );
}

#[gradient]
fn matrix<const N: usize, const M: usize>(a: &[[f64; M]; N], x: &[f64; M]) -> [f64; N] {
    let mut y = [0.0; N];
    for i in 0..N {
        for j in 0..M {
            y[i] += a[i][j] * x[j];
        }
    }
    y
}

#[gradient]
fn product(p: &[f64; 3]) -> f64 {
    let a = [[p[0], p[1], 1.0], [p[2], 2.0, p[0] * p[1]]];
    let y = matrix::<2, 3>(&a, p);
    y[0] * y[1]
}

#[test]
fn two_generic_lengths() {
    check(
        |p| product(&[p[0], p[1], p[2]]),
        |p| product_grad(&[p[0], p[1], p[2]]),
        TRIPLES,
    );
}

#[gradient]
fn longest<'a>(a: &'a [f64], b: &'a [f64], k: usize) -> f64 {
    let one: &'a [f64] = if a.len() > b.len() { a } else { b };
    one[k] * one[0]
}

#[gradient]
fn elided(v: &'_ [f64], x: &f64) -> f64 {
    longest(v, &v[1..], 1) * x + longest(&v[2..], v, 2)
}

#[test]
fn lifetimes() {
    check(
        |p| elided(p, &p[0]),
        |p| {
            let (value, (mut dv, dx)) = elided_grad(p, &p[0]);
            dv[0] += dx;
            (value, dv)
        },
        TRIPLES,
    );
}

mod nested {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn with_inner(x: f64, y: f64) -> f64 {
        const SCALE: f64 = 3.0;
        #[gradient]
        fn inner(t: f64) -> f64 {
            t * t * SCALE
        }
        fn passive(n: usize) -> usize {
            n + 1
        }
        inner(x) + inner(inner(y)) * passive(2) as f64
    }
}

#[test]
fn functions_in_the_body() {
    check(
        |p| nested::with_inner(p[0], p[1]),
        |p| nested::with_inner_grad(p[0], p[1]),
        &[&[0.7, 0.4], &[-1.3, 0.9]],
    );
}

#[test]
fn gradient_function_inside_a_function() {
    #[gradient]
    fn local(x: f64) -> f64 {
        x * x * x
    }
    assert_eq!(local_grad(2.0), (8.0, 12.0));
}
