//! Loops whose records lie in strips of a tile: trip counts around the size of a slab, none at all, records of variable
//! size, panics in the middle. What must not change: every gradient is that of the hand formula, on every tape.

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

use std::panic::{AssertUnwindSafe, catch_unwind};

use retrograde::tier::MemoryTier;
use retrograde::{Tape, gradient};
use support::check;

/// Tapes on which strips end in different places.
fn tapes() -> Vec<Tape> {
    let shadowed = |bytes| Tape::builder().slab_bytes(bytes).shadow(true);
    let plain = |bytes| Tape::builder().slab_bytes(bytes);
    let mut tapes: Vec<Tape> = [
        plain(64),
        plain(100),
        plain(4096),
        shadowed(64),
        shadowed(1000),
    ]
    .into_iter()
    .map(|builder| builder.build().expect("valid"))
    .collect();
    let budget = Tape::builder()
        .memory_budget(64 << 10)
        .slab_bytes(4096)
        .tier(MemoryTier::new());
    tapes.push(budget.build().expect("valid"));
    tapes.push(Tape::new());
    tapes
}

#[track_caller]
fn assert_near(got: f64, want: f64) {
    let near = (got - want).abs() <= 1e-11 * want.abs().max(1.0);
    assert!(near, "{got} instead of {want}");
}

/// Independent iterations: the reverse loop may run in any order.
#[gradient]
fn soft_sum(x: &[f64], w: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let e = (x[i] * w).exp();
        s += e * e;
    }
    s
}

#[test]
fn independent_iterations_of_every_length() {
    for n in [0_usize, 1, 2, 7, 8, 9, 63, 511, 512, 513, 4000, 70_001] {
        let x: Vec<f64> = (0..n).map(|i| (i as f64 * 0.37).sin()).collect();
        let w = 0.7;
        for mut tape in tapes() {
            let (mut dx, mut dw) = (vec![f64::NAN; n], f64::NAN);
            let value = soft_sum_grad_into(&mut tape, &x, &mut dx, w, &mut dw);
            assert_eq!(value, soft_sum(&x, w));
            let mut want = 0.0;
            for i in 0..n {
                let e = (2.0 * x[i] * w).exp();
                assert_near(dx[i], 2.0 * w * e);
                want += 2.0 * x[i] * e;
            }
            assert_near(dw, want);
            assert!(tape.is_empty());
        }
    }
}

/// Each iteration needs the one before it: the reverse loop runs backwards.
#[gradient]
fn recurrence(x: &[f64], y0: f64) -> f64 {
    let mut y = y0;
    for i in 0..x.len() {
        y = (y * 0.9 + x[i]).sin();
    }
    y
}

#[test]
fn carried_values_of_every_length() {
    for n in [0_usize, 1, 2, 8, 9, 300, 20_011] {
        let x: Vec<f64> = (0..n).map(|i| (i as f64 * 0.61).cos() * 0.5).collect();
        let mut states = vec![0.3];
        for v in &x {
            states.push((states[states.len() - 1] * 0.9 + v).sin());
        }
        for mut tape in tapes() {
            let (mut dx, mut dy) = (vec![f64::NAN; n], f64::NAN);
            let value = recurrence_grad_into(&mut tape, &x, &mut dx, 0.3, &mut dy);
            assert_eq!(value, recurrence(&x, 0.3));
            let mut bar = 1.0;
            for i in (0..n).rev() {
                bar *= (states[i] * 0.9 + x[i]).cos();
                assert_near(dx[i], bar);
                bar *= 0.9;
            }
            assert_near(dy, bar);
        }
    }
}

#[gradient]
fn bounds(x: f64, lo: usize, hi: usize) -> f64 {
    let mut r = x;
    for i in lo..hi {
        r = (r * x + (i % 7) as f64).sin();
    }
    r
}

#[test]
fn ranges_that_begin_late_or_are_empty() {
    for (lo, hi) in [
        (0, 0),
        (3, 3),
        (5, 2),
        (usize::MAX, 1),
        (7, 8),
        (7, 40),
        (usize::MAX - 3, usize::MAX),
    ] {
        check(
            |p| bounds(p[0], lo, hi),
            |p| bounds_grad(p[0], lo, hi),
            &[&[0.7], &[-1.3], &[0.2]],
        );
    }
}

#[gradient]
fn inclusive(x: f64, lo: usize, hi: usize) -> f64 {
    let mut r = x;
    for i in lo..=hi {
        r = (r * x + (i % 7) as f64).sin();
    }
    for i in 2..=3 {
        r = (r * x + i as f64).cos();
    }
    r
}

#[test]
fn inclusive_ranges_up_to_the_last_number() {
    for (lo, hi) in [
        (0, 0),
        (3, 3),
        (5, 2),
        (7, 700),
        (usize::MAX, usize::MAX),
        (usize::MAX - 3, usize::MAX),
        (usize::MAX, 0),
    ] {
        check(
            |p| inclusive(p[0], lo, hi),
            |p| inclusive_grad(p[0], lo, hi),
            &[&[0.7], &[-1.3], &[0.2]],
        );
    }
}

/// A short loop in a loop of unknown length: its strip is one, the outer loop pushes nothing of its own.
#[gradient]
fn short_in_long(x: f64, rows: usize) -> f64 {
    let mut r = x;
    for row in 0..rows {
        let mut part = 1.0;
        for k in 0..4 {
            part *= (r + k as f64 * x).cos();
        }
        for k in 2..2 {
            part *= r.sin();
        }
        r += part * (row as f64 * 0.1).sin();
    }
    r
}

#[test]
fn short_loops_of_literal_bounds() {
    for rows in [0, 1, 5, 200] {
        check(
            |p| short_in_long(p[0], rows),
            |p| short_in_long_grad(p[0], rows),
            &[&[0.4], &[-0.9]],
        );
    }
}

/// The branches leave records of different size.
#[gradient]
fn branching(x: &[f64]) -> f64 {
    let mut r = 0.5;
    for i in 0..x.len() {
        if x[i] > 0.0 {
            let a = (r * x[i]).sin();
            let b = (r + x[i]).cos();
            r = a * b + a;
        } else if x[i] > -0.5 {
            r = (r - x[i]).exp() * 0.2;
        }
    }
    r
}

/// A vector per iteration is a record of variable size.
#[gradient]
fn vector_per_iteration(x: &[f64]) -> f64 {
    let mut r = 0.5;
    for i in 0..x.len() {
        let mut v = Vec::new();
        for k in 0..i % 3 {
            v.push((r * x[i] + k as f64).sin());
        }
        let s: f64 = v.iter().map(|y| y * y).sum();
        r = r.cos() + s * x[i];
    }
    r
}

#[test]
fn records_of_branches_and_of_variable_size() {
    let inputs: &[&[f64]] = &[&[], &[0.3], &[0.3, -0.2, -0.9, 1.1, 0.6, -0.4, 0.8]];
    check(|p| branching(p), |p| branching_grad(p), inputs);
    check(
        |p| vector_per_iteration(p),
        |p| vector_per_iteration_grad(p),
        inputs,
    );
    let x: Vec<f64> = (0..700).map(|i| (i as f64 * 0.7).sin()).collect();
    let want = (branching_grad(&x), vector_per_iteration_grad(&x));
    for mut tape in tapes() {
        let mut dx = vec![f64::NAN; x.len()];
        let value = branching_grad_into(&mut tape, &x, &mut dx);
        assert_eq!((value, dx.clone()), want.0);
        let value = vector_per_iteration_grad_into(&mut tape, &x, &mut dx);
        assert_eq!((value, dx), want.1);
        assert!(tape.is_empty());
    }
}

#[gradient]
fn indexed(x: &[f64], at: &[usize]) -> f64 {
    let mut r = 0.1;
    for i in 0..at.len() {
        r = (r + x[at[i]]).sin();
    }
    r
}

#[test]
fn a_panic_in_the_middle_of_a_strip_leaves_the_tape_usable() {
    let x = [0.3, 0.7];
    let good: Vec<usize> = (0..900).map(|i| i % 2).collect();
    let mut bad = good.clone();
    bad[517] = 2;
    let want = indexed_grad(&x, &good);
    for mut tape in tapes() {
        let mut dx = [0.0; 2];
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            indexed_grad_into(&mut tape, &x, &mut dx, &bad)
        }));
        assert!(outcome.is_err() && tape.is_empty());
        let value = indexed_grad_into(&mut tape, &x, &mut dx, &good);
        assert_eq!((value, dx.to_vec()), want);
    }
}

/// A region inside the loop runs again in the reverse sweep, and uses the tape then.
#[gradient]
fn region_in_loop(x: &[f64]) -> f64 {
    let mut r = 0.4;
    for i in 0..x.len() {
        #[checkpoint]
        {
            for k in 0..i % 4 {
                r = (r * x[i] + k as f64).sin();
            }
        }
    }
    #[checkpoint]
    {
        for i in 0..x.len() {
            r = (r + x[i]).cos();
        }
    }
    r
}

#[test]
fn regions_and_strips() {
    check(
        |p| region_in_loop(p),
        |p| region_in_loop_grad(p),
        &[&[0.3, -0.2, 0.9, 1.1, 0.6], &[]],
    );
}
