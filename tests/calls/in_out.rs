//! Callees that change what they are given.

use crate::support::{assert_close, check, differences};
use retrograde::{Tape, gradient};

const PAIRS: &[&[f64]] = &[&[0.7, 0.4], &[-1.3, 0.9], &[1.4, -1.1]];

#[gradient]
fn bump(x: &mut f64, by: f64) -> f64 {
    let old = *x;
    *x = *x * by + 1.0;
    old * by
}

#[gradient]
fn rotate(a: &mut f64, b: &mut f64) {
    let t = *a;
    *a = *b * t;
    *b = t;
}

#[gradient]
fn scalars(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    let r = bump(&mut a, b) + bump(&mut a, y);
    rotate(&mut a, &mut b);
    bump(&mut b, r);
    rotate(&mut b, &mut a);
    a * b + r
}

#[test]
fn mutable_scalars() {
    check(|p| scalars(p[0], p[1]), |p| scalars_grad(p[0], p[1]), PAIRS);
}

#[gradient]
fn places(x: f64, y: f64) -> f64 {
    let mut a = [x, y, x * y];
    let mut t = (x, [y, y]);
    let mut v = vec![x, y];
    let mut r = bump(&mut a[1], x);
    r += bump(&mut t.1[0], t.0);
    r *= bump(&mut v[1], r);
    rotate(&mut t.0, &mut a[2]);
    let k = (x.abs() * 2.0) as usize % 3;
    r += bump(&mut a[k], y);
    let q = &mut v[0];
    r -= bump(q, r);
    r += bump(&mut *q, 0.5);
    a[0] * a[1] + a[2] * t.0 + t.1[0] * v[0] + v[1] * r
}

#[test]
fn elements_fields_and_views_by_mutable_reference() {
    check(|p| places(p[0], p[1]), |p| places_grad(p[0], p[1]), PAIRS);
}

#[gradient]
fn quotient(a: &f64, b: &f64) -> f64 {
    a / (b * b + 1.0)
}

/// The callee takes what is mutable here by shared reference, twice.
#[gradient]
fn shared_twice(x: f64, y: f64) -> f64 {
    let mut t = [x, (x + y)];
    let r = &mut t[0];
    *r = quotient(r, r) * y;
    let k = (x.abs() * 0.5) as usize % 2;
    let s = &mut t[k];
    *s += quotient(&*s, s) - quotient(s, &y);
    t[0] * t[1]
}

#[gradient]
fn shared_parameter(x: &mut f64, y: f64) {
    *x = quotient(x, x) * quotient(x, &y);
}

#[gradient]
fn through_parameter(x: f64, y: f64) -> f64 {
    let mut t = x;
    shared_parameter(&mut t, y);
    t
}

#[test]
fn one_mutable_place_for_two_shared_references() {
    check(
        |p| shared_twice(p[0], p[1]),
        |p| shared_twice_grad(p[0], p[1]),
        PAIRS,
    );
    check(
        |p| through_parameter(p[0], p[1]),
        |p| through_parameter_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn scale(v: &mut [f64], k: f64) {
    for t in v.iter_mut() {
        *t *= k;
    }
}

#[gradient]
fn smooth(u: &[f64], out: &mut [f64]) -> f64 {
    let n = u.len();
    for i in 1..n - 1 {
        out[i] = u[i] * u[i] + 0.25 * (u[i - 1] + u[i + 1]);
    }
    out[0]
}

#[gradient]
fn slices(x: f64, y: f64) -> f64 {
    let mut a = [x, y, 1.0, x * y];
    scale(&mut a, y);
    scale(&mut a[1..3], x);
    let mut v = a.to_vec();
    scale(&mut v, a[0]);
    let mut out = vec![0.5; 4];
    let mut r = 0.0;
    for _ in 0..3 {
        r += smooth(&v, &mut out);
        std::mem::swap(&mut v, &mut out);
        scale(&mut v[2..], 0.9);
    }
    r + v[1] * v[2] + out[1]
}

#[test]
fn mutable_slices_in_loops() {
    check(|p| slices(p[0], p[1]), |p| slices_grad(p[0], p[1]), PAIRS);
}

#[gradient]
fn overwrites_scratch(x: f64, buf: &mut [f64; 2]) {
    buf[0] = x * x;
    buf[1] = buf[0] + x;
}

#[gradient]
fn scratch(v: &[f64]) -> f64 {
    let mut buf = [0.0; 2];
    let mut s = 0.0;
    for k in 0..v.len() {
        overwrites_scratch(v[k], &mut buf);
        s += buf[0] * buf[1];
    }
    s + buf[1]
}

#[test]
fn scratch_buffer_overwritten_by_a_callee_in_a_loop() {
    check(
        |p| scratch(p),
        |p| scratch_grad(p),
        &[&[0.7, 0.4, -0.3], &[-1.3, 0.9, 1.1], &[2.0]],
    );
}

#[gradient]
fn grow(v: &mut Vec<f64>, x: f64) {
    v.push(x * v[0]);
    v[0] += x;
}

#[gradient]
fn grows(x: f64, y: f64) -> f64 {
    let mut v = vec![x];
    for i in 0..3 {
        grow(&mut v, y + i as f64);
    }
    v.iter().sum::<f64>() * v[v.len() - 1]
}

#[test]
fn vector_that_a_callee_lengthens() {
    check(|p| grows(p[0], p[1]), |p| grows_grad(p[0], p[1]), PAIRS);
}

#[gradient]
fn descend(v: &mut [f64], n: usize) -> f64 {
    if n == 0 {
        return v[0];
    }
    v[0] = v[0] * v[1] + 0.1;
    let r = descend(v, n - 1);
    v[1] = v[1] * r;
    let s = descend(&mut v[..], n - 1);
    r + s * v[0]
}

#[gradient]
fn recursive(x: f64, y: f64, n: usize) -> f64 {
    let mut v = [x, y];
    descend(&mut v, n) + v[0] * v[1]
}

#[test]
fn recursion_over_a_mutable_slice() {
    for n in [0, 1, 3] {
        check(
            |p| recursive(p[0], p[1], n),
            |p| recursive_grad(p[0], p[1], n),
            &[&[0.7, 0.4], &[-0.8, 0.9]],
        );
    }
}

#[gradient]
fn passes_its_own(v: &mut [f64], x: &mut f64) -> f64 {
    let r = bump(x, v[0]);
    scale(v, r);
    scale(&mut v[1..], *x);
    bump(&mut v[0], *x)
}

#[test]
fn in_out_arguments_passed_on() {
    let p = [0.7, 0.4, -0.3];
    let whole = |p: &[f64]| {
        let (mut v, mut x) = ([p[0], p[1]], p[2]);
        let r = passes_its_own(&mut v, &mut x);
        0.5 * r + 2.0 * v[0] - v[1] + 0.75 * x
    };
    let (mut v, mut x) = ([p[0], p[1]], p[2]);
    let (mut dv, mut dx) = ([2.0, -1.0], 0.75);
    passes_its_own_adjoint(&mut Tape::new(), &mut v, &mut dv, &mut x, &mut dx, 0.5);
    let mut want = [p[0], p[1]];
    let mut x_want = p[2];
    passes_its_own(&mut want, &mut x_want);
    assert_eq!((v, x), (want, x_want), "the outputs are put back");
    assert_close(&[dv[0], dv[1], dx], &differences(whole, &p), 1e-7, &p);
}
