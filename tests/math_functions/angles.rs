//! Sines and cosines of one angle, whose derivatives are each other: against formulas and differences, also where the
//! angle changes in between, and where only one of them is there.

use retrograde::{Tape, gradient};

use crate::support::{assert_close, assert_same_value, differences};

macro_rules! angles {
    ($($(#[$doc:meta])* $name:ident |$x:ident, $n:ident| $body:block)*) => { $(
        $(#[$doc])*
        mod $name {
            use super::*;

            #[gradient]
            pub(super) fn function($x: &[f64], $n: usize) -> f64 $body

            /// With records, and with everything on the tape.
            #[gradient(no(all))]
            pub(super) fn plain($x: &[f64], $n: usize) -> f64 $body

            #[test]
            fn derivatives_are_each_other() {
                for n in [1, 2, 3, 8, 40] {
                    for scale in [0.3, -2.0, 1e3] {
                        let x: Vec<f64> = (0..n + 2).map(|i| (i as f64 * 1.7 + 0.4).sin() * scale).collect();
                        let value = function(&x, n);
                        let (with, dx) = function_grad(&x, n);
                        let (without, plain) = plain_grad(&x, n);
                        assert_same_value(with, value);
                        assert_same_value(without, value);
                        assert_close(&dx, &plain, 1e-10, &x);
                        if scale.abs() < 10.0 {
                            let want = differences(|p| function(p, n), &x);
                            assert_close(&dx, &want, 2e-6, &x);
                        }
                    }
                    let strange = vec![f64::INFINITY; n + 2];
                    assert_same_value(function_grad(&strange, n).0, function(&strange, n));
                }
            }
        }
    )* };
}

angles! {
    /// Each once, the cosine first.
    once |x, n| {
        let mut e = 0.0;
        for i in 0..n {
            let c = x[i].cos();
            let s = x[i].sin();
            e += s * x[i + 1] - c * c * s;
        }
        e * e
    }
    /// Both at once, of an expression.
    both |x, n| {
        let (mut a, mut b) = (1.0, 0.0);
        for i in 0..n {
            let (s, c) = (x[i] * 0.5 + a).sin_cos();
            (a, b) = (a * c - b * s, a * s + b * c);
        }
        a * a + b
    }
    /// Several times in one expression.
    repeated |x, n| {
        let mut e = 0.0;
        for i in 0..n {
            let t = x[i] * x[i + 1];
            e += t.cos() * x[i] - t.sin() * x[i + 1] + t.sin() * t.cos();
        }
        e.sin() * e.cos()
    }
    /// The angle is an element that changes, before, between and behind.
    changed |x, n| {
        let mut a = x.to_vec();
        let mut e = 0.0;
        for i in 0..n {
            a[i] *= 1.25;
            let s = a[i].sin();
            a[i] += 0.5 * x[i + 1];
            let c = a[i].cos();
            a[i + 1] -= c * s;
            let t = a[i].sin();
            a[i] = t;
            e += s * c * t + a[i];
        }
        e * e
    }
    /// One of them is overwritten, or stands under a condition.
    overwritten |x, n| {
        let mut e = 0.0;
        for i in 0..n {
            let mut s = x[i].sin();
            let c = x[i].cos();
            s = s * c + x[i + 1];
            if x[i] > 0.1 {
                let d = x[i].sin();
                e += d * c + s;
            } else {
                e -= s * s * c;
            }
        }
        e
    }
    /// The hyperbolic ones, which keep their sign.
    hyperbolic |x, n| {
        let mut e = 0.0;
        for i in 0..n {
            let t = (x[i] * 0.5).atan();
            let (p, q) = (t.sinh(), t.cosh());
            e += p * q - q * x[i + 1] + p;
        }
        e * e
    }
    /// In a region that runs again, by several iterations.
    region |x, n| {
        let mut a = x[0];
        let mut e = 0.0;
        for i in 0..n {
            #[checkpoint]
            {
                let (s, c) = (a + x[i]).sin_cos();
                a = a * c - 0.5 * s;
                e += a * s;
            }
        }
        e + a
    }
}

#[gradient]
fn single(x: f32) -> f32 {
    let (s, c) = x.sin_cos();
    s * c + s
}

#[gradient]
fn generic<T: num_traits::Float>(x: T) -> T {
    let (s, c) = x.sin_cos();
    s * c + c
}

#[test]
fn in_single_precision() {
    for x in [0.0_f32, 0.7, -2.0, 9.5] {
        let t = f64::from(x);
        let (value, slope) = single_grad(x);
        assert_eq!(value.to_bits(), single(x).to_bits());
        assert!((f64::from(slope) - ((2.0 * t).cos() + t.cos())).abs() < 1e-5);
        let (value, slope) = generic_grad(x);
        assert_eq!(value.to_bits(), generic(x).to_bits());
        assert!((f64::from(slope) - ((2.0 * t).cos() - t.sin())).abs() < 1e-5);
    }
}

/// Both are on the tape, and the angle is not.
#[test]
fn records_hold_no_angle() {
    #[gradient(no(fuse))]
    fn turned(angles: &[f64], radius: f64) -> f64 {
        let mut angle = 0.1;
        let (mut x, mut y) = (0.0, 0.0);
        for i in 0..angles.len() {
            angle += angles[i] * angle;
            let (s, c) = angle.sin_cos();
            x += radius * c;
            y += radius * s;
        }
        x * y
    }
    let angles: Vec<f64> = (0..100).map(|i| f64::from(i).sin() * 0.1).collect();
    let mut tape = Tape::builder().shadow(true).build().expect("valid");
    let (mut d, mut dr) = (vec![0.0; 100], 0.0);
    let value = turned_grad_into(&mut tape, &angles, &mut d, 1.5, &mut dr);
    assert_eq!(value.to_bits(), turned(&angles, 1.5).to_bits());
    let want = differences(|p| turned(p, 1.5), &angles);
    assert_close(&d, &want, 1e-6, &angles);
    // The old angle, which is overwritten, a sine and a cosine.
    assert!(
        tape.stats().high_water <= 100 * 24 + 64,
        "{}",
        tape.stats().high_water
    );
}
