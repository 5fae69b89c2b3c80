//! What closures capture: by reference, by `mut` reference, by `move`.

use retrograde::{Tape, gradient};

use super::outcomes::{Fault, Of, Taken, adjoint, compare, logo, root};

#[gradient]
fn written(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let mut add = |v: f64| {
        s += v * v;
    };
    add(x[0]);
    add(x[1] * 2.0);
    s * x[2]
}

#[test]
fn written_has_its_derivative() {
    compare(|x| written(x).value(), |x| written_grad(x).outcome());
}

#[gradient]
fn taken(x: &[f64]) -> f64 {
    let mut a = x[0];
    let f = move |t: f64| a * t;
    a = 5.0;
    f(x[1]) + a * x[2]
}

#[test]
fn taken_has_its_derivative() {
    compare(|x| taken(x).value(), |x| taken_grad(x).outcome());
}

#[gradient]
fn shadow(x: &[f64]) -> f64 {
    let a = x[0];
    let f = |t: f64| t * a;
    let a = x[1] * 3.0;
    f(a) + f(2.0) * a
}

#[test]
fn shadow_has_its_derivative() {
    compare(|x| shadow(x).value(), |x| shadow_grad(x).outcome());
}

#[gradient]
fn shadow_block(x: &[f64]) -> f64 {
    let a = x[0];
    let f = |t: f64| t * a;
    {
        let a = 7.0 * x[2];
        let t = f(a);
        t * a + a
    }
}

#[test]
fn shadow_block_has_its_derivative() {
    compare(
        |x| shadow_block(x).value(),
        |x| shadow_block_grad(x).outcome(),
    );
}

#[gradient]
fn move_reassign(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1]];
    let f = move |i: usize| v[i] * v[i];
    let mut v = vec![x[2]; 2];
    v[0] *= 2.0;
    f(0) + f(1) * v[0]
}

#[test]
fn move_reassign_has_its_derivative() {
    compare(
        |x| move_reassign(x).value(),
        |x| move_reassign_grad(x).outcome(),
    );
}

#[gradient]
fn move_state(x: &[f64]) -> f64 {
    let mut s = x[0];
    let mut next = move || {
        s = s * 0.5 + x[1];
        s
    };
    let a = next();
    let b = next();
    a * b + s
}

#[test]
fn move_state_has_its_derivative() {
    compare(|x| move_state(x).value(), |x| move_state_grad(x).outcome());
}

#[gradient]
fn move_vec_state(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let w = v.clone();
    let mut step = move |k: f64| {
        for e in v.iter_mut() {
            *e *= k;
        }
        v[0] * v[1]
    };
    step(0.5) + step(x[2]) * w[0]
}

#[test]
fn move_vec_state_has_its_derivative() {
    compare(
        |x| move_vec_state(x).value(),
        |x| move_vec_state_grad(x).outcome(),
    );
}

#[gradient]
fn refvar(x: &[f64]) -> f64 {
    let a = x[0] * 2.0;
    let b = x[1];
    let mut r = &a;
    let f = |t: f64| t * *r;
    r = &b;
    f(3.0) + *r
}

#[test]
fn refvar_has_its_derivative() {
    compare(|x| refvar(x).value(), |x| refvar_grad(x).outcome());
}

#[gradient]
fn mut_vec(x: &[f64]) -> f64 {
    let mut v = vec![];
    let mut push = |a: f64, k: usize| {
        for _ in 0..k {
            v.push(a * a);
        }
        v.len()
    };
    let n = push(x[0], 2);
    let m = push(x[1], n);
    v.iter().sum::<f64>() * m as f64
}

#[test]
fn mut_vec_has_its_derivative() {
    compare(|x| mut_vec(x).value(), |x| mut_vec_grad(x).outcome());
}

#[gradient]
fn loop_def(x: &[f64]) -> f64 {
    let mut y = vec![x[0], x[1]];
    for k in 0..4 {
        let rhs = |i: usize| y[i] * 0.5 - y[1 - i] * x[2];
        let z = vec![rhs(0), rhs(1) + k as f64];
        y = z;
    }
    y[0] * y[1]
}

#[test]
fn loop_def_has_its_derivative() {
    compare(|x| loop_def(x).value(), |x| loop_def_grad(x).outcome());
}

#[gradient]
fn scalar_loop(x: &[f64]) -> f64 {
    let mut y = x[0];
    for _ in 0..3 {
        let g = |t: f64| t * y;
        y = g(0.5) + g(x[1]);
    }
    y
}

#[test]
fn scalar_loop_has_its_derivative() {
    compare(
        |x| scalar_loop(x).value(),
        |x| scalar_loop_grad(x).outcome(),
    );
}

#[gradient]
fn unit(x: &[f64]) -> f64 {
    let mut acc = [0.0; 2];
    let mut add = |i: usize, v: f64| acc[i] += v * v;
    for (k, v) in x.iter().enumerate() {
        add(k % 2, *v);
    }
    acc[0] * acc[1]
}

#[test]
fn unit_has_its_derivative() {
    compare(|x| unit(x).value(), |x| unit_grad(x).outcome());
}

#[gradient]
fn nested_mut(x: &[f64]) -> f64 {
    let mut s = 0.0;
    let mut c = 0.0;
    let mut kahan = |v: f64| {
        let y = v - c;
        let t = s + y;
        c = (t - s) - y;
        s = t;
    };
    x.iter().for_each(|v| kahan(v * v));
    s
}

#[test]
fn nested_mut_has_its_derivative() {
    compare(|x| nested_mut(x).value(), |x| nested_mut_grad(x).outcome());
}

#[gradient]
fn fnonce(x: &[f64]) -> f64 {
    let v = x.to_vec();
    let f = || v;
    let w = f();
    w[0] * w[1]
}

#[test]
fn fnonce_has_its_derivative() {
    compare(|x| fnonce(x).value(), |x| fnonce_grad(x).outcome());
}

#[gradient]
fn mut_then_outer(x: &[f64]) -> f64 {
    let mut s = 1.0;
    {
        let mut mul = |v: f64| s *= v;
        mul(x[0]);
        mul(x[1]);
    }
    s += x[2];
    s * s
}

#[test]
fn mut_then_outer_has_its_derivative() {
    compare(
        |x| mut_then_outer(x).value(),
        |x| mut_then_outer_grad(x).outcome(),
    );
}

// What is `Copy` stays in its variable, also where the closure names it by value.

#[gradient]
fn option_again(x: &[f64]) -> f64 {
    let mut o = if x.len() > 2 {
        Some((x[0] * 0.01).to_degrees())
    } else {
        None
    };
    let mut a = [x[1], 2.0 * x[2]];
    let c = |t: f64| {
        let b = a;
        (if let Some(v) = o { v * t } else { 1.0 }) + b[0] * b[1]
    };
    let y = c(x[1]);
    o = Some(y * x[0]);
    a = [y, y];
    o.unwrap_or(2.0) * y + a[1]
}

#[derive(Clone, Copy, retrograde::Differentiable, retrograde::Record)]
struct Pair {
    a: f64,
    b: f64,
}

#[gradient]
fn pair_again(x: &[f64]) -> f64 {
    let mut p = Pair { a: x[0], b: x[1] };
    p = if x[2] > 0.0 { p } else { Pair { a: x[2], ..p } };
    let mut step = |t: f64| {
        p.a = p.a * 0.5 + (-t).sin();
        let q = p;
        q.a * q.b
    };
    let y = step(x[2]) + step(x[1]);
    p = Pair { a: y, b: p.a };
    p.a * p.b + y
}

#[test]
fn what_is_copy_may_be_assigned_again() {
    compare(
        |x| option_again(x).value(),
        |x| option_again_grad(x).outcome(),
    );
    compare(|x| pair_again(x).value(), |x| pair_again_grad(x).outcome());
}

#[gradient]
fn assigned_later(x: &[f64]) -> f64 {
    let mut scale;
    if x[0] > 0.0 {
        scale = x[1];
    } else {
        scale = x[2] * 2.0;
    }
    let mut sum = 0.0;
    for v in x {
        let mut step = move |t: f64| {
            scale = scale * 0.5 + t.sin();
            scale
        };
        sum += step(*v) * step(sum);
    }
    scale += 1.0;
    sum * scale
}

#[test]
fn what_is_moved_may_be_declared_without_a_value() {
    compare(
        |x| assigned_later(x).value(),
        |x| assigned_later_grad(x).outcome(),
    );
}
