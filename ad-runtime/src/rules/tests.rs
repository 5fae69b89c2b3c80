//! The rules against exact partials, and at the points where conventions decide.

use std::f64::consts::PI;

use super::exact::{EXACT, EXACT_POWI};
use super::*;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// The rule of that name at seed `s`.
fn by_name(name: &str, s: f64, args: &[f64]) -> f64 {
    macro_rules! call {
        ($($rule:ident/$n:tt)*) => {
            match name {
                $(stringify!($rule) => call!(@$n $rule),)*
                _ => panic!("no rule `{name}`"),
            }
        };
        (@1 $rule:ident) => { $rule(s, args[0]) };
        (@2 $rule:ident) => { $rule(s, args[0], args[1]) };
        (@3 $rule:ident) => { $rule(s, args[0], args[1], args[2]) };
    }
    call! {
        sin/1 cos/1 tan/1 asin/1 acos/1 atan/1 sinh/1 cosh/1 tanh/1 asinh/1 acosh/1 atanh/1 exp/1
        exp2/1 exp_m1/1 ln/1 ln_1p/1 log2/1 log10/1 sqrt/1 cbrt/1 recip/1 div_lhs/1 div_rhs/2
        rem_rhs/2 rem_euclid_rhs/2 powf_base/3 powf_exponent/3 log_arg/2 log_base/3 hypot_lhs/2
        hypot_rhs/2 atan2_lhs/2 atan2_rhs/2
    }
}

fn power(x: f64, y: f64) -> f64 {
    x.powf(y)
}

/// Distance in units in the last place of the exact value.
fn ulps(found: f64, exact: f64) -> f64 {
    if found == exact {
        return 0.0;
    }
    let ulp = f64::from_bits(exact.abs().to_bits() + 1) - exact.abs();
    (found - exact).abs() / ulp
}

/// Rules that multiply by an inverse give what those that divide give, for the roots of all numbers.
#[test]
fn inverses_of_roots_serve_as_divisors() {
    let close = |a: f64, b: f64| {
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()) || ulps(a, b) <= 3.0
    };
    let tiny = f64::from_bits(1);
    for x in [
        0.0,
        -0.0,
        tiny,
        1e-310,
        1e-30,
        0.3,
        2.0,
        1e30,
        f64::MAX,
        INF,
        NAN,
        -1.0,
    ] {
        let y = x.sqrt();
        for s in [0.0, 1.0, -3.0, 1e-30, 1e100, INF, -INF, NAN] {
            for r in [0.0, 1.0, -0.7, 1e10, INF, NAN] {
                let (found, want) = (div_rhs_by(s, inverse(y), r), div_rhs(s, y, r));
                assert!(close(found, want), "{s} {y} {r}: {found:e}, not {want:e}");
            }
            let (found, want) = (div_lhs_by(s, inverse(y)), div_lhs(s, y));
            assert!(close(found, want), "{s} {y}: {found:e}, not {want:e}");
            let (found, want) = (sqrt_by(s, inverse(y)), sqrt(s, y));
            assert!(close(found, want), "{s} {y}: {found:e}, not {want:e}");
        }
    }
}

#[test]
fn partials_are_exact_to_a_few_units_in_the_last_place() {
    for &(name, args, exact) in EXACT {
        let found = by_name(name, 1.0, args);
        assert!(
            ulps(found, exact) <= 5.0,
            "{name}{args:?}: {found:e} instead of {exact:e}"
        );
        assert_eq!(
            by_name(name, -4.0, args),
            -4.0 * found,
            "{name}{args:?} is linear in the seed"
        );
        assert_eq!(by_name(name, 0.0, args), 0.0, "{name}{args:?}");
    }
    for &(x, n, exact) in EXACT_POWI {
        let found = powi(1.0, x, n);
        assert!(
            ulps(found, exact) <= 8.0,
            "powi({x}, {n}): {found:e} instead of {exact:e}"
        );
    }
}

#[test]
fn every_rule_that_has_values_is_in_the_table() {
    let mut names: Vec<_> = EXACT.iter().map(|&(name, ..)| name).collect();
    names.dedup();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 34, "{names:?}");
}

#[test]
fn angles_scale() {
    assert_eq!(to_degrees(PI), 180.0);
    assert_eq!(to_radians(180.0), PI);
    assert_eq!(to_degrees(1.0_f32), 1.0_f32.to_degrees());
}

#[test]
fn a_midpoint_shares_equally() {
    assert_eq!(half(3.0), 1.5);
    assert_eq!(half(-1.0_f32), -0.5);
    assert_eq!(half(f64::MAX), f64::MAX.midpoint(0.0));
}

#[test]
fn a_dead_value_never_poisons_the_gradient() {
    let dead = [
        sqrt(0.0, 0.0),
        sqrt(0.0, NAN),
        sqrt_times(0.0, NAN),
        sqrt_times(0.0, INF),
        cbrt(0.0, 0.0),
        ln(0.0, 0.0),
        ln(0.0, NAN),
        ln_1p(0.0, -1.0),
        log2(0.0, 0.0),
        log10(0.0, 0.0),
        log_arg(0.0, 0.0, 0.0),
        log_base(0.0, 2.0, 1.0, INF),
        asin(0.0, 1.0),
        asin(0.0, 2.0),
        acos(0.0, -1.0),
        acos(0.0, 7.0),
        acosh(0.0, 1.0),
        acosh(0.0, 0.5),
        atanh(0.0, 1.0),
        div_lhs(0.0, 0.0),
        div_rhs(0.0, 0.0, NAN),
        recip(0.0, INF),
        rem_rhs(0.0, 1.0, 0.0),
        rem_euclid_rhs(0.0, 1.0, 0.0),
        powi(0.0, 0.0, -1),
        powf_base(0.0, 0.0, 0.5, power(0.0, 0.5)),
        powf_base(0.0, -1.0, 0.5, power(-1.0, 0.5)),
        powf_exponent(0.0, -1.0, 0.5, NAN),
        hypot_lhs(0.0, NAN, NAN),
        hypot_rhs(0.0, INF, INF),
        atan2_lhs(0.0, NAN, 1.0),
        atan2_rhs(0.0, 1.0, NAN),
        abs(0.0, NAN),
    ];
    assert!(dead.iter().all(|&bar| bar == 0.0), "{dead:?}");
}

#[test]
fn a_live_nan_is_not_hidden() {
    let live = [
        abs(1.0, NAN),
        copysign(1.0, NAN, 1.0),
        sqrt(1.0, NAN),
        sqrt_times(1.0, NAN),
        ln(1.0, NAN),
        acosh(1.0, 0.5),
        asin(1.0, 2.0),
        powf_base(1.0, -1.0, 0.5, power(-1.0, 0.5)),
        powf_exponent(1.0, -1.0, 0.5, NAN),
        hypot_lhs(1.0, 1.0, NAN),
        atan2_lhs(1.0, NAN, 1.0),
        atan2_rhs(1.0, NAN, 1.0),
        atan2_lhs(1.0, INF, NAN),
        tanh(NAN, 0.0),
        unless_dead(NAN, 1.0 * NAN),
    ];
    assert!(live.iter().all(|bar| bar.is_nan()), "{live:?}");
}

#[test]
fn roots_at_zero_are_infinite() {
    assert_eq!(
        [sqrt(2.0, 0.0), sqrt(-2.0, 0.0), sqrt(2.0, -0.0)],
        [INF, -INF, INF]
    );
    assert_eq!([cbrt(2.0, 0.0), cbrt(-2.0, -0.0)], [INF, -INF]);
}

#[test]
fn a_root_times_its_square_needs_no_quotient() {
    for x in [0.0, 1e-300, 0.25, 2.0, 1e300_f64] {
        let (s, r) = (-1.5, x.sqrt());
        assert!(ulps(sqrt_times(s, r), sqrt(s * x, r)) <= 2.0, "{x}");
    }
}

#[test]
fn powers_at_zero_and_at_the_ends_of_the_exponent() {
    assert_eq!(powi(1.0, 0.0, 0), 0.0);
    assert_eq!(powi(1.0, NAN, 0), 0.0);
    assert_eq!(powi(3.0, 0.0, 1), 3.0);
    assert_eq!(powi(1.0, 0.0, 2), 0.0);
    assert_eq!(powi(1.0, 0.0, -1), -INF);
    assert_eq!(powi(1.0, -0.5, 2), -1.0);
    assert_eq!(powi(1.0, 1.0, i32::MIN), f64::from(i32::MIN));
    assert_eq!(powi(1.0, -1.0, i32::MIN), -f64::from(i32::MIN));
    assert_eq!(powi(1.0, 1.0, i32::MAX), f64::from(i32::MAX));
    assert_eq!(powi(1.0, 2.0, i32::MIN), 0.0);
    assert_eq!(powf_base(1.0, 0.0, 0.0, power(0.0, 0.0)), 0.0);
    assert_eq!(powf_base(1.0, 0.0, 1.0, power(0.0, 1.0)), 1.0);
    assert_eq!(powf_base(1.0, 0.0, 1.5, power(0.0, 1.5)), 0.0);
    assert_eq!(powf_base(1.0, 0.0, 0.5, power(0.0, 0.5)), INF);
    assert_eq!(powf_base(1.0, INF, 0.5, power(INF, 0.5)), 0.0);
    assert_eq!(powf_exponent(1.0, 0.0, 2.0, 0.0), 0.0);
    assert_eq!(powf_exponent(1.0, INF, -1.0, 0.0), 0.0);
    assert_eq!(powf_exponent(1.0, 0.0, 0.0, 1.0), -INF);
    assert_eq!(powf_exponent(1.0, 1.0, 3.0, 1.0), 0.0);
}

#[test]
fn the_origin_of_the_plane_and_infinity() {
    assert_eq!(
        [hypot_lhs(1.0, 0.0, 0.0), hypot_rhs(1.0, 0.0, 0.0)],
        [0.0; 2]
    );
    assert_eq!(
        [atan2_lhs(1.0, 0.0, 0.0), atan2_rhs(1.0, 0.0, -0.0)],
        [0.0; 2]
    );
    assert_eq!(
        [atan2_lhs(1.0, INF, 1.0), atan2_rhs(1.0, INF, 1.0)],
        [0.0; 2]
    );
    assert_eq!(
        [atan2_lhs(1.0, 1.0, -INF), atan2_rhs(1.0, INF, INF)],
        [0.0; 2]
    );
    assert_eq!(
        [atan2_lhs(1.0, 0.0, 2.0), atan2_rhs(1.0, 2.0, 0.0)],
        [0.5, -0.5]
    );
}

#[test]
fn a_tie_goes_to_the_receiver() {
    assert_eq!([max_lhs(1.0, 2.0, 2.0), max_rhs(1.0, 2.0, 2.0)], [1.0, 0.0]);
    assert_eq!([min_lhs(1.0, 2.0, 2.0), min_rhs(1.0, 2.0, 2.0)], [1.0, 0.0]);
    assert_eq!(
        [max_lhs(1.0, -0.0, 0.0), min_lhs(1.0, 0.0, -0.0)],
        [1.0, 1.0]
    );
    assert_eq!([max_lhs(1.0, 1.0, 2.0), max_rhs(1.0, 1.0, 2.0)], [0.0, 1.0]);
    assert_eq!([min_lhs(1.0, 1.0, 2.0), min_rhs(1.0, 1.0, 2.0)], [1.0, 0.0]);
    assert_eq!([min_lhs(1.0, 3.0, 2.0), min_rhs(1.0, 3.0, 2.0)], [0.0, 1.0]);
}

#[test]
fn of_a_nan_and_a_number_the_number_takes_all() {
    assert_eq!([max_lhs(1.0, NAN, 2.0), max_rhs(1.0, NAN, 2.0)], [0.0, 1.0]);
    assert_eq!([max_lhs(1.0, 2.0, NAN), max_rhs(1.0, 2.0, NAN)], [1.0, 0.0]);
    assert_eq!([min_lhs(1.0, NAN, 2.0), min_rhs(1.0, NAN, 2.0)], [0.0, 1.0]);
    assert_eq!([min_lhs(1.0, 2.0, NAN), min_rhs(1.0, 2.0, NAN)], [1.0, 0.0]);
    assert_eq!([max_lhs(1.0, NAN, NAN), max_rhs(1.0, NAN, NAN)], [1.0, 0.0]);
}

#[test]
fn clamp_gives_each_bound_what_lies_beyond_it() {
    let at = |x: f64| {
        [
            clamp(1.0, x, -1.0, 1.0),
            clamp_lo(1.0, x, -1.0, 1.0),
            clamp_hi(1.0, x, -1.0, 1.0),
        ]
    };
    assert_eq!(at(0.5), [1.0, 0.0, 0.0]);
    assert_eq!([at(1.0), at(-1.0), at(NAN)], [[1.0, 0.0, 0.0]; 3]);
    assert_eq!(at(-2.0), [0.0, 1.0, 0.0]);
    assert_eq!(at(INF), [0.0, 0.0, 1.0]);
}

#[test]
fn signs_flip_the_seed() {
    assert_eq!(
        [abs(2.0, 3.0), abs(2.0, -3.0), abs(2.0, 0.0), abs(2.0, -0.0)],
        [2.0, -2.0, 0.0, 0.0]
    );
    assert_eq!(
        [copysign(2.0, 3.0, -1.0), copysign(2.0, -3.0, -0.0)],
        [-2.0, 2.0]
    );
    assert_eq!(
        [copysign(2.0, 3.0, 0.0), copysign(2.0, 0.0, -1.0)],
        [2.0, 0.0]
    );
}

#[test]
fn remainders_agree_with_their_quotient() {
    for x in [0.9, -0.9, 7.0, -7.0, 1e9, 0.3 * 7.0] {
        for y in [0.3, -0.3, 0.1, 2.0, -5.5] {
            let back: f64 = x % y - rem_rhs(1.0, x, y) * y;
            assert!((back - x).abs() <= 1e-15 * x.abs(), "{x} % {y}");
            let back = x.rem_euclid(y) - rem_euclid_rhs(1.0, x, y) * y;
            assert!((back - x).abs() <= 1e-15 * x.abs(), "{x}.rem_euclid({y})");
        }
    }
    assert_eq!(rem_rhs(1.0, 3.0, INF), 0.0);
}

#[test]
fn adjoints_of_f32_round_like_f32() {
    let (s, x) = (0.1_f32, 0.7_f32);
    assert_eq!(sin(s, x), s * x.cos());
    assert_eq!(exp2(s, x), s * (x * std::f32::consts::LN_2));
    assert_eq!(powi(s, x, 5), s * (5.0 * x.powi(4)));
    assert_eq!(atan(1.0, 1e30_f32), 0.0); // 1e-60
    assert_eq!(asinh(1.0, 1e30_f32), 1e-30);
}
