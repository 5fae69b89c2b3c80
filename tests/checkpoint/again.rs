//! What decides in a region and computes with integers runs twice, and answers the same again.

use retrograde::gradient;

use crate::support::{assert_close, check};
use crate::{PAIRS, identical};

// Guards that call methods of numbers may run twice.

#[gradient]
fn guarded(x: f64, y: f64, n: usize) -> f64 {
    let mut q = (2.0 * x, y);
    let mut s = 1.0;
    #[checkpoint]
    for i in 0..n {
        match (i + n) % 4 {
            k if k > 1 && q.1.is_sign_negative() => s *= q.0,
            k if usize::from(q.0 > 0.1) + k < 2 => q.1 -= 0.4 * q.0,
            0 | 1 if q.0.abs() > 1.0 => s += q.1,
            k => s += (q.0 * k as f64).sin(),
        }
    }
    s
}

#[gradient]
fn guarded_plain(x: f64, y: f64, n: usize) -> f64 {
    let mut q = (2.0 * x, y);
    let mut s = 1.0;
    for i in 0..n {
        match (i + n) % 4 {
            k if k > 1 && q.1.is_sign_negative() => s *= q.0,
            k if usize::from(q.0 > 0.1) + k < 2 => q.1 -= 0.4 * q.0,
            0 | 1 if q.0.abs() > 1.0 => s += q.1,
            k => s += (q.0 * k as f64).sin(),
        }
    }
    s
}

#[test]
fn guards_with_methods_in_a_region() {
    for n in 0..9 {
        for p in PAIRS {
            identical(
                guarded_grad(p[0], p[1], n),
                guarded_plain_grad(p[0], p[1], n),
            );
        }
    }
    check(
        |p| guarded_plain(p[0], p[1], 7),
        |p| guarded_plain_grad(p[0], p[1], 7),
        PAIRS,
    );
}

static TABLE: [f64; 3] = [0.5, -1.25, f64::INFINITY];
const SCALE: f64 = -0.3;

/// What a guard asks of a constant: rustc checks that it is a number.
#[gradient]
fn asked(x: f64, y: f64, n: usize) -> f64 {
    let mut s = x;
    #[checkpoint]
    for i in 0..n {
        s = match i % 4 {
            0 if TABLE[i % 3].is_finite() => s * y,
            k if SCALE.is_sign_negative() && (TABLE[(i + n) % 3]).is_infinite() => {
                s.sin() * k as f64
            }
            k if k > 2 || TABLE[1].is_nan() => s + x * y,
            _ => y - s,
        };
    }
    s
}

#[gradient]
fn asked_plain(x: f64, y: f64, n: usize) -> f64 {
    let mut s = x;
    for i in 0..n {
        s = match i % 4 {
            0 if TABLE[i % 3].is_finite() => s * y,
            k if SCALE.is_sign_negative() && (TABLE[(i + n) % 3]).is_infinite() => {
                s.sin() * k as f64
            }
            k if k > 2 || TABLE[1].is_nan() => s + x * y,
            _ => y - s,
        };
    }
    s
}

#[test]
fn guards_that_ask_constants() {
    for n in 0..14 {
        for p in PAIRS {
            identical(asked_grad(p[0], p[1], n), asked_plain_grad(p[0], p[1], n));
        }
    }
    check(
        |p| asked_plain(p[0], p[1], 13),
        |p| asked_plain_grad(p[0], p[1], 13),
        PAIRS,
    );
}

/// Arithmetic of integers gives the same again, whichever of its methods does it.
#[gradient]
fn indexed(x: &[f64], n: usize, k: i32) -> f64 {
    let mut sum = 0.0;
    #[checkpoint]
    for i in 0..n {
        let signed = (i as isize - 2).unsigned_abs();
        let checked = i.checked_pow(2).unwrap_or(1).next_multiple_of(3);
        let wrapped = i.wrapping_neg().rotate_left(3).overflowing_add(5).0;
        let sign = f64::from(u8::from((k - i as i32).is_negative()));
        sum += (x[signed % 4] * x[checked % 4]).sin() * (x[wrapped % 4] + sign);
    }
    sum
}

#[test]
fn methods_of_integers_run_again() {
    for n in [0, 1, 5, 9] {
        let x: &[f64] = &[0.3, -0.8, 1.1, 0.6];
        check(|x| indexed(x, n, 3), |x| indexed_grad(x, n, 3), &[x]);
    }
}

/// A guard computes with numbers that it declares.
#[gradient]
fn guarded_by_a_block(x: f64, n: usize) -> f64 {
    #[checkpoint]
    {
        match n % 3 {
            0 if ({
                let t: f64 = 0.75;
                t
            })
            .sin()
                > 0.5 =>
            {
                x * x
            }
            0 | 1 => x.sin(),
            _ => 1.0,
        }
    }
}

#[test]
fn guards_with_blocks_run_again() {
    for n in 0..3 {
        check(
            |p| guarded_by_a_block(p[0], n),
            |p| guarded_by_a_block_grad(p[0], n),
            &[&[0.4], &[-1.2]],
        );
    }
}

#[gradient]
fn gated(x: f64, open: bool) -> f64 {
    if open { x * x } else { x }
}

#[gradient(no(inline))]
fn with_a_copied_flag(x: f64, open: bool) -> f64 {
    let mut y = x;
    #[checkpoint]
    for _ in 0..2 {
        #[allow(clippy::clone_on_copy)]
        let z = gated(y, open.clone());
        y = 0.5 * z.sin();
    }
    y
}

#[test]
fn a_copy_of_a_flag_is_made_again() {
    let half_sine = |x: f64| 0.5 * (x * x).sin();
    let slope = |x: f64| x * (x * x).cos();
    for x in [0.3, -1.2] {
        let (value, dx) = with_a_copied_flag_grad(x, true);
        assert_eq!(value, half_sine(half_sine(x)));
        assert_close(&[dx], &[slope(x) * slope(half_sine(x))], 1e-14, &[x]);
    }
}

#[gradient]
fn with_a_block_in_an_assertion(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint]
    for _ in 0..2 {
        let z = y * y;
        assert_ne!(
            {
                let t: f64 = z;
                t
            }
            .abs()
                + 1.0,
            0.0,
            "of {}",
            {
                let u = z;
                u
            }
            .abs()
        );
        y = 0.5 * z.sin();
    }
    y
}

#[test]
fn a_block_in_an_assertion_is_made_again() {
    let half_sine = |x: f64| 0.5 * (x * x).sin();
    let slope = |x: f64| x * (x * x).cos();
    for x in [0.3, -1.2] {
        let (value, dx) = with_a_block_in_an_assertion_grad(x);
        assert_eq!(value, half_sine(half_sine(x)));
        assert_close(&[dx], &[slope(x) * slope(half_sine(x))], 1e-14, &[x]);
    }
}
