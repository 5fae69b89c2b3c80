//! Rules that the user writes, `#[derivative_of]`, for functions without `#[gradient]`; the oracle is differences.

mod asked;
mod names;

use crate::support::{assert_close, check, check_exact};
use retrograde::{Differentiable, Record, Tape, derivative_of, gradient};

/// What nobody may differentiate.
mod foreign {
    pub fn wave(x: f64) -> f64 {
        (2.0 * x).sin() * x
    }

    pub fn wave_slope(x: f64) -> f64 {
        (2.0 * x).sin() + 2.0 * x * (2.0 * x).cos()
    }

    pub fn mix(x: f64, y: f64, n: u32, scale: f64) -> f64 {
        x.powi(n as i32) * y.exp() * scale
    }

    pub fn root(x: f64) -> f64 {
        x.sqrt()
    }

    pub fn single(x: f32, y: f32) -> f32 {
        x * x * y
    }

    pub fn weighted(v: &[f64], w: &Vec<f64>, at: &[usize]) -> f64 {
        at.iter().map(|&i| v[i] * v[i] * w[i]).sum()
    }

    /// What is left in `x` depends on what was found there.
    pub fn smooth(x: &mut [f64], by: f64) -> f64 {
        let mut sum = 0.0;
        for i in 1..x.len() {
            x[i] += by * x[i - 1] * x[i - 1];
            sum += x[i];
        }
        sum
    }

    pub fn step(x: &mut f64, count: &mut usize) {
        *x = x.exp() - 1.0;
        *count += 1;
    }

    /// `a` has rows; the solution takes the place of `b`.
    pub fn solve_in_place(a: &[[f64; 2]; 2], b: &mut [f64]) {
        let det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
        let x = (a[1][1] * b[0] - a[0][1] * b[1]) / det;
        b[1] = (a[0][0] * b[1] - a[1][0] * b[0]) / det;
        b[0] = x;
    }

    pub fn shrink(x: &mut f64) {
        *x = x.tanh();
    }

    pub fn turned(v: [f64; 2], angle: f64) -> [f64; 2] {
        let (s, c) = angle.sin_cos();
        [c * v[0] - s * v[1], s * v[0] + c * v[1]]
    }

    pub fn powers(x: f64, n: usize) -> Vec<f64> {
        (0..n).map(|k| x.powi(k as i32)).collect()
    }

    pub fn cosh(x: f64) -> f64 {
        mod c {
            #[allow(unsafe_code, reason = "what people call by FFI")]
            unsafe extern "C" {
                pub safe fn cosh(x: f64) -> f64;
            }
        }
        c::cosh(x)
    }
}

use foreign::{
    cosh, mix, powers, root, shrink, single, smooth, solve_in_place, step, turned, wave, weighted,
};

#[derivative_of(foreign::wave)]
fn wave_rule(x: f64) -> f64 {
    foreign::wave_slope(x)
}

#[derivative_of(foreign::mix)]
fn mix_rule(x: f64, y: f64, n: u32, #[constant] scale: f64, #[result] z: f64) -> (f64, f64) {
    (f64::from(n) * x.powi(n as i32 - 1) * y.exp() * scale, z)
}

#[derivative_of(foreign::root)]
fn root_rule(_: f64, #[result] y: f64) -> f64 {
    0.5 / y
}

#[derivative_of(foreign::single)]
fn single_rule(x: f32, y: f32) -> (f32, f32) {
    (2.0 * x * y, x * x)
}

#[derivative_of(cosh)]
fn cosh_rule(x: f64) -> f64 {
    x.sinh()
}

#[derivative_of(foreign::weighted)]
fn weighted_rule(v: &[f64], w: &Vec<f64>, at: &[usize], seed: f64, dv: &mut [f64], dw: &mut [f64]) {
    for &i in at {
        dv[i] += seed * 2.0 * v[i] * w[i];
        dw[i] += seed * v[i] * v[i];
    }
}

#[derivative_of(foreign::smooth)]
fn smooth_rule(#[in_out] x: &[f64], by: f64, seed: f64, dx: &mut [f64], dby: &mut f64) {
    let mut after = x.to_vec();
    foreign::smooth(&mut after, by);
    for i in (1..x.len()).rev() {
        dx[i] += seed;
        *dby += dx[i] * after[i - 1] * after[i - 1];
        dx[i - 1] += dx[i] * by * 2.0 * after[i - 1];
    }
}

#[derivative_of(foreign::step)]
fn step_rule(#[in_out] x: &f64, #[in_out] _count: &usize, seed: (), dx: &mut f64) {
    *dx *= x.exp();
}

#[derivative_of(foreign::solve_in_place)]
fn solve_in_place_rule(
    a: &[[f64; 2]; 2],
    #[in_out] _b: &[f64],
    #[result] x: &[f64],
    _seed: (),
    da: &mut [[f64; 2]; 2],
    db: &mut [f64],
) {
    let transposed = [[a[0][0], a[1][0]], [a[0][1], a[1][1]]];
    solve_in_place(&transposed, db);
    for i in 0..2 {
        for j in 0..2 {
            da[i][j] -= db[i] * x[j];
        }
    }
}

#[derivative_of(foreign::shrink)]
fn shrink_rule(#[in_out] _x: &f64, #[result] y: f64, _seed: (), dx: &mut f64) {
    *dx *= 1.0 - y * y;
}

#[derivative_of(foreign::turned)]
fn turned_rule(
    _v: [f64; 2],
    angle: f64,
    #[result] y: &[f64; 2],
    seed: &[f64; 2],
    dv: &mut [f64; 2],
    dangle: &mut f64,
) {
    let (s, c) = angle.sin_cos();
    dv[0] += c * seed[0] + s * seed[1];
    dv[1] += -s * seed[0] + c * seed[1];
    *dangle += -seed[0] * y[1] + seed[1] * y[0];
}

#[derivative_of(foreign::powers)]
fn powers_rule(x: f64, n: usize, seed: &[f64], dx: &mut f64) {
    for k in 1..n {
        *dx += seed[k] * k as f64 * x.powi(k as i32 - 1);
    }
}

const PAIRS: &[&[f64]] = &[&[0.7, 0.4], &[-1.3, 0.9], &[1.4, -1.1]];
const TAME: &[&[f64]] = &[&[0.7, 0.4], &[-0.6, 0.3], &[0.5, -0.2]];

#[gradient]
fn of_floats(x: f64, y: f64) -> f64 {
    let a = mix(wave(x), y, 3, 2.0);
    let b = mix(y, y, 2, 0.5);
    a * cosh(x) + b + wave(cosh(y) - 1.0)
}

#[test]
fn floats_nested_and_the_same_argument_twice() {
    check(
        |p| of_floats(p[0], p[1]),
        |p| of_floats_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn in_control(x: f64, y: f64, n: usize) -> f64 {
    let mut r = x;
    for i in 0..n {
        if i % 2 == 0 {
            r = 0.3 * wave(r) + y;
        } else if wave(r) > 0.0 {
            r -= wave(y * i as f64);
        }
    }
    r
}

#[gradient]
fn in_a_region(x: f64, y: f64, n: usize) -> f64 {
    let mut r = x;
    #[checkpoint]
    for i in 0..n {
        r = 0.3 * wave(r) + y * mix(r, y, 2, 0.1);
    }
    r
}

#[test]
fn loops_branches_and_regions() {
    for n in [0, 1, 4] {
        check(
            |p| in_control(p[0], p[1], n),
            |p| in_control_grad(p[0], p[1], n),
            TAME,
        );
        check(
            |p| in_a_region(p[0], p[1], n),
            |p| in_a_region_grad(p[0], p[1], n),
            TAME,
        );
    }
}

#[gradient]
fn overwritten_later(x: f64, y: f64) -> f64 {
    let mut v = vec![x, y, x * y];
    let mut w = vec![y, 1.0, x];
    let mut total = 0.0;
    for k in 0..3 {
        let at = vec![k, 1, k];
        total += weighted(&v, &w, &at);
        total += weighted(&w, &w, &at);
        v[k] = total * 0.1;
        w[2] -= v[1];
    }
    total + v[2] * w[2]
}

#[test]
fn the_rule_sees_slices_as_the_call_did() {
    check(
        |p| overwritten_later(p[0], p[1]),
        |p| overwritten_later_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn in_place(x: f64, y: f64, n: usize) -> f64 {
    let mut v = vec![x, y, x - y, 0.3];
    let mut total = 0.0;
    let mut count = 0;
    for k in 0..n {
        total += smooth(&mut v, y);
        smooth(&mut v[1..3], 0.5 * x);
        step(&mut v[k], &mut count);
        v[k] *= count as f64 * 0.3;
    }
    total + v[0] * v[3] + v[2]
}

#[gradient]
fn in_place_in_a_region(x: f64, y: f64, n: usize) -> f64 {
    let mut v = [x, y, 0.3];
    let mut count = 0;
    #[checkpoint]
    for _ in 0..n {
        smooth(&mut v, y);
        step(&mut v[2], &mut count);
    }
    v[0] * v[2] * count as f64
}

#[test]
fn what_is_overwritten_comes_back() {
    for n in [0, 1, 3] {
        check(
            |p| in_place(p[0], p[1], n),
            |p| in_place_grad(p[0], p[1], n),
            &[&[0.3, 0.2], &[-0.4, 0.5]],
        );
        check(
            |p| in_place_in_a_region(p[0], p[1], n),
            |p| in_place_in_a_region_grad(p[0], p[1], n),
            &[&[0.3, 0.2], &[-0.4, 0.5]],
        );
    }
}

#[gradient]
fn left_in_an_argument(x: &mut [f64], by: f64) {
    smooth(x, by);
    smooth(x, by * by);
}

#[test]
fn in_out_parameters_of_the_caller() {
    let (start, by) = ([0.4, -0.3, 0.9], 0.6);
    let mut x = start;
    let mut dx = [0.2, 0.5, 1.0];
    let mut dby = 0.25;
    left_in_an_argument_adjoint(&mut Tape::new(), &mut x, &mut dx, by, &mut dby, ());
    let mut want = start;
    left_in_an_argument(&mut want, by);
    assert_eq!(x, want);
    let value = |p: &[f64]| {
        let mut x = [p[0], p[1], p[2]];
        left_in_an_argument(&mut x, p[3]);
        0.2 * x[0] + 0.5 * x[1] + x[2]
    };
    let at = [start[0], start[1], start[2], by];
    let want = crate::support::differences(value, &at);
    assert_close(&[dx[0], dx[1], dx[2], dby - 0.25], &want, 1e-7, &at);
}

#[gradient]
fn arrays_and_vectors(x: f64, y: f64) -> f64 {
    let mut v = turned([x, y], x * y);
    v = turned(v, v[0]);
    let p = powers(v[1], 4);
    // Nothing asks for the adjoint of this one.
    turned(v, y);
    p[1] * p[3] + v[0] + p[2]
}

#[test]
fn results_that_are_arrays_and_vectors() {
    check(
        |p| arrays_and_vectors(p[0], p[1]),
        |p| arrays_and_vectors_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn at_a_singularity(x: f64, y: f64) -> f64 {
    y * root(x) + x
}

#[test]
fn a_singular_partial_with_seed_zero_is_nothing() {
    let (value, (dx, dy)) = at_a_singularity_grad(0.0, 0.0);
    assert_eq!((value, dx, dy), (0.0, 1.0, 0.0));
    check_exact(
        |p| at_a_singularity(p[0], p[1]),
        |p| at_a_singularity_grad(p[0], p[1]),
        |p| vec![p[1] * 0.5 / p[0].sqrt() + 1.0, p[0].sqrt()],
        &[&[0.25, 3.0], &[2.0, -1.0]],
    );
}

#[gradient]
fn of_single(x: f32, y: f32) -> f32 {
    single(single(x, y), x)
}

#[test]
fn single_precision() {
    let (value, (dx, dy)) = of_single_grad(1.5, 0.5);
    assert_eq!(value, of_single(1.5, 0.5));
    // x⁵ y²
    assert_eq!((dx, dy), (5.0 * 1.5_f32.powi(4) * 0.25, 1.5_f32.powi(5)));
}

#[derive(Differentiable, Record, Clone, Debug, PartialEq)]
pub struct Spring {
    stiffness: f64,
    rest: Vec<f64>,
    #[constant]
    name: String,
}

fn energy(spring: &Spring, x: &[f64]) -> f64 {
    x.iter()
        .zip(&spring.rest)
        .map(|(x, r)| 0.5 * spring.stiffness * (x - r) * (x - r))
        .sum()
}

#[derivative_of(energy)]
fn energy_rule(spring: &Spring, x: &[f64], seed: f64, dspring: &mut SpringTangent, dx: &mut [f64]) {
    for i in 0..x.len() {
        let d = x[i] - spring.rest[i];
        dspring.stiffness += seed * 0.5 * d * d;
        dspring.rest[i] -= seed * spring.stiffness * d;
        dx[i] += seed * spring.stiffness * d;
    }
}

#[gradient]
fn of_own_types(mut spring: Spring, x: &[f64]) -> f64 {
    let first = energy(&spring, x);
    spring.stiffness *= 2.0;
    first * energy(&spring, &x[..1])
}

#[test]
fn structs_with_tangents() {
    let spring = |p: &[f64]| Spring {
        stiffness: p[0],
        rest: p[1..3].to_vec(),
        name: "s".to_owned(),
    };
    check(
        |p| of_own_types(spring(p), &p[3..]),
        |p| {
            let (value, (d, dx)) = of_own_types_grad(spring(p), &p[3..]);
            (value, (d.stiffness, d.rest, dx))
        },
        &[&[2.0, 0.5, -0.5, 1.0, 0.25]],
    );
}

#[gradient]
fn solves_in_place(x: f64, y: f64, n: usize) -> f64 {
    let mut b = [x, y, 1.0];
    let mut a = [[3.0, x], [0.5 * y, 2.0]];
    for _ in 0..n {
        solve_in_place(&a, &mut b[1..]);
        a[0][1] += b[1];
        shrink(&mut b[0]);
        b[1] *= b[0];
        solve_in_place(&a, &mut b[..2]);
    }
    b[0] * b[1] + b[2] * a[0][1]
}

#[test]
fn what_the_function_left_in_its_argument() {
    for n in [0, 1, 3] {
        check(
            |p| solves_in_place(p[0], p[1], n),
            |p| solves_in_place_grad(p[0], p[1], n),
            &[&[0.7, 0.4], &[-0.3, 0.9]],
        );
    }
}
