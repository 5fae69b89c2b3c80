//! What the generated functions promise: buffers, adjoints, seeds, tapes, panics, names.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    unused,
    dropping_copy_types,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod adjoints;
mod documents;
mod mismatches;
mod parameters;
#[path = "../support/mod.rs"]
mod support;
mod tape;

use retrograde::{Tape, gradient};
use support::panic_message;

#[gradient]
fn loss(w: &[f64], x: f64, n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n.min(w.len()) {
        s += w[i] * w[i] * x;
    }
    s
}

const W: [f64; 3] = [1.0, -2.0, 0.5];

#[test]
fn f_grad_returns_value_and_gradient() {
    let (value, (dw, dx)) = loss_grad(&W, 3.0, 3);
    assert_eq!(value, loss(&W, 3.0, 3));
    assert_eq!(dw, vec![6.0, -12.0, 3.0]);
    assert_eq!(dx, 5.25);
}

#[test]
fn f_grad_into_overwrites_its_buffers() {
    let mut tape = Tape::new();
    for start in [0.0, 99.0, f64::NAN] {
        let (mut dw, mut dx) = (vec![start; 3], start);
        let value = loss_grad_into(&mut tape, &W, &mut dw, 3.0, &mut dx, 3);
        assert_eq!((value, dw, dx), (15.75, vec![6.0, -12.0, 3.0], 5.25));
    }
}

#[test]
fn f_adjoint_adds_the_seeded_gradient() {
    let mut tape = Tape::new();
    let (mut dw, mut dx) = (vec![1.0; 3], 2.0);
    for round in 1..=2 {
        let value = loss_adjoint(&mut tape, &W, &mut dw, 3.0, &mut dx, 3, 0.5);
        let k = f64::from(round) * 0.5;
        assert_eq!(value, 15.75);
        assert_eq!(dw, vec![1.0 + 6.0 * k, 1.0 - 12.0 * k, 1.0 + 3.0 * k]);
        assert_eq!(dx, 2.0 + 5.25 * k);
    }
    let mut zero = vec![0.0; 3];
    loss_adjoint(&mut tape, &W, &mut zero, 3.0, &mut dx, 3, 0.0);
    assert_eq!(zero, vec![0.0; 3]);
}

#[test]
fn the_fallible_forms_do_the_same() {
    let mut tape = Tape::new();
    let (mut dw, mut dx) = (vec![9.0; 3], 9.0);
    assert_eq!(
        loss_try_grad_into(&mut tape, &W, &mut dw, 3.0, &mut dx, 3).unwrap(),
        15.75
    );
    assert_eq!((dw.as_slice(), dx), ([6.0, -12.0, 3.0].as_slice(), 5.25));
    assert_eq!(
        loss_try_adjoint(&mut tape, &W, &mut dw, 3.0, &mut dx, 3, 2.0).unwrap(),
        15.75
    );
    assert_eq!((dw.as_slice(), dx), ([18.0, -36.0, 9.0].as_slice(), 15.75));
}

#[test]
fn all_forms_agree_bit_for_bit() {
    let mut tape = Tape::new();
    let w: Vec<f64> = (0..50).map(|k| (k as f64).sin()).collect();
    let (value, (dw, dx)) = loss_grad(&w, 0.3, 50);
    let (mut bw, mut bx) = (vec![5.0; 50], 5.0);
    assert_eq!(
        loss_grad_into(&mut tape, &w, &mut bw, 0.3, &mut bx, 50),
        value
    );
    assert_eq!((&bw, bx), (&dw, dx));
    let (mut aw, mut ax) = (vec![0.0; 50], 0.0);
    assert_eq!(
        loss_adjoint(&mut tape, &w, &mut aw, 0.3, &mut ax, 50, 1.0),
        value
    );
    assert_eq!((&aw, ax), (&dw, dx));
}

#[gradient]
fn shapes(alpha: &[f64], beta: &Vec<f64>, rows: &[Vec<f64>]) -> f64 {
    alpha[0] * beta[0] * rows[0][0]
}

#[test]
fn length_mismatch_names_the_argument_and_both_lengths() {
    let mut tape = Tape::new();
    let rows = vec![vec![1.0], vec![2.0, 3.0]];
    let (mut a, mut b, mut r) = (vec![0.0; 2], vec![0.0; 3], rows.clone());
    let text = panic_message(|| {
        drop(shapes_grad_into(
            &mut tape,
            &[1.0, 2.0, 3.0, 4.0],
            &mut a,
            &vec![1.0; 3],
            &mut b,
            &rows,
            &mut r,
        ))
    });
    assert!(
        text.contains("alpha") && text.contains('4') && text.contains('2'),
        "{text}"
    );
    let text = panic_message(|| {
        drop(shapes_adjoint(
            &mut tape,
            &[1.0, 2.0],
            &mut a,
            &vec![1.0; 5],
            &mut b,
            &rows,
            &mut r,
            1.0,
        ))
    });
    assert!(
        text.contains("beta") && text.contains('5') && text.contains('3'),
        "{text}"
    );
    let mut short = vec![vec![0.0], vec![0.0]];
    let text = panic_message(|| {
        drop(shapes_grad_into(
            &mut tape,
            &[1.0, 2.0],
            &mut a,
            &vec![1.0; 3],
            &mut b,
            &rows,
            &mut short,
        ))
    });
    assert!(text.contains("rows"), "{text}");
    let value = shapes_grad_into(
        &mut tape,
        &[2.0, 2.0],
        &mut a,
        &vec![3.0; 3],
        &mut b,
        &rows,
        &mut r,
    );
    assert_eq!(
        (value, a, b, r),
        (
            6.0,
            vec![3.0, 0.0],
            vec![2.0, 0.0, 0.0],
            vec![vec![6.0], vec![0.0, 0.0]]
        )
    );
}

#[gradient(name = slope)]
fn renamed(x: f64) -> f64 {
    x * x
}

#[gradient(name = other, companion = hidden)]
fn renamed_twice(x: f64) -> f64 {
    renamed(x) * x
}

/// Taken by the user, hence the renaming.
fn renamed_grad() -> u8 {
    1
}

#[test]
fn name_option_renames_the_family() {
    assert_eq!(renamed_grad(), 1);
    assert_eq!(slope_grad(3.0), (9.0, 6.0));
    let mut dx = 0.0;
    assert_eq!(slope_grad_into(&mut Tape::new(), 3.0, &mut dx), 9.0);
    assert_eq!(slope_adjoint(&mut Tape::new(), 3.0, &mut dx, 1.0), 9.0);
    assert_eq!(dx, 12.0);
    assert_eq!(other_grad(2.0), (8.0, 12.0));
}

mod facade {
    pub mod inner {
        pub use retrograde as grad;
    }
}

mod under_another_name {
    use crate::facade::inner::grad;

    #[grad::gradient(crate = crate::facade::inner::grad)]
    pub(super) fn f(x: f64, v: &[f64]) -> f64 {
        let mut s = x;
        for t in v {
            s *= t;
        }
        s
    }
}

#[test]
fn crate_option_finds_a_renamed_facade() {
    assert_eq!(
        under_another_name::f_grad(2.0, &[3.0, 4.0]),
        (24.0, (12.0, vec![8.0, 6.0]))
    );
}

mod visibility {
    use retrograde::gradient;

    pub mod inner {
        use retrograde::gradient;

        #[gradient]
        pub(in crate::visibility) fn restricted(x: f64) -> f64 {
            x
        }

        #[gradient]
        pub(crate) fn shared(x: f64) -> f64 {
            3.0 * x
        }
    }

    #[gradient]
    pub fn f(x: f64) -> f64 {
        inner::restricted(x) + inner::shared(x)
    }
}

#[test]
fn generated_functions_have_the_function_s_visibility() {
    assert_eq!(visibility::inner::shared_grad(1.0), (3.0, 3.0));
    assert_eq!(visibility::f_grad(1.0), (4.0, 4.0));
}

/// Attributes that must not be copied to the generated items.
#[gradient]
#[must_use]
#[inline]
#[deprecated(note = "for the test")]
fn attributed(x: f64) -> f64 {
    x + 1.0
}

#[test]
#[allow(deprecated)]
fn attributes_stay_with_the_function() {
    assert_eq!(attributed_grad(1.0), (2.0, 1.0));
    assert_eq!(attributed(1.0), 2.0);
}
