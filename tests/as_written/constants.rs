//! Constants, enums and structs passed on to another function under `#[gradient]`.

use retrograde::{Differentiable, Duplicate, Record, gradient};

use crate::support::check;

const TABLE: &[f64] = &[0.5, -1.25, 2.0];
static GRID: &[f64] = &[1.0, 2.0, 4.0, 8.0];
const PAIRS: &[[f64; 2]] = &[[1.0, 2.0], [3.0, -1.0]];
const WORDS: &[usize] = &[2, 0, 1];

#[derive(Clone, Copy, PartialEq, Differentiable, Record)]
enum Shape {
    Round,
    Flat,
}

#[derive(Clone, Duplicate)]
struct Settings {
    scale: f64,
    steps: usize,
}

#[gradient]
fn polynomial(c: &[f64], x: f64) -> f64 {
    let mut s = 0.0;
    for i in (0..c.len()).rev() {
        s = s * x + c[i];
    }
    s
}

#[gradient]
fn fixed(#[constant] c: &[f64], x: f64) -> f64 {
    c[0] * x + c[1] * x * x
}

#[gradient]
fn shaped(shape: Shape, x: f64) -> f64 {
    match shape {
        Shape::Round => x.cos(),
        Shape::Flat => x,
    }
}

#[gradient]
fn shaped_constant(#[constant] shape: Shape, x: f64) -> f64 {
    if shape == Shape::Round {
        x.cos()
    } else {
        x * x
    }
}

#[gradient]
fn settled(#[constant] s: &Settings, x: f64) -> f64 {
    let mut y = x;
    for _ in 0..s.steps {
        y *= s.scale * x;
    }
    y
}

#[gradient]
fn settled_owned(#[constant] s: Settings, x: f64) -> f64 {
    s.scale * x * x
}

#[gradient]
fn passes_a_const(x: f64) -> f64 {
    polynomial(TABLE, x * x)
}

#[gradient]
fn passes_a_static(x: f64) -> f64 {
    polynomial(GRID, x) * polynomial(&GRID[1..], x)
}

#[gradient]
fn passes_a_const_as_constant(x: f64) -> f64 {
    fixed(TABLE, x) + fixed(GRID, x * x)
}

#[gradient]
fn loops_over_a_const(x: f64) -> f64 {
    let mut s = 0.0;
    for c in TABLE.iter() {
        s += c * x;
    }
    for (k, c) in GRID.iter().enumerate() {
        s += c * x.powi(k as i32);
    }
    for p in PAIRS.iter() {
        s += p[0] * x * p[1];
    }
    for &k in WORDS.iter() {
        s *= TABLE[k] + x;
    }
    s
}

#[gradient]
fn binds_a_const(x: f64) -> f64 {
    let c = TABLE;
    let mut s = 0.0;
    for i in 0..c.len() {
        s += c[i] * x.powi(i as i32);
    }
    s + polynomial(c, x)
}

#[gradient]
fn passes_an_enum(shape: Shape, x: f64) -> f64 {
    shaped(shape, x * x)
        + shaped(Shape::Flat, x)
        + shaped_constant(shape, x) * shaped_constant(Shape::Round, x)
}

#[gradient]
fn passes_a_constant(#[constant] s: &Settings, x: f64) -> f64 {
    settled(s, x) + settled(s, x * 2.0)
}

#[gradient]
fn passes_an_owned_constant(#[constant] s: Settings, x: f64) -> f64 {
    settled(&s, x) * settled_owned(s, x)
}

#[gradient]
fn makes_a_constant(x: f64, k: usize) -> f64 {
    let shape = if k == 0 { Shape::Round } else { Shape::Flat };
    shaped_constant(shape, x) + shaped(shape, x)
}

const NUMBERS: [f64; 4] = [0.3, 1.7, -0.9, 0.0];

#[test]
fn constants_are_passed_on() {
    for x in NUMBERS {
        let at: [&[f64]; 1] = [&[x]];
        check(|x| passes_a_const(x[0]), |x| passes_a_const_grad(x[0]), &at);
        check(
            |x| passes_a_static(x[0]),
            |x| passes_a_static_grad(x[0]),
            &at,
        );
        let primal = |x: &[f64]| passes_a_const_as_constant(x[0]);
        check(primal, |x| passes_a_const_as_constant_grad(x[0]), &at);
        check(
            |x| loops_over_a_const(x[0]),
            |x| loops_over_a_const_grad(x[0]),
            &at,
        );
        check(|x| binds_a_const(x[0]), |x| binds_a_const_grad(x[0]), &at);
        for shape in [Shape::Round, Shape::Flat] {
            let primal = |x: &[f64]| passes_an_enum(shape, x[0]);
            check(
                primal,
                |x| {
                    let (value, (_, dx)) = passes_an_enum_grad(shape, x[0]);
                    (value, dx)
                },
                &at,
            );
        }
        for k in [0, 1] {
            let primal = |x: &[f64]| makes_a_constant(x[0], k);
            check(primal, |x| makes_a_constant_grad(x[0], k), &at);
        }
        for steps in [0, 1, 3] {
            let settings = || Settings { scale: 0.7, steps };
            let primal = |x: &[f64]| passes_a_constant(&settings(), x[0]);
            check(primal, |x| passes_a_constant_grad(&settings(), x[0]), &at);
            let primal = |x: &[f64]| passes_an_owned_constant(settings(), x[0]);
            check(
                primal,
                |x| passes_an_owned_constant_grad(settings(), x[0]),
                &at,
            );
        }
    }
}

#[gradient]
const fn horner(x: f64, c: &[f64; 3]) -> f64 {
    let (mut sum, mut k) = (0.0, 3);
    while k > 0 {
        k -= 1;
        sum = sum * x + c[k];
    }
    sum
}

/// Still a constant.
const AT_TWO: f64 = horner(2.0, &[1.0, 3.0, 0.5]);

#[gradient]
fn calls_a_constant_function(x: f64) -> f64 {
    horner(x, &[1.0, x, 0.5]) * AT_TWO
}

/// A `const fn` stays one, and has a gradient at run time.
#[test]
fn constant_functions() {
    assert_eq!(AT_TWO, 9.0);
    check(
        |p| horner(p[0], &[p[1], p[2], p[3]]),
        |p| {
            let (value, (dx, dc)) = horner_grad(p[0], &[p[1], p[2], p[3]]);
            (value, vec![dx, dc[0], dc[1], dc[2]])
        },
        &[&[2.0, 1.0, 3.0, 0.5], &[-0.3, 0.0, 0.7, 1.1]],
    );
    for x in [0.4, -1.5] {
        let (value, slope) = calls_a_constant_function_grad(x);
        assert_eq!(value, calls_a_constant_function(x));
        // 9 (1 + 1.5 x²)
        assert!((slope - 27.0 * x).abs() < 1e-12);
    }
}
