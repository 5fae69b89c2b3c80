//! Aliases of types, parameters named like their function, and methods that std offers beside the plain way.

use retrograde::{Tape, gradient};

use crate::support::check;

type F = f64;
type Row = [F; 3];

#[gradient]
fn alias(x: F, y: F) -> F {
    let z: F = x * y;
    z.sin() + z.powi(3) + y.exp().min(F::MAX)
}

#[gradient]
fn alias_row(r: &Row, f: F) -> f64 {
    r[0] * r[1] + r[2].sin() * f.powi(2).max(1.0)
}

#[gradient]
fn energy(energy: f64, x: f64) -> f64 {
    energy * energy * x
}

#[gradient]
fn signal(signal: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 1..signal.len() {
        s += signal[i] * signal[i - 1];
    }
    s
}

#[gradient]
fn calls_them(x: &[f64]) -> f64 {
    signal(x) * energy(x[0], x[1])
}

#[gradient]
fn cloned_from(x: &[f64]) -> f64 {
    let v = x.to_vec();
    let mut w = vec![1.0; 2];
    w[0] = x[0] * 2.0;
    let before = w[0];
    w.clone_from(&v);
    let mut s = before * before;
    for i in 0..w.len() {
        w[i] *= x[0];
        s += w[i] * v[i];
    }
    s
}

#[gradient]
fn mapped(x: &[f64; 3]) -> f64 {
    let y = x.map(|v| v * v);
    let z = y.map(f64::sin);
    y[0] * z[1] + z[2] * z[0]
}

const POINTS: [[f64; 3]; 4] = [
    [0.7, 1.2, 0.3],
    [1.5, -0.4, 2.5],
    [-0.3, 0.9, -1.1],
    [0.0, 0.0, 0.0],
];

#[test]
fn names_do_not_matter() {
    for p in POINTS {
        let adjoint = |x: &[f64]| {
            let (mut dx, mut dy) = (0.0, 0.0);
            let tape = &mut Tape::new();
            let value = alias_adjoint(tape, x[0], &mut dx, x[1], &mut dy, 1.0);
            (value, (dx, dy))
        };
        check(|x| alias(x[0], x[1]), adjoint, &[&p[..2]]);
        check(
            |x| alias_row(&[x[0], x[1], x[2]], x[0]),
            |x| {
                let (value, (dr, df)) = alias_row_grad(&[x[0], x[1], x[2]], x[0]);
                (value, [dr[0] + df, dr[1], dr[2]])
            },
            &[&p],
        );
        check(
            |x| energy(x[0], x[1]),
            |x| energy_grad(x[0], x[1]),
            &[&p[..2]],
        );
        check(signal, signal_grad, &[&p, &[]]);
        check(calls_them, calls_them_grad, &[&p]);
        check(cloned_from, cloned_from_grad, &[&p]);
        let row = |x: &[f64]| [x[0], x[1], x[2]];
        check(|x| mapped(&row(x)), |x| mapped_grad(&row(x)), &[&p]);
    }
}
