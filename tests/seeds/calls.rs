//! Calls of other functions with sweeps for several seeds.

use retrograde::{Tape, gradient};

use super::{Case, check, with_twin};

with_twin! {
    fn wave / wave_twin (x: f64, k: f64) -> f64 {
        (x * k).sin() * x
    }

    fn mix / mix_twin (a: &[f64], b: &[f64]) -> (f64, f64) {
        let mut sum = 0.0;
        for (x, y) in a.iter().zip(b) {
            sum += x * y * y;
        }
        (sum, a[0] - b[b.len() - 1])
    }

    fn shift / shift_twin (x: &mut [f64], by: f64) {
        for v in x.iter_mut() {
            *v = *v * by + v.cos();
        }
    }

    fn depth / depth_twin (x: f64, n: usize) -> f64 {
        if n == 0 {
            return x * x;
        }
        depth(x * 0.9, n - 1) * x
    }
}

#[gradient(seeds)]
fn power<const N: usize>(x: f64) -> [f64; N] {
    let mut powers = [1.0; N];
    for i in 1..N {
        powers[i] = powers[i - 1] * x;
    }
    powers
}

#[gradient(seeds)]
fn outer(x: &mut [f64], a: f64) -> f64 {
    // The same array twice, parts of one array, in-out arguments, a result that nobody uses, constants.
    let (same, difference) = mix(x, x);
    let (apart, _) = mix(&x[..2], &x[1..3]);
    shift(x, a);
    let (left, right) = x.split_at_mut(2);
    shift(left, wave(a, 2.0));
    shift(right, 0.5);
    let unused = wave(x[0], x[1]);
    let powers = power::<4>(x[3]);
    let mut total = same * 0.1 + difference + apart * powers[2] + powers[3];
    for i in 0..3 {
        if x[i] > 0.5 {
            total = wave(total, 0.3) + x[i];
        } else {
            x[i] = depth(x[i], i);
        }
    }
    let pair = [total, a];
    let inner = mix(&pair, &[x[0], wave(pair[1], pair[0])]);
    inner.0 + inner.1
}

struct Outer;

impl Case<5> for Outer {
    const AT: &'static [&'static [f64]] = &[
        &[0.3, 0.8, -0.4, 0.25, 0.7],
        &[-1.2, 0.1, 1.5, 0.6, 1.1],
        &[0.95, -0.9, 0.45, 1.2, -0.6],
    ];

    fn value(p: &[f64]) -> [f64; 5] {
        let mut x = [p[0], p[1], p[2], p[3]];
        let value = outer(&mut x, p[4]);
        [x[0], x[1], x[2], x[3], value]
    }

    fn one(tape: &mut Tape, p: &[f64], seed: [f64; 5]) -> ([f64; 5], Vec<f64>) {
        let mut x = [p[0], p[1], p[2], p[3]];
        let (mut dx, mut da) = ([seed[0], seed[1], seed[2], seed[3]], 0.0);
        let value = outer_adjoint(tape, &mut x, &mut dx, p[4], &mut da, seed[4]);
        ([x[0], x[1], x[2], x[3], value], [&dx[..], &[da]].concat())
    }

    fn twin(tape: &mut Tape, p: &[f64], seed: [f64; 5]) -> ([f64; 5], Vec<f64>) {
        // One seed of those for several.
        let (value, [adjoint]) = Self::several(tape, p, [seed]);
        (value, adjoint)
    }

    fn several<const K: usize>(
        tape: &mut Tape,
        p: &[f64],
        seeds: [[f64; 5]; K],
    ) -> ([f64; 5], [Vec<f64>; K]) {
        let mut x = [p[0], p[1], p[2], p[3]];
        let mut dx = seeds.map(|seed| [seed[0], seed[1], seed[2], seed[3]]);
        let mut da = [0.0; K];
        let lent = dx.each_mut().map(|row| &mut row[..]);
        let of_value = seeds.map(|seed| seed[4]);
        let value = outer_vjp_n(tape, &mut x, p[4], of_value, lent, da.each_mut());
        (
            [x[0], x[1], x[2], x[3], value],
            std::array::from_fn(|k| [&dx[k][..], &[da[k]]].concat()),
        )
    }
}

#[test]
fn calls_of_all_kinds() {
    check::<Outer, 5>();
}

fn plain_cube(x: f64) -> f64 {
    x * x * x
}

/// A rule of the user's: it runs once for each seed.
#[retrograde::derivative_of(plain_cube)]
fn cube_rule(x: f64, seed: f64, dx: &mut f64) {
    *dx += seed * 3.0 * x * x;
}

fn plain_scale(x: &mut [f64], by: f64) {
    x.iter_mut().for_each(|v| *v *= by);
}

#[retrograde::derivative_of(plain_scale)]
fn scale_rule(#[in_out] x: &[f64], by: f64, seed: (), dx: &mut [f64], dby: &mut f64) {
    for (d, v) in dx.iter_mut().zip(x) {
        *dby += *d * v;
        *d *= by;
    }
}

#[gradient(seeds)]
fn ruled(x: &mut [f64], k: f64) -> f64 {
    let first = plain_cube(x[0] * k);
    plain_scale(x, first);
    x[0] * x[1] + first
}

#[test]
fn rules_run_for_each_seed() {
    let (start, mut tape) = ([0.6, -0.8], Tape::new());
    let (mut x, mut dx, mut dk) = (start, [[1.0, 0.0], [0.5, 2.0]], [0.0; 2]);
    let rows = dx;
    let lent = dx.each_mut().map(|row| &mut row[..]);
    let value = ruled_vjp_n(&mut tape, &mut x, 1.3, [1.0, -0.25], lent, dk.each_mut());
    let mut plain = start;
    assert_eq!((value, x), (ruled(&mut plain, 1.3), plain));
    for (k, seed) in [1.0, -0.25].into_iter().enumerate() {
        let (mut x, mut bar, mut d) = (start, rows[k], 0.0);
        ruled_adjoint(&mut tape, &mut x, &mut bar, 1.3, &mut d, seed);
        assert_eq!((bar, d), (dx[k], dk[k]));
    }
}

#[derive(Clone, Debug, PartialEq, retrograde::Differentiable, retrograde::Record)]
struct Both {
    near: f64,
    far: f64,
    #[constant]
    kind: usize,
}

#[gradient(seeds)]
fn exchange(near: &mut f64, far: &mut f64) -> f64 {
    let sum = *near * *far;
    *near = sum.sin();
    *far += *near;
    sum
}

#[gradient(seeds)]
fn fields(mut both: Both, n: usize) -> Both {
    for i in 0..n {
        both.near += exchange(&mut both.far, &mut both.near) * i as f64;
    }
    let mut pair = (both.near, both.far);
    pair.0 = exchange(&mut pair.0, &mut pair.1);
    Both {
        near: pair.0,
        far: pair.1,
        kind: both.kind,
    }
}

#[test]
fn parts_of_one_variable_are_lent_side_by_side() {
    let both = Both {
        near: 0.4,
        far: 1.3,
        kind: 2,
    };
    let tangent = |near, far| BothTangent {
        near,
        far,
        ..Default::default()
    };
    let seeds = [tangent(1.0, 0.0), tangent(0.0, 1.0), tangent(0.5, -2.0)];
    let mut bars = [tangent(0.0, 0.0), tangent(0.0, 0.0), tangent(0.0, 0.0)];
    let mut tape = Tape::new();
    let value = fields_vjp_n(&mut tape, both.clone(), 3, seeds.clone(), bars.each_mut());
    assert_eq!(value, fields(both.clone(), 3));
    for (seed, bar) in seeds.into_iter().zip(bars) {
        let mut one = tangent(0.0, 0.0);
        fields_adjoint(&mut tape, both.clone(), &mut one, 3, seed);
        assert!((one.near - bar.near).abs() < 1e-14 && (one.far - bar.far).abs() < 1e-14);
    }
}
