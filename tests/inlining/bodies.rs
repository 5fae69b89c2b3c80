//! What a function may consist of, and where it may be called.

use std::panic::{AssertUnwindSafe, catch_unwind};

use retrograde::{Tape, gradient};

use crate::is_right;
use crate::support::{assert_close, assert_same_value, check, differences};

#[gradient]
fn minmod(a: f64, b: f64) -> f64 {
    if a * b <= 0.0 {
        0.0
    } else if a.abs() < b.abs() {
        a
    } else {
        b
    }
}

/// applied `inline`: `minmod`
#[gradient]
fn limited(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len().max(2) - 1 {
        let slope = minmod(x[i] - x[i - 1], x[i + 1] - x[i]);
        sum += slope * x[i];
    }
    sum
}

/// A second call has variables of its own.
///
/// applied `inline`: `minmod`
#[gradient]
fn in_steps(x: &[f64]) -> f64 {
    let n = x.len();
    let mut u = x.to_vec();
    let mut flux = vec![0.0; n + 1];
    for _ in 0..3 {
        for i in 1..n.max(2) - 1 {
            flux[i] = u[i] + 0.3 * minmod(u[i] - u[i - 1], u[i + 1] - u[i])
                - 0.1 * minmod(u[i + 1] - u[i], u[i]);
        }
        for i in 1..n {
            u[i] -= 0.4 * (flux[i] - flux[i - 1]);
        }
    }
    u.iter().map(|v| v * v).sum()
}

/// It returns early.
#[gradient]
fn early(v: f64, limit: f64) -> f64 {
    if v < -limit {
        return -limit * v;
    }
    let mut w = v * 0.5;
    if v > limit {
        w = w * v;
        return w + 1.0;
    }
    w - v * v
}

/// applied `inline`: `early`
#[gradient]
fn early_in_a_loop(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += early(x[i], 0.4) * x[i];
    }
    sum
}

/// applied `inline`: `early`
#[gradient]
fn early_in_a_while(x: &[f64]) -> f64 {
    let (mut sum, mut i) = (0.0, 0);
    while i < x.len() {
        if x[i] > 0.9 {
            break;
        }
        if x[i] < -0.8 {
            i += 1;
            continue;
        }
        sum = early(sum + x[i], 0.25);
        i += 1;
    }
    sum
}

/// It calls others.
#[gradient]
fn slope(a: f64, b: f64) -> f64 {
    0.5 * minmod(a, b) + early(a, b * b)
}

/// applied `inline`: `slope`
#[gradient]
fn nested(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += slope(x[i], x[i - 1]);
    }
    sum
}

/// Its parameters are variables of its own.
#[gradient]
fn changed(mut a: f64, b: f64, mut n: usize) -> f64 {
    a *= b;
    n += 2;
    a += b * n as f64;
    a
}

/// applied `inline`: `changed`
#[gradient]
fn same_argument_twice(x: &[f64]) -> f64 {
    let (mut u, mut sum, mut n) = (0.5, 0.0, 0);
    for i in 0..x.len() {
        u += x[i];
        sum += changed(u, u, n) * u;
        n += 1;
    }
    sum
}

/// Arguments are evaluated in their order, each once.
///
/// applied `inline`: `changed`
#[gradient]
fn arguments_with_effects(x: &[f64]) -> f64 {
    let (mut k, mut u, mut sum) = (0, 0.25, 0.0);
    while k + 1 < x.len() {
        sum += changed(
            u,
            {
                u += x[k];
                k += 1;
                u * x[k]
            },
            k,
        );
    }
    sum + u
}

/// Its result is what it computes from.
///
/// applied `inline`: `changed`
#[gradient]
fn carried(x: &[f64]) -> f64 {
    let mut u = 0.5;
    for i in 0..x.len() {
        u = changed(u, 0.3 * x[i], i % 2);
    }
    u
}

#[gradient]
fn turned(a: f64, b: f64, angle: f64) -> (f64, f64) {
    let (s, c) = angle.sin_cos();
    (a * c - b * s, a * s + b * c)
}

/// applied `inline`: `turned`
#[gradient]
fn pairs(x: &[f64]) -> f64 {
    let (mut a, mut b) = (1.0, 0.5);
    for i in 0..x.len() {
        (a, b) = turned(a, b, x[i]);
        let both = turned(x[i], a, b);
        a += 0.1 * both.0 * both.1;
    }
    a * b
}

#[gradient]
fn weight(v: f64, k: usize) -> f64 {
    v.exp() * (k as f64 + 1.0)
}

/// applied `inline`: `weight`
#[gradient]
fn in_a_chain(x: &[f64]) -> f64 {
    x.iter().enumerate().map(|(k, v)| weight(*v, k)).sum()
}

/// applied `inline`: `weight`
#[gradient]
fn in_a_closure(x: &[f64]) -> f64 {
    let twice = |v: f64| weight(weight(v, 1) * 0.1, 2);
    let mut sum = 0.0;
    for v in x {
        sum += twice(*v);
    }
    sum
}

/// Also in a condition.
///
/// applied `inline`: `minmod`
#[gradient]
fn in_conditions(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        if minmod(x[i], x[i - 1]) != 0.0 && x[i] > 0.0 {
            sum += minmod(x[i] * x[i], x[i - 1]);
        } else {
            sum -= match minmod(x[i], 0.5) > 0.1 {
                true => x[i],
                false => 2.0 * x[i],
            };
        }
    }
    sum
}

/// applied `inline`: `minmod`
#[gradient]
fn under_checkpoints(x: &[f64]) -> f64 {
    let mut u = 0.3;
    #[checkpoint]
    for i in 0..x.len() {
        u = 0.5 * u + minmod(x[i], u * x[i] + 0.2);
    }
    u
}

#[test]
fn bodies_are_those_of_the_functions() {
    is_right(limited, limited_grad);
    is_right(in_steps, in_steps_grad);
    is_right(early_in_a_loop, early_in_a_loop_grad);
    is_right(early_in_a_while, early_in_a_while_grad);
    is_right(nested, nested_grad);
    is_right(same_argument_twice, same_argument_twice_grad);
    is_right(arguments_with_effects, arguments_with_effects_grad);
    is_right(carried, carried_grad);
    is_right(pairs, pairs_grad);
    is_right(in_a_chain, in_a_chain_grad);
    is_right(in_a_closure, in_a_closure_grad);
    is_right(in_conditions, in_conditions_grad);
    is_right(under_checkpoints, under_checkpoints_grad);
}

#[gradient]
fn narrow(a: f32, b: f32) -> f32 {
    let c = a * b;
    c + 1.1 * a.max(b)
}

/// applied `inline`: `narrow`
#[gradient]
fn of_f32(x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += narrow(x[i], x[i - 1]);
    }
    sum
}

/// not applied `inline`
#[gradient(no(inline))]
fn of_f32_by_calls(x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += narrow(x[i], x[i - 1]);
    }
    sum
}

#[test]
fn numbers_of_either_width() {
    let x: Vec<f32> = crate::numbers(11).iter().map(|v| *v as f32).collect();
    let (value, dx) = of_f32_grad(&x);
    assert_eq!(value.to_bits(), of_f32(&x).to_bits());
    let (other, by_calls) = of_f32_by_calls_grad(&x);
    assert_eq!(value.to_bits(), other.to_bits());
    for (a, b) in dx.iter().zip(&by_calls) {
        assert!((a - b).abs() < 1e-5, "{a} {b}");
    }
}

/// Arithmetic that is checked where overflow is.
#[gradient]
fn scaled(v: f64, i: usize, by: u8) -> f64 {
    v * (i - 3) as f64 / f64::from(100 + by)
}

/// applied `inline`: `scaled`
#[gradient]
fn out_of_range(x: &[f64], first: usize, by: u8) -> f64 {
    let mut sum = 0.0;
    for i in first..x.len() {
        sum += scaled(x[i], i, by);
    }
    sum
}

#[test]
fn panics_are_those_of_the_function() {
    let x = crate::numbers(12);
    for (first, by) in [(3, 1), (5, 155), (2, 1), (4, 156), (12, 255)] {
        let primal = catch_unwind(AssertUnwindSafe(|| out_of_range(&x, first, by)));
        let ours = catch_unwind(AssertUnwindSafe(|| out_of_range_grad(&x, first, by)));
        assert_eq!(primal.is_ok(), ours.is_ok(), "{first}, {by}");
        if let (Ok(value), Ok((got, dx))) = (primal, ours) {
            assert_same_value(got, value);
            assert_close(
                &dx,
                &differences(|x| out_of_range(x, first, by), &x),
                1e-7,
                &x,
            );
        }
    }
}

/// State that goes in and out.
///
/// applied `inline`: `minmod`
#[gradient]
fn advance(u: &mut [f64], speed: f64) {
    for i in 1..u.len() {
        u[i] += speed * minmod(u[i], u[i - 1]);
    }
}

/// It calls a function that has inlined another.
#[gradient]
fn advanced(x: &[f64]) -> f64 {
    let mut u = x.to_vec();
    for _ in 0..3 {
        advance(&mut u, 0.3);
    }
    u.iter().map(|v| v * v).sum()
}

/// applied `inline`: `minmod`
#[gradient(seeds)]
fn residuals(x: &[f64], scale: f64) -> [f64; 3] {
    let mut r = [0.0; 3];
    for i in 0..3 {
        r[i] = scale * minmod(x[i], x[i + 1]) + early(x[i], scale);
    }
    r
}

#[test]
fn callers_of_all_forms() {
    is_right(advanced, advanced_grad);
    let x = crate::numbers(4);
    let mut tape = Tape::new();
    for k in 0..3 {
        let (mut dx, mut dscale) = (vec![0.0; 4], 0.0);
        let mut seed = [0.0; 3];
        seed[k] = 1.0;
        let r = residuals_adjoint(&mut tape, &x, &mut dx, 0.4, &mut dscale, seed);
        assert_eq!(r, residuals(&x, 0.4));
        let all = [&x[..], &[0.4]].concat();
        let want = differences(|p| residuals(&p[..4], p[4])[k], &all);
        assert_close(&[dx, vec![dscale]].concat(), &want, 1e-7, &all);
    }
}

/// Whose names are those of generated code.
#[gradient]
fn names(x: f64, x_bar: f64, sum: f64) -> f64 {
    let i = x * x_bar;
    let slope = i + sum;
    let tape = slope * i;
    tape - x
}

/// applied `inline`: `names`
#[gradient]
fn names_of_the_caller(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    let mut tape = 0.5;
    for i in 0..x.len() {
        let slope = names(0.5 * x[i], sum, tape);
        tape = 0.1 * slope + x[i];
        sum = 0.3 * sum + slope * tape;
    }
    sum
}

#[test]
fn names_are_those_of_each_function() {
    is_right(names_of_the_caller, names_of_the_caller_grad);
}

#[gradient]
fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[gradient]
fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[gradient]
fn triple(a: &[f64; 3], b: &[f64; 3], c: &[f64; 3]) -> f64 {
    a[0] * b[1] - dot(a, b) * dot(c, a)
}

#[gradient]
fn first_two(v: &[f64]) -> f64 {
    v[0] * v[1] + v.len() as f64 * v[0]
}

#[gradient]
fn of_corners(x: &[f64], at: &[usize; 2], w: &[f64; 2]) -> f64 {
    let (mut a, b) = (x[at[0]], x[at[1]]);
    a *= w[0];
    a * b + w[1]
}

const CORNERS: [[usize; 2]; 3] = [[0, 1], [1, 2], [2, 0]];

/// applied `inline`: `dot`
/// applied `inline`: `triple`
#[gradient]
fn of_arrays(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    let up = [0.5, -0.25, 1.0];
    let mut points = vec![[0.0; 3]; x.len()];
    for i in 0..x.len() {
        points[i] = [x[i], x[i] * 0.5, 1.0 - x[i]];
    }
    for i in 1..x.len() {
        sum += dot(&points[i], &points[i - 1]) * x[i];
        let d = [x[i], x[i - 1], (sum * 0.1).sin()];
        sum += dot(&d, &d) + dot(&[x[i], 1.0, 2.0], &up);
        sum = 0.2 * sum + 0.1 * triple(&d, &points[i], &up);
    }
    sum
}

/// applied `inline`: `first_two`
/// applied `inline`: `of_corners`
#[gradient]
fn of_slices(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.push(0.3);
    let rows = vec![v.clone(), vec![0.1, 0.2, 0.7]];
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += first_two(&v) + first_two(&x[i - 1..]) + first_two(&rows[i % 2]) * v[i];
        v[0] = 0.9 * v[0] + x[i];
        sum += first_two(x) + first_two(&v[..2]) + first_two(&[x[i], v[1]]);
        sum *= 0.5;
        sum += of_corners(&rows[1], &CORNERS[i % 3], &[x[i], sum]);
    }
    sum
}

/// applied `inline`: `first_two`
#[gradient]
fn of_what_changes(u: &mut [f64], rows: &[[f64; 2]], points: &Vec<f64>) {
    for i in 1..u.len() {
        u[i] += first_two(u) + first_two(&rows[i]) * first_two(points) + first_two(&u[i - 1..]);
        u[0] *= 0.5;
    }
}

#[gradient]
fn changing(x: &[f64]) -> f64 {
    let mut u = x.to_vec();
    let rows: Vec<[f64; 2]> = x.iter().map(|v| [*v, 0.1 * v]).collect();
    let points = vec![0.3, 0.4, 0.5];
    of_what_changes(&mut u, &rows, &points);
    u.iter().sum()
}

/// Its array is a copy.
#[gradient]
fn own_copy(mut a: [f64; 3], by: f64) -> [f64; 3] {
    a[0] *= by;
    a[1] += a[0];
    a
}

/// What is assigned is what the call reads.
///
/// not applied `inline`: `cross` returns something else than numbers
/// applied `inline`: `dot`
#[gradient]
fn in_its_own_place(x: &[f64]) -> f64 {
    let (mut d, up) = ([0.3, 0.4, -0.2], [0.5, -0.25, 1.0]);
    let mut points = vec![[0.1, 0.2, 0.3]; 2];
    let mut sum = 0.0;
    for i in 0..x.len() {
        d = cross(&d, &[x[i], d[0], d[1]]);
        d[0] += 0.4;
        let e = own_copy(d, x[i]);
        d[2] = dot(&d, &up) * d[2];
        points[1][0] = dot(&points[1], &points[0]);
        sum += d[0] * d[1] + e[0] * e[1];
        points[i % 2] = cross(&points[i % 2], &points[0]);
        points[i % 2][1] += x[i];
        points[0] = own_copy(points[1], d[0]);
        [d[1], d[2], _] = own_copy(cross(&up, &d), 0.5);
    }
    sum + points[0][0] + points[1][2]
}

/// applied `inline`: `first_two`
#[gradient]
fn behind_the_end(x: &[f64], to: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..to {
        sum += first_two(&x[i..]);
    }
    sum
}

#[test]
fn elements_that_are_not_there() {
    let x = crate::numbers(6);
    for (to, exists) in [(5, true), (6, false), (7, false)] {
        let primal = catch_unwind(AssertUnwindSafe(|| behind_the_end(&x, to)));
        let ours = catch_unwind(AssertUnwindSafe(|| behind_the_end_grad(&x, to)));
        assert_eq!((primal.is_ok(), ours.is_ok()), (exists, exists));
        if let (Ok(value), Ok((got, _))) = (primal, ours) {
            assert_same_value(got, value);
        }
    }
}

#[test]
fn arrays_and_slices() {
    is_right(in_its_own_place, in_its_own_place_grad);
    is_right(of_arrays, of_arrays_grad);
    is_right(of_slices, of_slices_grad);
    is_right(changing, changing_grad);
}
