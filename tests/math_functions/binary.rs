//! Functions of two and three arguments, against their partials written by hand.

use crate::support::{assert_close, assert_same_value};
use std::hint::black_box;

macro_rules! binary {
    ($($name:ident |$x:ident, $y:ident| $dx:expr, $dy:expr, [$($at:expr),*];)*) => { $(
        mod $name {
            use retrograde::gradient;

            #[gradient]
            pub(super) fn method(x: f64, y: f64) -> f64 {
                x.$name(y)
            }

            #[gradient]
            pub(super) fn path(x: f64, y: f64) -> f64 {
                f64::$name(x, y)
            }

            #[gradient]
            pub(super) fn single(x: f32, y: f32) -> f32 {
                x.$name(y)
            }

            #[gradient]
            pub(super) fn single_path(x: f32, y: f32) -> f32 {
                f32::$name(x, y)
            }

            #[gradient]
            pub(super) fn left(x: f64, #[constant] y: f64) -> f64 {
                x.$name(y)
            }

            #[gradient]
            pub(super) fn right(#[constant] x: f64, y: f64) -> f64 {
                x.$name(y)
            }
        }

        #[test]
        fn $name() {
            let dx = |$x: f64, $y: f64| -> f64 { $dx };
            let dy = |$x: f64, $y: f64| -> f64 { $dy };
            for (x, y) in [$($at),*] {
                let (x, y): (f64, f64) = black_box((x, y));
                let want = [dx(x, y), dy(x, y)];
                for (value, g) in [$name::method_grad(x, y), $name::path_grad(x, y)] {
                    assert_same_value(value, x.$name(y));
                    assert_close(&[g.0, g.1], &want, 1e-13, &[x, y]);
                }
                assert_close(&[$name::left_grad(x, y).1, $name::right_grad(x, y).1], &want, 1e-13, &[x, y]);
                let (s, t) = black_box((x as f32, y as f32));
                for (value, g) in [$name::single_grad(s, t), $name::single_path_grad(s, t)] {
                    assert_eq!(value.to_bits(), s.$name(t).to_bits());
                    let want = [dx(f64::from(s), f64::from(t)), dy(f64::from(s), f64::from(t))];
                    assert_close(&[f64::from(g.0), f64::from(g.1)], &want, 3e-5, &[x, y]);
                }
            }
        }
    )* };
}

binary! {
    powf |x, y| y * x.powf(y - 1.0), x.powf(y) * x.ln(), [(0.5, 2.5), (2.0, -1.5), (3.0, 0.0), (1.0, 4.0)];
    log |x, b| 1.0 / (x * b.ln()), -x.ln() / (b * b.ln() * b.ln()), [(0.5, 2.5), (2.0, 10.0), (1.0, 0.5)];
    hypot |x, y| x / x.hypot(y), y / x.hypot(y), [(3.0, 4.0), (-1.0, 0.5), (0.0, 2.0), (1e-3, -2.0)];
    atan2 |y, x| x / (x * x + y * y), -y / (x * x + y * y), [(3.0, 4.0), (-1.0, 0.5), (0.0, 2.0), (1.0, -2.0), (0.5,
        0.0)];
    copysign |x, s| if x.is_sign_negative() == s.is_sign_negative() { 1.0 } else { -1.0 }, 0.0, [(1.5, 2.0), (1.5,
        -2.0), (-1.5, 2.0), (-1.5, -0.0)];
    min |x, y| if x <= y { 1.0 } else { 0.0 }, if x <= y { 0.0 } else { 1.0 }, [(1.5, 2.0), (2.5, -2.0), (1.0, 1.0)];
    max |x, y| if x >= y { 1.0 } else { 0.0 }, if x >= y { 0.0 } else { 1.0 }, [(1.5, 2.0), (2.5, -2.0), (1.0, 1.0)];
    rem_euclid |_x, _y| 1.0, -_x.div_euclid(_y), [(5.5, 2.0), (-5.5, 2.0), (5.5, -2.0), (-0.5, 3.0)];
    midpoint |_x, _y| 0.5, 0.5, [(5.5, 2.0), (-0.0, 0.0), (1e300, 1.7e308)];
    div_euclid |_x, _y| 0.0, 0.0, [(5.5, 2.0), (-5.5, 2.0)];
}

mod operators {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn add(x: f64, y: f64) -> f64 {
        x + y
    }

    #[gradient]
    pub(super) fn sub(x: f64, y: f64) -> f64 {
        x - y
    }

    #[gradient]
    pub(super) fn mul(x: f64, y: f64) -> f64 {
        x * y
    }

    #[gradient]
    pub(super) fn div(x: f64, y: f64) -> f64 {
        x / y
    }

    #[gradient]
    pub(super) fn rem(x: f64, y: f64) -> f64 {
        x % y
    }

    #[gradient]
    pub(super) fn assigned(x: f64, y: f64) -> f64 {
        let mut a = x;
        a += y;
        a *= x;
        a -= y * y;
        a /= y;
        a %= 100.0;
        -a
    }

    #[gradient]
    pub(super) fn single(x: f32, y: f32) -> f32 {
        (x * y - x / y) % 3.0 + -y
    }
}

#[test]
fn arithmetic() {
    for (x, y) in [(5.5_f64, 2.0_f64), (-5.5, 2.0), (0.75, -1.5)] {
        let (x, y) = black_box((x, y));
        let rows: [((f64, (f64, f64)), f64, [f64; 2]); 6] = [
            (operators::add_grad(x, y), x + y, [1.0, 1.0]),
            (operators::sub_grad(x, y), x - y, [1.0, -1.0]),
            (operators::mul_grad(x, y), x * y, [y, x]),
            (operators::div_grad(x, y), x / y, [1.0 / y, -x / (y * y)]),
            (operators::rem_grad(x, y), x % y, [1.0, -(x / y).trunc()]),
            (
                operators::assigned_grad(x, y),
                operators::assigned(x, y),
                [-(2.0 * x + y) / y, x * x / (y * y) + 1.0],
            ),
        ];
        for ((value, g), primal, want) in rows {
            assert_same_value(value, primal);
            assert_close(&[g.0, g.1], &want, 1e-13, &[x, y]);
        }
        let (s, t) = (x as f32, y as f32);
        let (value, (ds, dt)) = operators::single_grad(s, t);
        assert_eq!(value, operators::single(s, t));
        assert_close(
            &[f64::from(ds), f64::from(dt)],
            &[y - 1.0 / y, x + x / (y * y) - 1.0],
            1e-5,
            &[x, y],
        );
    }
}

mod ternary {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn mul_add(x: f64, a: f64, b: f64) -> f64 {
        x.mul_add(a, b)
    }

    #[gradient]
    pub(super) fn mul_add_path(x: f64, a: f64, b: f64) -> f64 {
        f64::mul_add(x, a, b)
    }

    #[gradient]
    pub(super) fn mul_add_single(x: f32, a: f32, b: f32) -> f32 {
        x.mul_add(a, b)
    }

    #[gradient]
    pub(super) fn clamp(x: f64, lo: f64, hi: f64) -> f64 {
        x.clamp(lo, hi)
    }

    #[gradient]
    pub(super) fn clamp_path(x: f64, lo: f64, hi: f64) -> f64 {
        f64::clamp(x, lo, hi)
    }

    #[gradient]
    pub(super) fn clamp_single(x: f32) -> f32 {
        x.clamp(-1.0, 1.0)
    }
}

#[test]
fn mul_add() {
    for (x, a, b) in [(1.5_f64, 2.0_f64, -1.0_f64), (-0.5, 0.0, 3.0)] {
        let (x, a, b) = black_box((x, a, b));
        for (value, g) in [
            ternary::mul_add_grad(x, a, b),
            ternary::mul_add_path_grad(x, a, b),
        ] {
            assert_same_value(value, x.mul_add(a, b));
            assert_eq!(g, (a, x, 1.0));
        }
        assert_eq!(
            ternary::mul_add_single_grad(x as f32, a as f32, b as f32).1,
            (a as f32, x as f32, 1.0)
        );
    }
}

#[test]
fn clamp() {
    for (x, want) in [
        (0.5, (1.0, 0.0, 0.0)),
        (-3.0, (0.0, 1.0, 0.0)),
        (4.0, (0.0, 0.0, 1.0)),
        (-1.0, (1.0, 0.0, 0.0)),
        (2.0, (1.0, 0.0, 0.0)),
    ] {
        assert_eq!(
            ternary::clamp_grad(x, -1.0, 2.0),
            (x.clamp(-1.0, 2.0), want)
        );
        assert_eq!(
            ternary::clamp_path_grad(x, -1.0, 2.0),
            (x.clamp(-1.0, 2.0), want)
        );
    }
    assert_eq!(ternary::clamp_single_grad(0.5), (0.5, 1.0));
    assert_eq!(ternary::clamp_single_grad(1.5), (1.0, 0.0));
    assert_eq!(ternary::clamp_single_grad(1.0), (1.0, 1.0));
}
