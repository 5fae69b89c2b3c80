//! Operands of all kinds: variables, fields, results, references, nested and chained.

use retrograde::{Flat, gradient};

use crate::support::check;
use crate::types::{Body, V, bodies};

const AT: &[&[f64]] = &[
    &[0.7, 0.3, 1.2, -0.4],
    &[-1.1, 2.0, 0.0, 0.5],
    &[3.0, 3.0, 3.0, 3.0],
];

fn v(p: &[f64]) -> V {
    V { x: p[0], y: p[1] }
}

/// The gradients of two vectors as a list.
fn list(of: (f64, (VT, VT))) -> (f64, [f64; 4]) {
    let (value, (a, b)) = of;
    (value, [a.x, a.y, b.x, b.y])
}
type VT = <V as retrograde::Differentiable>::Tangent;

#[gradient]
fn chained(a: V, b: V) -> f64 {
    let c = a + b * 2.0 - -a / 3.0;
    let d = 0.5 * (c - b) * (a + b);
    d.dot(c) + (a - b).x * (d * d).y
}

#[test]
fn chained_operators() {
    check(
        |p| chained(v(p), v(&p[2..])),
        |p| list(chained_grad(v(p), v(&p[2..]))),
        AT,
    );
}

#[gradient]
fn referenced(a: &V, b: &V) -> f64 {
    let c = a + b;
    let d = &c + &(*a * 2.0);
    (&d + &d).dot(c) + (&d + a).norm2()
}

#[test]
fn references_are_operands() {
    check(
        |p| referenced(&v(p), &v(&p[2..])),
        |p| list(referenced_grad(&v(p), &v(&p[2..]))),
        AT,
    );
}

#[gradient]
fn fields(a: &Body, b: &Body, dt: f64) -> f64 {
    let d = a.pos - b.pos;
    let r2 = (a.pos - b.pos).x.powi(2) + d.y * d.y + 0.1;
    let force = d * (a.mass * b.mass / r2.sqrt());
    let moved = a.pos + a.vel * dt;
    force.dot(a.vel + b.vel) + (moved - b.pos * 2.0).norm2()
}

fn body_flat(of: (f64, (impl Flat, impl Flat, f64))) -> (f64, Vec<f64>) {
    let (value, (a, b, dt)) = of;
    let mut flat = a.to_flat();
    flat.extend(b.to_flat());
    flat.push(dt);
    (value, flat)
}

#[test]
fn fields_of_references() {
    let at: &[&[f64]] = &[
        &[1.0, 0.5, -0.3, 0.2, 0.9, 2.0, -0.7, 0.1, 0.4, -0.2, 0.01],
        &[0.5, 0.5, 0.5, 0.0, 0.0, 1.5, 0.25, 0.5, -1.0, 1.0, 0.3],
    ];
    check(
        |p| {
            let b = bodies(&p[..10]);
            fields(&b[0], &b[1], p[10])
        },
        |p| {
            let b = bodies(&p[..10]);
            body_flat(fields_grad(&b[0], &b[1], p[10]))
        },
        at,
    );
}

#[gradient]
fn twice_the_same(a: V) -> f64 {
    let b = a * a;
    let c = &b + &b;
    (c - c * a.x).norm2() + (a + a).x
}

#[test]
fn an_operand_twice() {
    check(
        |p| twice_the_same(v(p)),
        |p| {
            let (value, d) = twice_the_same_grad(v(p));
            (value, [d.x, d.y])
        },
        &[&[0.3, 1.2], &[-2.0, 0.0]],
    );
}

#[gradient]
fn returns(a: V, k: f64) -> V {
    if k > 0.0 { a * k + a } else { -(a / 2.0) }
}

#[gradient]
fn through_a_result(a: V, k: f64) -> f64 {
    (returns(a, k) - 2.0 * a).norm2()
}

#[test]
fn results_of_functions() {
    check(
        |p| through_a_result(v(p), p[2]),
        |p| {
            let (value, (d, k)) = through_a_result_grad(v(p), p[2]);
            (value, [d.x, d.y, k])
        },
        &[&[0.3, 1.2, 0.7], &[-2.0, 0.5, -0.7]],
    );
}

#[gradient]
fn constants(a: V) -> f64 {
    let up = V { x: 0.5, y: 2.0 };
    let zero = V::new(0.0, 0.0);
    (a - up + zero).dot(up * 3.0) * (up - a).x
}

#[test]
fn constant_operands() {
    check(
        |p| constants(v(p)),
        |p| {
            let (value, d) = constants_grad(v(p));
            (value, [d.x, d.y])
        },
        &[&[0.3, 1.2], &[-2.0, 0.5]],
    );
}
