//! Traps of Rust itself: order of evaluation, copies and moves, literals, macros, hygiene.

use crate::support::{assert_same_value, check, check_exact};
use retrograde::gradient;

const PAIRS: &[&[f64]] = &[&[0.7, 0.4], &[-1.3, 0.9], &[1.4, -1.1]];

#[gradient]
fn compound_order(x: f64, y: f64) -> f64 {
    let mut a = [x, y, x * y];
    let mut i = 0;
    a[i] += {
        i = 2;
        y * 5.0
    };
    a[i] *= {
        a[2] += 1.0;
        i = 1;
        x
    };
    a[0] * a[1] + a[2] * i as f64
}

#[test]
fn the_right_side_of_a_compound_assignment_runs_first() {
    check(
        |p| compound_order(p[0], p[1]),
        |p| compound_order_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn plain_order(x: f64, y: f64) -> f64 {
    let mut a = [x, y];
    let mut i = 0;
    a[i] = {
        i = 1;
        a[0] * y
    };
    let b = y * {
        a[1] = 3.0 * x;
        a[1]
    } + a[i];
    let mut z = x;
    let t = (
        z,
        {
            z = y;
            z
        },
        z,
    );
    t.0 * t.1 * t.2 + b * a[0]
}

#[test]
fn assignments_and_tuples_evaluate_in_order() {
    check(
        |p| plain_order(p[0], p[1]),
        |p| plain_order_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn copies(x: f64, y: f64) -> f64 {
    let mut a = [x, y];
    let b = a;
    a[0] *= y;
    let mut t = (a, x);
    let u = t;
    t.0[1] = b[0];
    let mut v = vec![x, y];
    let w = v.clone();
    v[0] = 1.0;
    let moved = v;
    a[0] * b[0] + t.0[1] * u.0[1] + w[0] * moved[1]
}

#[test]
fn copies_moves_and_clones_are_separate_variables() {
    check(|p| copies(p[0], p[1]), |p| copies_grad(p[0], p[1]), PAIRS);
}

#[gradient]
fn matched_place(x: f64, y: f64) -> f64 {
    let mut o = Some(x * y);
    match &mut o {
        Some(v) => *v *= y,
        None => {}
    }
    if let Some(v) = &mut o {
        *v += x;
    }
    if let Some(ref mut v) = o {
        *v = v.sin();
    }
    match o {
        Some(v) => v * x,
        None => 0.0,
    }
}

#[test]
fn matching_on_a_mutable_reference_changes_the_place() {
    check(
        |p| matched_place(p[0], p[1]),
        |p| matched_place_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn untyped_literals(x: f64) -> f64 {
    let mut s = 0.0;
    let one = 1.;
    let big: f64 = 1e3;
    let typed = 2f64;
    let half = 0.5_f64.sqrt();
    let hex = 0xff as f64;
    for i in 1..=3 {
        s += one / i as f64;
    }
    s = s * x + big.max(x) * typed - -2.0f64.powi(2) * x;
    s * half + hex * x
}

#[test]
fn literals_of_every_form() {
    check(
        |p| untyped_literals(p[0]),
        |p| untyped_literals_grad(p[0]),
        &[&[0.7], &[-1.2]],
    );
}

#[gradient]
fn std_macros(x: f64, n: usize) -> f64 {
    assert!(x.is_finite(), "x is {x}");
    assert_eq!(n % 2, n & 1);
    assert_ne!(n, 1 << 20, "{n} {}", x);
    debug_assert!(x * x >= 0.0);
    let y = x * 2.0 + 1.0;
    let ok = matches!(n, 0 | 3..=5);
    let mut r = if ok { y } else { y * x };
    if n > 1000 {
        panic!("too many: {n}");
    }
    if cfg!(windows) {
        r += 0.0;
    }
    let text_len = stringify!(a + b).len();
    println!("{y} {r:.3} {0} {k}", n, k = text_len);
    eprintln!("{r}");
    r * text_len as f64
}

#[test]
fn macros_of_std() {
    for n in [0, 1, 4] {
        check(
            |p| std_macros(p[0], n),
            |p| std_macros_grad(p[0], n),
            &[&[0.7], &[-1.2]],
        );
    }
}

#[gradient]
fn printed_by_integer(p: &[f64]) -> f64 {
    println!("{}", p[p.len().saturating_sub(1)]);
    eprintln!(
        "{:?} {}",
        p[5_usize.saturating_sub(p.len()) % p.len()],
        p.len().pow(2)
    );
    assert!(
        p[p.len().wrapping_sub(1)] < 1e9,
        "{}",
        5_usize.wrapping_sub(p.len())
    );
    p[0] * p[p.len().saturating_sub(1)]
}

/// What a method of an integer answers can hide no derivative, also where code is kept as it is written.
#[test]
fn methods_of_integers_in_what_is_printed() {
    check(
        printed_by_integer,
        printed_by_integer_grad,
        &[&[0.7], &[-1.2, 3.0], &[0.1, 2.0, 0.3, 0.4, 0.5]],
    );
}

#[gradient]
fn stopped(x: f64, y: f64) -> f64 {
    let weight = retrograde::no_gradient(x * y);
    weight * x + retrograde::no_gradient((x, y)).1
}

#[test]
fn no_gradient_makes_constants() {
    assert_eq!(stopped_grad(2.0, 3.0), (15.0, (6.0, 0.0)));
}

macro_rules! polynomial {
    ($name:ident, $($c:expr),+) => {
        #[gradient]
        fn $name(x: f64, a: f64) -> f64 {
            let mut r = 0.0;
            $( r = r * x + $c * a; )+
            r
        }
    };
}
polynomial!(from_a_macro, 1.0 + 1.0, 2.0 - 0.5, 3.0);

#[test]
fn function_made_by_a_macro_keeps_the_precedence_of_its_arguments() {
    let want = |p: &[f64]| {
        vec![
            p[1] * (4.0 * p[0] + 1.5),
            2.0 * p[0] * p[0] + 1.5 * p[0] + 3.0,
        ]
    };
    check_exact(
        |p| from_a_macro(p[0], p[1]),
        |p| from_a_macro_grad(p[0], p[1]),
        want,
        PAIRS,
    );
}

macro_rules! hygienic {
    ($name:ident, $x:ident, $body:expr) => {
        #[gradient]
        fn $name($x: f64) -> f64 {
            let x = $x * 2.0;
            let y = $body;
            x * y
        }
    };
}
hygienic!(two_names_x, x, x * x);

#[test]
fn names_of_one_spelling_and_different_hygiene() {
    check_exact(
        |p| two_names_x(p[0]),
        |p| two_names_x_grad(p[0]),
        |p| vec![6.0 * p[0] * p[0]],
        &[&[0.7], &[-1.2]],
    );
}

const ZERO_POINT: f64 = 273.15;
static TABLE: [f64; 3] = [1.0, -2.0, 0.5];

#[gradient]
fn constants(x: f64, n: usize) -> f64 {
    const LOCAL: f64 = 2.5;
    use std::f64::consts::PI as HALF_TURN;
    let k = TABLE[n % 3];
    let limit = f64::EPSILON + f64::MAX * 0.0;
    let r = match n {
        0 => LOCAL,
        usize::MAX => 0.0,
        _ => HALF_TURN,
    };
    (x + ZERO_POINT) * k * r + limit + std::f64::consts::E * x + i32::MAX as f64 * 0.0
}

#[test]
fn constants_and_statics() {
    for n in 0..4 {
        check(
            |p| constants(p[0], n),
            |p| constants_grad(p[0], n),
            &[&[0.7], &[-1.2]],
        );
    }
}

/// A constant in a pattern must stay the constant: renamed, it would match everything.
const SPECIAL: usize = 2;

#[gradient]
fn constant_pattern(x: f64, n: usize) -> f64 {
    match n {
        SPECIAL => x * x,
        other => x * other as f64,
    }
}

#[test]
fn constants_in_patterns() {
    assert_eq!(constant_pattern_grad(3.0, 2), (9.0, 6.0));
    assert_eq!(constant_pattern_grad(3.0, 5), (15.0, 5.0));
}

#[gradient]
fn integers(x: f64, n: u8, k: i64) -> f64 {
    let mut bits = n as u32 ^ 0b101;
    bits = bits << 2 | 1;
    let wrapped = n.wrapping_add(250);
    let (q, over) = k.overflowing_mul(3);
    let mask = !(wrapped as i64) & 0xf;
    let low = if over { 0 } else { q.rem_euclid(7) };
    let size = (bits as usize).pow(2) % 11;
    let power = x.powi((low - 3) as i32);
    power * bits as f64 + x * (mask + k / 2) as f64 + size as f64 * x
}

#[test]
fn integer_arithmetic_passes_through() {
    for (n, k) in [(0, 0), (7, -5), (255, 1000)] {
        check(
            |p| integers(p[0], n, k),
            |p| integers_grad(p[0], n, k),
            &[&[0.7], &[-1.2]],
        );
    }
}

#[gradient]
fn truncated(u: f64, v: f64) -> f64 {
    let k = (u * v) as i32;
    let m = (u * 10.0).round() as usize % 5;
    let f = (u as f32).floor() as u8 as f64;
    k as f64 + u * m as f64 + f
}

#[test]
fn casts_to_integers_end_the_derivative() {
    check_exact(
        |p| truncated(p[0], p[1]),
        |p| truncated_grad(p[0], p[1]),
        |p| vec![((p[0] * 10.0).round() as usize % 5) as f64, 0.0],
        &[&[3.25, 5.0], &[0.71, 2.0]],
    );
}

#[gradient]
fn precedence(x: f64, y: f64) -> f64 {
    let a = -x.powi(2) + y * x - x / y * 2.0 % 3.0;
    let b = -(x - y) - (x - (y - x));
    let c = x as f32 as f64 * 2.0;
    let d = (x + y) * (x - y) / (x * y + 3.0);
    a * b - c * d
}

#[test]
fn precedence_of_operators() {
    // The cast to f32 makes differences useless, and rounds the adjoint that passes through it.
    let (x, y) = (0.75, 0.5);
    let (value, (dx, dy)) = precedence_grad(x, y);
    assert_same_value(value, precedence(x, y));
    let (a, b) = (
        -x * x + y * x - (x / y * 2.0) % 3.0,
        -(x - y) - (x - (y - x)),
    );
    let (ax, ay) = (-2.0 * x + y - 2.0 / y, x + 2.0 * x / (y * y));
    let (bx, by) = (-3.0, 2.0);
    let q = x * y + 3.0;
    let n = x * x - y * y;
    let (d, d_x, d_y) = (
        n / q,
        (2.0 * x * q - n * y) / (q * q),
        (-2.0 * y * q - n * x) / (q * q),
    );
    crate::support::assert_close(
        &[dx, dy],
        &[
            ax * b + a * bx - 2.0 * d - 2.0 * x * d_x,
            ay * b + a * by - 2.0 * x * d_y,
        ],
        1e-7,
        &[x, y],
    );
}

#[gradient]
#[rustfmt::skip]
fn semicolons(x: f64) -> f64 {
    ;;
    let a = { ; x * x };
    { };
    let () = ();
    let b = (((a)));
    if true { } else { };
    b
}

#[test]
fn empty_statements_and_parentheses() {
    assert_eq!(semicolons_grad(3.0), (9.0, 6.0));
}
