//! Outputs of calls beside arguments that are put back in any case: what is lent to a function that only reads it, and
//! fields of structs.

use retrograde::{Differentiable, Record, Tape, gradient};

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, compared, numbers, twins};

/// Its reverse sweep reads `x`, which it cannot write.
#[gradient]
fn pull(x: &[f64], f: &mut [f64]) {
    for i in 0..x.len() {
        f[i] += x[i] * x[i];
    }
}

/// It lends what it may write to what only reads it.
#[gradient]
fn step(x: &mut [f64], f: &mut [f64], by: f64) {
    pull(x, f);
    for i in 0..x.len() {
        x[i] = 0.5 * x[i] + by * f[i];
    }
    pull(x, f);
}

twins! {
    /// What a function may write it lends to others, whose reverse sweeps read it and have nothing to put back.
    ///
    /// applied `outputs`: `step` does not put back `v`, `f`, unless the reverse of a call reads it
    pub(super) fn lent(x: &[f64], y: &[f64], n: usize) -> f64 {
        let m = x.len().min(4);
        let mut v = x[..m].to_vec();
        let mut e = 0.0;
        for s in 0..n {
            let mut f = vec![0.1; m];
            step(&mut v, &mut f, y[s] * 0.1);
            e += f[s % m];
        }
        e + v[0] * v[m - 1]
    }
}

compared! {
    lent lent_grad
}

#[derive(Clone, Differentiable, Record)]
struct Probe {
    at: f64,
    by: f64,
    path: Vec<f64>,
    speed: [f64; 3],
}

/// It overwrites fields and elements of fields, beside a slice that it may leave.
#[gradient]
fn moved(probe: &mut Probe, out: &mut [f64], x: f64) {
    for i in 0..3 {
        probe.at = x;
        probe.speed[i] = x;
        probe.path[i] *= x;
    }
    out[0] = x * 3.0;
}

#[gradient]
fn pulled_twice(x: &mut [f64], f: &mut [f64]) {
    pull(x, f);
    pull(x, f);
    x[0] *= 2.0;
}

#[gradient]
fn forces(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut f = vec![0.5; x.len()];
    pulled_twice(&mut v, &mut f);
    f[1] + v[0]
}

/// What may be written, and is lent to a function that only reads it, is not what that function would have to put back.
#[test]
fn nothing_is_saved_for_what_is_lent() {
    let x = numbers(4000, 1);
    let mut dx = vec![0.0; x.len()];
    let mut tape = Tape::new();
    forces_grad_into(&mut tape, &x, &mut dx);
    assert_eq!(dx[..3], [2.0, 4.0 * x[1], 0.0]);
    let bytes = tape.stats().high_water;
    assert!(bytes < 4096, "{bytes} bytes");
}

/// The caller reads the fields in reverse, and nobody the slice.
#[gradient]
fn fields_beside(x: &[f64], y: &[f64], n: usize) -> f64 {
    let mut probe = Probe {
        at: 1.0,
        by: 2.0,
        path: y[..3].to_vec(),
        speed: [0.4, 0.5, 0.6],
    };
    let mut out = [0.3, 0.4];
    let mut e = 0.0;
    for i in 0..n {
        e += probe.at * probe.at * probe.speed[1] * probe.path[2];
        moved(&mut probe, &mut out, x[i]);
        e += out[0] + probe.by;
    }
    e
}

/// A form that leaves the slice puts back the fields of the argument beside it: no companion says that it left them.
#[test]
fn fields_of_arguments_are_put_back() {
    for n in [0, 1, 2, 5] {
        let (x, y) = (numbers(n + 3, 1), numbers(n + 3, 2));
        let (value, (dx, dy)) = fields_beside_grad(&x, &y, n);
        assert_eq!(value.to_bits(), fields_beside(&x, &y, n).to_bits());
        let all = [&x[..], &y].concat();
        let want = differences(|p| fields_beside(&p[..n + 3], &p[n + 3..], n), &all);
        assert_close(&[dx, dy].concat(), &want, 1e-6, &all);
    }
}
