//! What adds nothing where a branch does nothing: and what adds something all the same.

use crate::twins::{agree_at, numbers, twins};

twins! {
    /// applied `sink`
    pub(super) fn pairs(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            for k in 0..3 {
                let j = (5 * i + 7 * k + 1) % x.len();
                let d = x[i] - x[j];
                let square = a * d * d;
                if square < 0.3 {
                    let inverse = 1.0 / (square + b * b + 0.7);
                    s += inverse * inverse * inverse * d;
                }
            }
        }
        s
    }

    /// Out of two branches.
    ///
    /// applied `sink`
    pub(super) fn nested(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = b;
        for i in 0..x.len() {
            let j = (3 * i + 2) % x.len();
            let d = x[i] * x[j];
            if d > -0.2 {
                let e = d * d - a * x[j];
                if e < 0.1 {
                    s += e * e * d / (1.5 + e * e * d * d);
                }
            }
        }
        s
    }

    /// A number that the branch reads has another use.
    ///
    /// applied `forward_order`
    pub(super) fn used_elsewhere(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let j = (3 * i + 2) % x.len();
            let d = x[i] - x[j];
            s += b * d * d;
            if d > 0.2 {
                s += a * d;
            }
            s -= x[j] * d;
        }
        s
    }

    /// Both arms contribute.
    ///
    /// applied `forward_order`
    pub(super) fn both_arms(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let j = (3 * i + 2) % x.len();
            let d = x[i] - x[j];
            s += if d > 0.2 { a * d * d } else { b * d };
        }
        s
    }

    /// Two branches one behind the other, of one number.
    ///
    /// applied `forward_order`
    pub(super) fn one_after_another(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let j = (3 * i + 2) % x.len();
            let d = x[i] - x[j];
            if d < 0.3 {
                s += a * d * d;
            }
            if d > -0.3 {
                s -= b * d * x[i];
            }
        }
        s
    }

    /// The adjoint begins with what comes from outside.
    ///
    /// applied `forward_order`
    pub(super) fn carried(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = 0.0;
        let mut y = x.to_vec();
        for i in 0..x.len() {
            let j = (3 * i + 2) % x.len();
            let mut d = x[i] - x[j];
            if d > 0.2 {
                d = a * d * d;
            }
            y[i] += b * d;
        }
        for v in &y {
            s += v * v;
        }
        s
    }

    /// Records stand in the arm.
    ///
    /// not applied `fuse`
    pub(super) fn recorded(x: &[f64], a: f64, b: f64) -> f64 {
        let mut t = b;
        for i in 0..x.len() {
            let j = (3 * i + 2) % x.len();
            let d = x[i] - x[j];
            if d * d < 0.5 {
                t = 0.5 * t + (a * d + 0.1 * t).sin();
            }
        }
        t
    }

    /// One of several arms.
    ///
    /// applied `sink`
    pub(super) fn arms(x: &[f64], a: f64, b: f64) -> f64 {
        let mut s = b;
        for i in 0..x.len() {
            let j = (3 * i + 2) % x.len();
            let d = x[i] - x[j];
            match i % 4 {
                2 => s += a * d * d / (1.5 + d * d * d * d),
                _ => {}
            }
        }
        s
    }
}

/// Ties, and zeros of both signs.
fn special(at: usize, v: &mut f64) {
    match at % 7 {
        2 => *v = 0.0,
        3 => *v = -0.0,
        5 => *v = 0.5,
        _ => {}
    }
}

macro_rules! each {
    ($($name:ident $gradient:ident)*) => { $(
        #[test]
        fn $name() {
            let pairs = [(0.7, 1.4), (1.3, 0.6), (2.0, 2.0), (0.0, -0.0)];
            agree_at(on::$name, [on::$gradient, off::$gradient], &pairs, special);
        }
    )* };
}

each! {
    pairs pairs_grad
    nested nested_grad
    used_elsewhere used_elsewhere_grad
    both_arms both_arms_grad
    one_after_another one_after_another_grad
    carried carried_grad
    recorded recorded_grad
    arms arms_grad
}

/// Who has no part in the value has none in the gradient, whatever it is.
#[test]
fn far_away() {
    let mut x = numbers(31, 3);
    x[4] = f64::INFINITY;
    let value = on::pairs(&x, 0.7, 1.4);
    let (got, (dx, ..)) = on::pairs_grad(&x, 0.7, 1.4);
    assert_eq!(got.to_bits(), value.to_bits());
    assert!(dx.iter().all(|d| d.is_finite()), "{dx:?}");
    assert_eq!(dx[4], 0.0);
}
