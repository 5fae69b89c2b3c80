//! Loops whose iterations run side by side, with variables that are declared without a value.

use crate::support::check;
use crate::twins::{SIZES, agree, numbers, twins};

twins! {
    /// applied `jam`
    pub(super) fn signs(x: &[f64], w: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let t = 0.2 * (i % 9) as f64 - 0.8;
            let mut missed = if t > 0.3 {
                1.0
            } else if t < -0.3 {
                -1.0
            } else {
                0.0
            };
            let mut power = 1.0;
            for j in 0..w.len() {
                missed -= w[j] * power;
                power *= t;
            }
            sum += missed * missed * x[i];
        }
        sum
    }

    /// applied `fuse`
    pub(super) fn numbers_of_arms(x: &[f64], w: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let mut d;
            match i % 3 {
                0 => d = x[i],
                1 => d = 0.5 * x[i] * x[i],
                _ => {
                    d = 1.0;
                    d += x[i];
                }
            }
            for j in 0..w.len() {
                d += w[j] * x[i];
            }
            sum += d * d;
        }
        sum
    }

    /// The value comes behind the inner loop.
    ///
    /// applied `reslice`
    pub(super) fn behind(x: &[f64], w: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let s;
            let mut d = 0.1;
            for j in 0..w.len() {
                d += x[i] * w[j] * w[j];
            }
            s = d * x[i];
            sum += s * s;
        }
        sum
    }

    /// One arm alone has a value, which nobody reads inside: the inner loop gives others.
    ///
    /// applied `fuse`
    pub(super) fn one_arm(x: &[f64], w: &[f64]) -> f64 {
        let mut sum = 0.0;
        for i in 0..x.len() {
            let mut s;
            if x[i] > 0.0 {
                s = x[i] * x[i];
                sum += s;
            }
            let mut d = 0.2;
            for j in 0..w.len() {
                s = w[j] * x[i];
                d += s * s;
            }
            sum += d * d;
        }
        sum
    }
}

macro_rules! each {
    ($($name:ident $gradient:ident)*) => { $(
        #[test]
        fn $name() {
            for n in SIZES {
                for m in [0, 1, 4, 9, 40, 67] {
                    let (mut x, w) = (numbers(n, 3), numbers(m, 7));
                    agree(|| on::$name(&x, &w), || on::$gradient(&x, &w), || off::$gradient(&x, &w));
                    if let Some(x) = x.get_mut(n / 2) {
                        *x = f64::NAN;
                    }
                    agree(|| on::$name(&x, &w), || on::$gradient(&x, &w), || off::$gradient(&x, &w));
                }
            }
            let all = numbers(13 + 41, 5);
            check(
                |p| on::$name(&p[..13], &p[13..]),
                |p| on::$gradient(&p[..13], &p[13..]),
                &[&all],
            );
        }
    )* };
}

each! {
    signs signs_grad
    numbers_of_arms numbers_of_arms_grad
    behind behind_grad
    one_arm one_arm_grad
}
