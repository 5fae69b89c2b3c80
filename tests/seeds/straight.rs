//! Straight code, against formulas by hand.

use retrograde::{Tape, gradient};

use super::{Case, check, same_bits, with_twin};

with_twin! {
    fn pair / pair_twin (x: &[f64; 3], w: f64) -> [f64; 2] {
        let s = x[0] * x[1] + w.sin();
        let t = s * x[2];
        [t * w, s.exp() + t.tanh()]
    }
}

struct Pair;

impl Case<2> for Pair {
    const AT: &'static [&'static [f64]] = &[&[0.3, 0.8, -0.4, 0.7], &[-1.2, 0.1, 2.0, -0.3]];

    fn value(p: &[f64]) -> [f64; 2] {
        pair(&[p[0], p[1], p[2]], p[3])
    }

    fn one(tape: &mut Tape, p: &[f64], seed: [f64; 2]) -> ([f64; 2], Vec<f64>) {
        let (mut dx, mut dw) = ([0.0; 3], 0.0);
        let value = pair_adjoint(tape, &[p[0], p[1], p[2]], &mut dx, p[3], &mut dw, seed);
        (value, [&dx[..], &[dw]].concat())
    }

    fn twin(tape: &mut Tape, p: &[f64], seed: [f64; 2]) -> ([f64; 2], Vec<f64>) {
        let (mut dx, mut dw) = ([0.0; 3], 0.0);
        let value = pair_twin_adjoint(tape, &[p[0], p[1], p[2]], &mut dx, p[3], &mut dw, seed);
        (value, [&dx[..], &[dw]].concat())
    }

    fn several<const K: usize>(
        tape: &mut Tape,
        p: &[f64],
        seeds: [[f64; 2]; K],
    ) -> ([f64; 2], [Vec<f64>; K]) {
        let (mut dx, mut dw) = ([[0.0; 3]; K], [0.0; K]);
        let x = [p[0], p[1], p[2]];
        let value = pair_vjp_n(tape, &x, p[3], seeds, dx.each_mut(), dw.each_mut());
        (
            value,
            std::array::from_fn(|k| [&dx[k][..], &[dw[k]]].concat()),
        )
    }
}

#[test]
fn arrays_of_results() {
    check::<Pair, 2>();
}

#[gradient(seeds)]
fn polar(r: f64, phi: f64) -> (f64, f64) {
    (r * phi.cos(), r * phi.sin())
}

#[test]
fn both_rows_of_a_jacobian_are_those_of_the_formula() {
    let (r, phi) = (1.7_f64, 0.4_f64);
    let (mut dr, mut dphi) = ([0.0; 2], [0.0; 2]);
    let mut tape = Tape::new();
    let seeds = [(1.0, 0.0), (0.0, 1.0)];
    let value = polar_vjp_n::<2>(&mut tape, r, phi, seeds, dr.each_mut(), dphi.each_mut());
    assert_eq!(value, (r * phi.cos(), r * phi.sin()));
    assert_eq!(dr, [phi.cos(), phi.sin()]);
    assert_eq!(dphi, [-r * phi.sin(), r * phi.cos()]);
    assert!(tape.is_empty());
}

#[test]
fn adjoints_are_added_to() {
    let (mut dr, mut dphi) = ([10.0, 20.0], [30.0, 40.0]);
    let seeds = [(1.0, 0.0), (0.0, 1.0)];
    polar_vjp_n(
        &mut Tape::new(),
        2.0,
        0.0,
        seeds,
        dr.each_mut(),
        dphi.each_mut(),
    );
    assert_eq!((dr, dphi), ([11.0, 20.0], [30.0, 42.0]));
}

#[test]
fn a_tape_that_can_fail() {
    let (mut dr, mut dphi) = ([0.0; 2], [0.0; 2]);
    let seeds = [(1.0, 0.0), (0.0, 1.0)];
    let tried = polar_try_vjp_n(
        &mut Tape::new(),
        2.0,
        0.0,
        seeds,
        dr.each_mut(),
        dphi.each_mut(),
    );
    assert_eq!(tried.unwrap(), (2.0, 0.0));
    assert_eq!((dr, dphi), ([1.0, 0.0], [-0.0, 2.0]));
}

/// A single number as the result, and ties.
#[gradient(seeds)]
fn largest(x: f64, y: f64) -> f64 {
    x.max(y).abs() * y.min(x).sqrt()
}

#[test]
fn ties_and_singular_points_are_those_of_one_seed() {
    let seeds = [1.0, 0.0, -2.0, f64::NAN, f64::INFINITY];
    for (x, y) in [
        (0.0, 0.0),
        (1.0, 1.0),
        (4.0, 0.0),
        (f64::NAN, 1.0),
        (-1.0, 2.0),
    ] {
        let (mut dx, mut dy) = ([0.0; 5], [0.0; 5]);
        let mut tape = Tape::new();
        largest_vjp_n(&mut tape, x, y, seeds, dx.each_mut(), dy.each_mut());
        for k in 0..5 {
            let (mut ex, mut ey) = (0.0, 0.0);
            largest_adjoint(&mut tape, x, &mut ex, y, &mut ey, seeds[k]);
            same_bits(&[dx[k], dy[k]], &[ex, ey], "ties");
        }
    }
}

#[gradient(seeds)]
fn narrow(x: &[f32; 2], y: f64) -> (f32, f64) {
    (x[0] * x[1], f64::from(x[0]) * y)
}

#[test]
fn floats_of_both_widths() {
    let (mut dx, mut dy) = ([[0.0f32; 2]; 2], [0.0; 2]);
    let seeds = [(1.0f32, 0.0), (0.5, 2.0)];
    narrow_vjp_n(
        &mut Tape::new(),
        &[3.0, 5.0],
        7.0,
        seeds,
        dx.each_mut(),
        dy.each_mut(),
    );
    assert_eq!(dx, [[5.0, 3.0], [2.5 + 14.0, 1.5]]);
    assert_eq!(dy, [0.0, 6.0]);
}

/// Names that the generated code uses, as names of the user's.
const K: f64 = 3.0;
const SEEDS: usize = 2;

#[gradient(seeds)]
fn names(tape: &[f64; SEEDS], seeds: f64, seed: f64, guard: f64) -> [f64; SEEDS] {
    let value = tape[0] * seeds * K;
    let each = value + seed * guard;
    [value, each * tape[1]]
}

#[test]
fn names_of_the_user_are_theirs() {
    let (mut a, mut b, mut c, mut d) = ([[0.0; 2]; 2], [0.0; 2], [0.0; 2], [0.0; 2]);
    let all = [[1.0, 0.0], [0.0, 1.0]];
    let mut tape = Tape::new();
    names_vjp_n(
        &mut tape,
        &[2.0, 5.0],
        7.0,
        11.0,
        13.0,
        all,
        a.each_mut(),
        b.each_mut(),
        c.each_mut(),
        d.each_mut(),
    );
    assert_eq!(a, [[21.0, 0.0], [105.0, 42.0 + 143.0]]);
    assert_eq!((b, c, d), ([6.0, 30.0], [0.0, 65.0], [0.0, 55.0]));
}
