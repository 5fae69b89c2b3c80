//! `f_adjoint` for results that are not floats, and for in-out arguments.

use crate::support::{assert_close, differences};
use retrograde::{Tape, gradient};

#[gradient]
fn polar(x: f64, y: f64) -> (f64, f64) {
    (x.hypot(y), y.atan2(x))
}

#[test]
fn tuple_result_takes_a_tuple_as_seed() {
    let mut tape = Tape::new();
    let (mut dx, mut dy) = (0.0, 0.0);
    let value = polar_adjoint(&mut tape, 3.0, &mut dx, 4.0, &mut dy, (1.0, 0.0));
    assert_eq!(value, polar(3.0, 4.0));
    assert_close(&[dx, dy], &[0.6, 0.8], 1e-14, &[]);
    polar_adjoint(&mut tape, 3.0, &mut dx, 4.0, &mut dy, (0.0, 25.0));
    assert_close(&[dx, dy], &[0.6 - 4.0, 0.8 + 3.0], 1e-14, &[]);
}

#[gradient]
fn powers(x: f64) -> [f64; 3] {
    [x, x * x, x * x * x]
}

#[gradient]
fn table(x: f64, n: usize) -> Vec<f64> {
    let mut v = vec![1.0; n];
    for i in 1..n {
        v[i] = v[i - 1] * x;
    }
    v
}

#[gradient]
fn maybe(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.ln()) } else { None }
}

#[gradient]
fn counted(x: f64) -> (f64, usize, bool) {
    (x * x, 3, x > 0.0)
}

#[gradient]
fn floor(x: f64) -> i64 {
    x.floor() as i64
}

#[test]
fn arrays_vectors_options_and_mixed_tuples_as_results() {
    let mut tape = Tape::new();
    let mut dx = 0.0;
    assert_eq!(
        powers_adjoint(&mut tape, 2.0, &mut dx, [1.0, 10.0, 100.0]),
        [2.0, 4.0, 8.0]
    );
    assert_eq!(dx, 1.0 + 40.0 + 1200.0);
    dx = 0.0;
    assert_eq!(
        table_adjoint(&mut tape, 2.0, &mut dx, 4, vec![1.0, 1.0, 0.0, 1.0]),
        [1.0, 2.0, 4.0, 8.0]
    );
    assert_eq!(dx, 1.0 + 12.0);
    dx = 0.0;
    assert_eq!(
        maybe_adjoint(&mut tape, 2.0, &mut dx, Some(3.0)),
        Some(2.0_f64.ln())
    );
    assert_eq!(dx, 1.5);
    assert_eq!(maybe_adjoint(&mut tape, -2.0, &mut dx, None), None);
    assert_eq!(dx, 1.5);
    dx = 0.0;
    assert_eq!(
        counted_adjoint(&mut tape, 3.0, &mut dx, (2.0, (), ())),
        (9.0, 3, true)
    );
    assert_eq!(dx, 12.0);
    assert_eq!(floor_adjoint(&mut tape, 3.7, &mut dx, ()), 3);
    assert_eq!(dx, 12.0);
}

#[gradient]
fn step(u: &mut [f64], rate: &mut f64, x: f64) -> f64 {
    let before = u[0];
    for i in 0..u.len() {
        u[i] = u[i] * *rate + x;
    }
    *rate = *rate * *rate;
    before * u[0]
}

#[test]
fn in_out_adjoints_hold_outputs_on_entry_and_inputs_on_return() {
    let p = [0.7, 0.4, 1.3, -0.6];
    let (wu, wr, seed) = ([2.0, -1.0], 0.5, 0.75);
    let whole = |p: &[f64]| {
        let (mut u, mut rate) = ([p[0], p[1]], p[2]);
        let r = step(&mut u, &mut rate, p[3]);
        seed * r + wu[0] * u[0] + wu[1] * u[1] + wr * rate
    };
    let (mut u, mut du) = ([p[0], p[1]], wu);
    let (mut rate, mut drate, mut dx) = (p[2], wr, 0.0);
    let value = step_adjoint(
        &mut Tape::new(),
        &mut u,
        &mut du,
        &mut rate,
        &mut drate,
        p[3],
        &mut dx,
        seed,
    );
    let (mut want_u, mut want_rate) = ([p[0], p[1]], p[2]);
    assert_eq!(value, step(&mut want_u, &mut want_rate, p[3]));
    assert_eq!((u, rate), (want_u, want_rate), "the outputs are put back");
    assert_close(
        &[du[0], du[1], drate, dx],
        &differences(whole, &p),
        1e-7,
        &p,
    );
}

#[gradient]
fn reset(v: &mut Vec<f64>, x: f64) {
    v.clear();
    v.push(x);
    v.push(x * x);
}

#[test]
fn in_out_vector_that_changes_its_length() {
    let (mut v, mut dv, mut dx) = (vec![5.0, 6.0, 7.0], vec![1.0, 10.0], 0.0);
    reset_adjoint(&mut Tape::new(), &mut v, &mut dv, 3.0, &mut dx, ());
    assert_eq!(v, [3.0, 9.0]);
    assert_eq!(dv, [0.0; 3], "the adjoint of what was there before");
    assert_eq!(dx, 61.0);
}

#[gradient]
fn pair_in_out(t: &mut (f64, f64), a: &mut [f64; 2]) {
    t.0 *= a[1];
    a[0] += t.1;
    std::mem::swap(&mut t.1, &mut a[1]);
}

#[test]
fn in_out_tuples_and_arrays() {
    let p = [0.7, 0.4, 1.3, -0.6];
    let whole = |p: &[f64]| {
        let (mut t, mut a) = ((p[0], p[1]), [p[2], p[3]]);
        pair_in_out(&mut t, &mut a);
        t.0 + 2.0 * t.1 + 3.0 * a[0] + 4.0 * a[1]
    };
    let (mut t, mut a) = ((p[0], p[1]), [p[2], p[3]]);
    let (mut dt, mut da) = ((1.0, 2.0), [3.0, 4.0]);
    pair_in_out_adjoint(&mut Tape::new(), &mut t, &mut dt, &mut a, &mut da, ());
    assert_close(
        &[dt.0, dt.1, da[0], da[1]],
        &differences(whole, &p),
        1e-7,
        &p,
    );
}
