//! Functions of one argument, against their derivatives written by hand.

use crate::{same32, same64};
use std::hint::black_box;

/// For each function: its derivative and the inputs.
macro_rules! unary {
    ($($name:ident |$x:ident| $slope:expr, [$($at:expr),*];)*) => { $(
        mod $name {
            use retrograde::gradient;

            #[gradient]
            pub(super) fn method(x: f64) -> f64 {
                x.$name()
            }

            #[gradient]
            pub(super) fn path(x: f64) -> f64 {
                f64::$name(x)
            }

            #[gradient]
            pub(super) fn single(x: f32) -> f32 {
                x.$name()
            }

            #[gradient]
            pub(super) fn single_path(x: f32) -> f32 {
                f32::$name(x)
            }

            /// The argument and the result are used again, in products.
            #[gradient]
            pub(super) fn twice(x: f64) -> f64 {
                let y = x.$name();
                y * y + x * y
            }
        }

        #[test]
        fn $name() {
            let slope = |$x: f64| -> f64 { $slope };
            for x in [$($at),*] {
                let x: f64 = black_box(x);
                same64($name::method_grad(x), x.$name(), slope(x), x);
                same64($name::path_grad(x), x.$name(), slope(x), x);
                let y = x.$name();
                same64($name::twice_grad(x), y * y + x * y, 2.0 * y * slope(x) + y + x * slope(x), x);
                let s = black_box(x as f32);
                same32($name::single_grad(s), s.$name(), slope(f64::from(s)), x);
                same32($name::single_path_grad(s), s.$name(), slope(f64::from(s)), x);
            }
        }
    )* };
}

unary! {
    sin |x| x.cos(), [0.0, 0.5, -2.0, 10.0];
    cos |x| -x.sin(), [0.0, 0.5, -2.0, 10.0];
    tan |x| 1.0 / (x.cos() * x.cos()), [0.0, 0.5, -1.2, 3.0];
    asin |x| 1.0 / ((1.0 - x) * (1.0 + x)).sqrt(), [0.0, 0.5, -0.75];
    acos |x| -1.0 / ((1.0 - x) * (1.0 + x)).sqrt(), [0.0, 0.5, -0.75];
    atan |x| 1.0 / (1.0 + x * x), [0.0, 0.5, -3.0];
    sinh |x| x.cosh(), [0.0, 0.5, -2.0];
    cosh |x| x.sinh(), [0.0, 0.5, -2.0];
    tanh |x| 1.0 / (x.cosh() * x.cosh()), [0.0, 0.5, -1.5];
    asinh |x| 1.0 / (x * x + 1.0).sqrt(), [0.0, 0.5, -3.0];
    acosh |x| 1.0 / ((x - 1.0) * (x + 1.0)).sqrt(), [1.5, 2.0, 10.0];
    atanh |x| 1.0 / ((1.0 - x) * (1.0 + x)), [0.0, 0.5, -0.75];
    exp |x| x.exp(), [0.0, 1.0, -3.0, 2.5];
    exp2 |x| x.exp2() * std::f64::consts::LN_2, [0.0, 1.0, -3.0, 2.5];
    exp_m1 |x| x.exp(), [0.0, 1e-5, -1.0, 2.0];
    ln |x| 1.0 / x, [1.0, 0.5, 7.0];
    ln_1p |x| 1.0 / (1.0 + x), [0.0, 1e-5, -0.5, 3.0];
    log2 |x| 1.0 / (x * std::f64::consts::LN_2), [1.0, 0.5, 7.0];
    log10 |x| 1.0 / (x * std::f64::consts::LN_10), [1.0, 0.5, 7.0];
    sqrt |x| 0.5 / x.sqrt(), [1.0, 0.25, 7.0];
    cbrt |x| 1.0 / (3.0 * x.cbrt() * x.cbrt()), [1.0, 0.125, -7.0];
    recip |x| -1.0 / (x * x), [1.0, -0.5, 7.0];
    abs |x| x.signum(), [1.5, -0.5];
    signum |_x| 0.0, [1.5, -0.5, 0.0];
    fract |_x| 1.0, [1.25, -0.5, 2.75];
    floor |_x| 0.0, [1.25, -0.5, 2.0];
    ceil |_x| 0.0, [1.25, -0.5, 2.0];
    round |_x| 0.0, [1.25, -0.5, 2.5];
    round_ties_even |_x| 0.0, [1.25, -0.5, 2.5];
    trunc |_x| 0.0, [1.25, -0.5, 2.0];
    to_degrees |_x| 180.0 / std::f64::consts::PI, [0.5, -2.0];
    to_radians |_x| std::f64::consts::PI / 180.0, [90.0, -45.0];
}

mod pair {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn sin_cos(x: f64) -> f64 {
        let (s, c) = x.sin_cos();
        s * 2.0 + c * c
    }

    #[gradient]
    pub(super) fn sin_cos_path(x: f64) -> f64 {
        let both = f64::sin_cos(x);
        both.0 * both.1
    }

    #[gradient]
    pub(super) fn sin_cos_single(x: f32) -> f32 {
        let (s, c) = x.sin_cos();
        s * c
    }
}

#[test]
fn sin_cos() {
    for x in [0.0_f64, 0.5, -2.0] {
        let x = black_box(x);
        let (s, c) = x.sin_cos();
        same64(
            pair::sin_cos_grad(x),
            s * 2.0 + c * c,
            2.0 * c - 2.0 * c * s,
            x,
        );
        same64(pair::sin_cos_path_grad(x), s * c, c * c - s * s, x);
        let (s32, c32) = black_box(x as f32).sin_cos();
        same32(
            pair::sin_cos_single_grad(black_box(x as f32)),
            s32 * c32,
            c * c - s * s,
            x,
        );
    }
}

mod integer_power {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn method(x: f64, n: i32) -> f64 {
        x.powi(n)
    }

    #[gradient]
    pub(super) fn path(x: f64, n: i32) -> f64 {
        f64::powi(x, n + 1)
    }

    #[gradient]
    pub(super) fn single(x: f32, n: i32) -> f32 {
        x.powi(n)
    }

    #[gradient]
    pub(super) fn literal(x: f64) -> f64 {
        x.powi(3) + x.powi(-2) + x.powi(0) + x.powi(1)
    }
}

#[test]
fn powi() {
    for n in [-3, -1, 0, 1, 2, 5] {
        for x in [0.5_f64, -1.5, 2.0] {
            let x = black_box(x);
            let slope = |n: i32| {
                if n == 0 {
                    0.0
                } else {
                    f64::from(n) * x.powi(n - 1)
                }
            };
            same64(integer_power::method_grad(x, n), x.powi(n), slope(n), x);
            same64(
                integer_power::path_grad(x, n),
                x.powi(n + 1),
                slope(n + 1),
                x,
            );
            same32(
                integer_power::single_grad(x as f32, n),
                black_box(x as f32).powi(n),
                slope(n),
                x,
            );
            let value = x.powi(3) + x.powi(-2) + x.powi(0) + x.powi(1);
            let (got, g) = integer_power::literal_grad(x);
            crate::support::assert_close(
                &[got, g],
                &[value, 3.0 * x * x - 2.0 / (x * x * x) + 1.0],
                1e-13,
                &[x],
            );
        }
    }
}
