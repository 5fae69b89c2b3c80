//! Adjoints that multiply by the inverse of a root where they would divide by it.

use crate::twins::{SIZES, agree, both, numbers, twins};

twins! {
    /// Springs between neighbours: the length divides three times.
    ///
    /// applied `factors`
    pub(super) fn springs(x: &[f64], y: &[f64]) -> f64 {
        let mut e = 0.0;
        for i in 1..x.len() {
            let (dx, dy) = (x[i] - x[i - 1], y[i] - y[i - 1]);
            let l = (dx * dx + dy * dy).sqrt();
            let f = (l - 0.3) / l;
            e += f * dx * dx + f * dy;
        }
        e
    }

    /// applied `factors`
    pub(super) fn single(x: f32, y: f32) -> f32 {
        let l = (x * x + y * y).sqrt();
        (x + 1.0) / l + y / l
    }

    /// Divisors that the text shows, of which some have no inverse that is a number.
    ///
    /// applied `factors`
    pub(super) fn literals(x: &[f64], y: f64) -> f64 {
        let mut e = y / 6.0;
        for i in 0..x.len() {
            e += x[i] * y / -3.0 + x[i] / 1e-3 - (x[i] * x[i] * 1e300) / 1e301 + (1e-310 * x[i] / 1e-310) / 8.0;
        }
        e * 0.5 - e / 7.25
    }

    /// applied `factors`
    pub(super) fn literals_of_half_the_size(x: f32, y: f32) -> f32 {
        x * y / 6.0 - y / 1e-35 * 1e-35 + (x / 3.0) / 1e32
    }

    /// The root changes after it was divided by.
    ///
    /// applied `factors`
    pub(super) fn changed(x: f64, y: f64) -> f64 {
        let mut l = (x * x + y).sqrt();
        let a = x / l;
        l += a;
        let b = y / l;
        l *= b;
        a / l + b / l
    }

    /// Divisions in branches and loops.
    ///
    /// applied `factors`
    pub(super) fn nested(x: &[f64], y: f64) -> f64 {
        let l = y.sqrt();
        let mut s = y / l;
        for i in 0..x.len() {
            let k = (x[i] * x[i] + y).sqrt();
            if x[i] > 0.0 {
                s += x[i] / l + y / k + x[i] / k;
            } else {
                s -= s / k / l;
            }
        }
        s
    }

    /// Quotients that are compared, that choose a branch or an element, and that are all but cancelled.
    ///
    /// applied `factors`
    pub(super) fn compared(x: f64, y: f64, z: f64, t: &[f64]) -> f64 {
        let l = z.sqrt();
        let (a, b) = (x / l, y / l);
        let m = a.max(b) * a + (a - b).abs();
        let c = x / l - 1.0;
        let k = (a.abs() as usize).min(t.len() - 1);
        let s = if a > b { a * m } else { b / l };
        s + c * c * y + t[k] * a / l
    }

    /// Other divisors are none of these.
    ///
    /// not applied `factors`
    pub(super) fn product(x: f64, y: f64) -> f64 {
        let p = x * y;
        x / p + y / p + (x + y) / p
    }
}

#[test]
fn roots_of_all_kinds() {
    for n in SIZES {
        let (x, y) = (&numbers(n, 1), &numbers(n, 2));
        both!(springs, springs_grad, (x, y));
        both!(nested, nested_grad, (x, 0.7));
        // Points that coincide, and one that is far away.
        let mut same = x.clone();
        if n > 4 {
            same[2] = same[1];
            same[4] = 1e200;
        }
        both!(springs, springs_grad, (&same, &same));
        let zero = vec![0.0; n];
        both!(springs, springs_grad, (&zero, &zero));
    }
    let special = [
        0.0,
        -0.0,
        1.0,
        -2.5,
        1e-320,
        1e200,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    for x in special {
        for y in special {
            both!(changed, changed_grad, (x, y));
            both!(product, product_grad, (x, y));
            both!(nested, nested_grad, (&[0.5, -0.5, x], y));
        }
    }
    let t = &numbers(4, 3);
    for (x, y, z) in [
        (0.3, 0.3, 2.0),
        (1.1, 1.1, 1.21),
        (3.0, 2.0, 9.0),
        (0.7, 0.7, 0.49),
        (-2.0, 5.0, 0.1),
    ] {
        both!(compared, compared_grad, (x, y, z, t));
    }
    for (x, y) in [(0.3_f32, -0.7_f32), (0.0, 0.0), (1e-30, 1e-30), (1e30, 2.0)] {
        let (value, (dx, dy)) = on::single_grad(x, y);
        let (same, (off_dx, off_dy)) = off::single_grad(x, y);
        let close = |a: f32, b: f32| {
            a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= 1e-6 * b.abs()
        };
        assert_eq!(value.to_bits(), on::single(x, y).to_bits());
        assert_eq!(value.to_bits(), same.to_bits());
        assert!(
            close(dx, off_dx) && close(dy, off_dy),
            "{dx} {dy}, {off_dx} {off_dy}"
        );
    }
}

#[test]
fn divisors_of_the_text() {
    for n in SIZES {
        both!(literals, literals_grad, (&numbers(n, 2), 0.7));
    }
    for (x, y) in [(0.3, 1.7), (-2.5, 0.0), (1e20, -1e-20)] {
        let value = on::literals_of_half_the_size(x, y);
        let ((got, (dx, dy)), (_, (ex, ey))) = (
            on::literals_of_half_the_size_grad(x, y),
            off::literals_of_half_the_size_grad(x, y),
        );
        assert_eq!(got.to_bits(), value.to_bits());
        assert!((dx - ex).abs() <= 1e-6 * ex.abs() && (dy - ey).abs() <= 1e-6 * ey.abs());
    }
}

/// A quotient by zero has the derivative that it had.
#[test]
fn divisors_that_are_zero() {
    #[retrograde::gradient]
    fn by_zero(x: f64, y: f64) -> f64 {
        x / 0.0 + y
    }
    assert_eq!(
        by_zero_grad(1.0, 2.0),
        (f64::INFINITY, (f64::INFINITY, 1.0))
    );
}
