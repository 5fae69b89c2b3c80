//! Loops over array literals and short literal ranges, which are written out: the same values, gradients and panics.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod support;

use std::cell::RefCell;
use std::hint::black_box;

use retrograde::gradient;
use support::number::{D, num};
use support::{check, check_dual, check_exact, panic_message};

/// Some numbers that have nothing to do with each other.
fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| (1.7 * i as f64 + 0.3).sin() + 1.5).collect()
}

#[gradient]
fn springs(x: &[f64], n: usize) -> f64 {
    let mut energy = 0.0;
    for i in 1..n.max(2) - 1 {
        for j in 1..n.max(2) - 1 {
            let p = i * n + j;
            let mut force = 0.0;
            for q in [p - n, p + n, p - 1, p + 1] {
                let d = x[q] - x[p];
                let l = (d * d + 1.0).sqrt();
                force += (l - 1.0) / l * d;
            }
            energy += force * force;
        }
    }
    energy
}

fn springs_dual(x: &[D], n: usize) -> D {
    let mut energy = num(0.0);
    for i in 1..n.max(2) - 1 {
        for j in 1..n.max(2) - 1 {
            let p = i * n + j;
            let mut force = num(0.0);
            for q in [p - n, p + n, p - 1, p + 1] {
                let d = x[q].clone() - x[p].clone();
                let l = (d.clone() * d.clone() + num(1.0)).sqrt();
                force += (l.clone() - num(1.0)) / l * d;
            }
            energy += force.clone() * force;
        }
    }
    energy
}

#[test]
fn neighbours_in_an_array_literal() {
    for n in [0_usize, 1, 2, 3, 4, 7] {
        let x = numbers(n * n);
        check_dual(
            |p| springs(p, black_box(n)),
            |p| springs_grad(p, black_box(n)),
            |p| springs_dual(p, n),
            &[&x],
        );
    }
}

#[gradient]
fn pairs(x: &[f64], p: usize) -> f64 {
    let mut sum = 0.0;
    for (a, b) in [(0, p), (p, 1), (p, p)] {
        sum += x[a] * x[b].exp();
    }
    for (k, q) in [p, p + 1].into_iter().enumerate() {
        sum *= x[q + k].sin() + 2.0;
    }
    sum
}

#[test]
fn tuples_and_positions() {
    let primal = |x: &[f64], p: usize| {
        (x[0] * x[p].exp() + x[p] * x[1].exp() + x[p] * x[p].exp())
            * (x[p].sin() + 2.0)
            * (x[p + 2].sin() + 2.0)
    };
    let x = numbers(7);
    for p in [0_usize, 1, 4] {
        check(
            |x| pairs(x, black_box(p)),
            |x| pairs_grad(x, black_box(p)),
            &[&x],
        );
        assert!((pairs(&x, p) - primal(&x, p)).abs() < 1e-12);
    }
}

#[gradient]
fn active_items(x: f64, y: f64) -> f64 {
    let mut r = 1.0;
    for v in [x * y, x.sin(), y, 2.0] {
        r = r * v + v * v;
    }
    for v in [x, y].iter().rev() {
        r = r.sin() * *v;
    }
    r
}

#[test]
fn items_that_carry_derivatives() {
    check(
        |p| active_items(p[0], p[1]),
        |p| active_items_grad(p[0], p[1]),
        &[&[0.7, 0.4], &[-1.3, 0.9], &[0.0, 0.0]],
    );
}

#[gradient]
fn axes(x: &[f64], p: usize) -> f64 {
    let mut r = 0.0;
    for d in 0..3 {
        let q = 3 * p + d;
        r = r * 0.5 + x[q] * x[q];
    }
    for d in (-1..=1i64).rev() {
        r = (r + x[(p as i64 + d) as usize]).sin();
    }
    for i in 0..2 {
        for j in 0..=1 {
            r += x[2 * i + j] * x[i] * x[j];
        }
    }
    r
}

#[test]
fn literal_ranges() {
    let x = numbers(12);
    for p in [1_usize, 2, 3] {
        check(
            |x| axes(x, black_box(p)),
            |x| axes_grad(x, black_box(p)),
            &[&x],
        );
    }
}

#[gradient]
fn single_precision(x: &[f32]) -> f32 {
    let mut r = 0.0_f32;
    for q in [0, 2, 1] {
        r = (r + x[q]) * x[q];
    }
    r
}

#[test]
fn in_f32() {
    let x = [0.5_f32, -1.25, 2.0];
    let (value, g) = single_precision_grad(black_box(&x));
    assert_eq!(value.to_bits(), single_precision(black_box(&x)).to_bits());
    // r = ((x0² + x2)·x2 + x1)·x1
    let want = [
        2.0 * x[0] * x[2] * x[1],
        (x[0] * x[0] + x[2]) * x[2] + 2.0 * x[1],
        (x[0] * x[0] + 2.0 * x[2]) * x[1],
    ];
    for (got, want) in g.iter().zip(want) {
        assert!((got - want).abs() < 1e-5, "{g:?} {want}");
    }
}

#[gradient]
fn overwrites(x: &[f64]) -> f64 {
    let mut a = [x[0], x[1], x[2], 1.0];
    for d in 0..3 {
        a[d] *= a[d + 1] + a[d];
        a[d + 1] = a[d].sin() * x[d];
    }
    a[0] * a[1] + a[2] * a[3]
}

#[test]
fn overwritten_elements_are_restored_copy_by_copy() {
    check(
        overwrites,
        overwrites_grad,
        &[&[0.3, 0.9, -0.4], &[1.0, 1.0, 1.0]],
    );
}

#[gradient]
fn branches(x: &[f64], n: usize) -> f64 {
    let mut r = 0.0;
    for q in [0, 1, 2, 3] {
        if q >= n {
            continue;
        }
        r += if x[q] > 1.5 { x[q] * x[q] } else { x[q].exp() };
    }
    // No index is out of bounds in a copy that runs.
    let three = [x[0], x[0] * 2.0, 1.0];
    for d in 0..4 {
        if d > 0 {
            r += three[d - 1];
        }
        if d < 3 {
            r += three[d] * three[d];
        }
    }
    r
}

#[test]
fn conditions_on_the_items() {
    let x = numbers(4);
    for n in 0..=4_usize {
        check(
            |x| branches(x, black_box(n)),
            |x| branches_grad(x, black_box(n)),
            &[&x],
        );
    }
}

#[gradient]
fn inner_loops(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for shift in [0, 1] {
        let mut product = 1.0;
        for i in shift..n {
            product *= x[i] + 0.25;
        }
        sum += product;
    }
    sum
}

#[test]
fn loops_inside_have_records_of_their_own() {
    for n in [1_usize, 2, 5, 40] {
        let x: Vec<f64> = numbers(n).iter().map(|v| v * 0.4 + 0.2).collect();
        check(
            |x| inner_loops(x, black_box(n)),
            |x| inner_loops_grad(x, black_box(n)),
            &[&x],
        );
    }
}

#[gradient]
fn polynomial(c: &[f64], x: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..4 {
        sum += c[k] * x.powi(k as i32);
    }
    sum
}

#[test]
fn exponents_that_count() {
    check(
        |p| polynomial(&p[..4], p[4]),
        |p| polynomial_grad(&p[..4], p[4]),
        &[&[0.3, -1.0, 2.0, 0.5, 1.3], &[0.3, -1.0, 2.0, 0.5, -0.4]],
    );
}

#[gradient]
fn too_far(x: &[f64], p: usize) -> f64 {
    let mut sum = 0.0;
    for q in [p, p + 1, p - 1] {
        sum += x[q];
    }
    for d in 0..4 {
        let three = [x[0], x[1], 1.0];
        sum += three[d];
    }
    sum
}

#[test]
fn panics_as_the_function_does() {
    let x = [1.0, 2.0, 3.0];
    for p in [1_usize, 2, 3] {
        let want = panic_message(|| {
            black_box(too_far(&x, black_box(p)));
        });
        let got = panic_message(|| {
            black_box(too_far_grad(&x, black_box(p)));
        });
        assert_eq!(got, want);
    }
    // All items are evaluated before the first iteration.
    if cfg!(debug_assertions) {
        let got = panic_message(|| {
            black_box(too_far_grad(&[], black_box(0)));
        });
        assert!(got.contains("subtract with overflow"), "{got}");
    }
}

thread_local! {
    static SEEN: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

fn see(k: usize) -> usize {
    SEEN.with_borrow_mut(|seen| seen.push(k));
    k
}

#[gradient]
fn watched(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for q in [see(2), see(0), see(1)] {
        let again = see(q + 10);
        sum += x[again - 10] * x[q];
    }
    sum
}

#[test]
fn effects_happen_once_and_in_order() {
    let x = [0.5, 1.5, -2.0];
    check_exact(
        watched,
        watched_grad,
        |p| p.iter().map(|v| 2.0 * v).collect(),
        &[&x],
    );
    SEEN.with_borrow_mut(Vec::clear);
    let _ = watched_grad(&x);
    assert_eq!(SEEN.with_borrow(Clone::clone), [2, 0, 1, 12, 10, 11]);
}

#[gradient]
fn in_a_region(x: &[f64], n: usize) -> f64 {
    let mut a = x.to_vec();
    #[checkpoint]
    for _ in 0..n {
        for d in 0..3 {
            a[d] = (a[d] * a[(d + 1) % 3]).sin();
        }
    }
    let mut sum = 0.0;
    #[checkpoint]
    for q in [0, 2, 1] {
        sum += a[q] * a[q];
    }
    sum
}

#[test]
fn beside_regions() {
    for n in [0_usize, 1, 5] {
        check(
            |x| in_a_region(x, black_box(n)),
            |x| in_a_region_grad(x, black_box(n)),
            &[&[0.4, 0.9, 1.3]],
        );
    }
}

#[gradient]
fn in_out(a: &mut [f64], x: f64) {
    for q in [0, 1] {
        a[q] = a[q] * x + a[1 - q].cos();
    }
}

#[test]
fn changes_an_in_out_argument() {
    let value = |p: &[f64]| {
        let mut a = [p[0], p[1]];
        in_out(&mut a, p[2]);
        2.0 * a[0] + 3.0 * a[1]
    };
    let gradient = |p: &[f64]| {
        let (mut a, mut bars, mut dx) = ([p[0], p[1]], [2.0, 3.0], 0.0);
        let mut tape = retrograde::Tape::new();
        in_out_adjoint(&mut tape, &mut a, &mut bars, p[2], &mut dx, ());
        (2.0 * a[0] + 3.0 * a[1], (bars, dx))
    };
    check(value, gradient, &[&[0.4, -0.9, 1.3]]);
}
