//! Blocks with several parameters for floats: the derivative is there where all are the same one.

use std::ops::{Add, Mul, Sub};

use num_traits::{Float, Zero};
use retrograde::{Differentiable, Record, gradient};

use crate::support::{check, check_exact};

/// As a crate of filters has it: the type of coefficients need not be that of samples.
trait Filter<C, T = C> {
    fn run(&mut self, sample: T) -> T;

    fn reset(&mut self);

    fn with(self, c: Coefficients<C>) -> Self;
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Coefficients<C> {
    b: [C; 2],
    a: C,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Transposed<C, T = C> {
    s: T,
    c: Coefficients<C>,
}

#[gradient]
impl<C, T> Filter<C, T> for Transposed<C, T>
where
    T: Copy + Add<T, Output = T> + Sub<T, Output = T> + Zero,
    C: Copy + Mul<T, Output = T>,
{
    fn run(&mut self, sample: T) -> T {
        let out = self.s + self.c.b[0] * sample;
        self.s = self.c.b[1] * sample - self.c.a * out;
        out
    }

    fn reset(&mut self) {
        self.s = T::zero();
    }

    fn with(self, c: Coefficients<C>) -> Self {
        Transposed { c, ..self }
    }
}

/// A variable with the name of a parameter, and both in a macro.
#[gradient]
impl<A: Float, B: Float + Mul<A, Output = B>> Mixed<A, B> {
    #[allow(non_snake_case, reason = "the name of a parameter")]
    fn value(&self, x: A) -> B {
        let B = B::from(x).unwrap();
        assert!(B::zero() < B::one() && A::one() > A::zero());
        self.b * self.a * B
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Mixed<A, B> {
    a: A,
    b: B,
}

#[gradient]
fn energy(filter: Transposed<f64>, c: Coefficients<f64>, samples: &[f64]) -> f64 {
    let mut filter = filter.with(c);
    let mut sum = 0.0;
    for i in 0..samples.len() {
        let y = filter.run(samples[i]);
        sum += y * y;
    }
    let last = filter.s;
    filter.reset();
    sum * last + filter.s
}

#[gradient]
fn mixed(m: &Mixed<f64, f64>, x: f64) -> f64 {
    m.value(x * x)
}

fn coefficients(p: &[f64]) -> Coefficients<f64> {
    Coefficients {
        b: [p[0], p[1]],
        a: p[2],
    }
}

#[test]
fn a_filter_with_types_of_its_own_for_both() {
    let start = |p: &[f64]| Transposed {
        s: p[0],
        c: coefficients(&[9.0, 9.0, 9.0]),
    };
    check(
        |p| energy(start(p), coefficients(&p[1..4]), &p[4..]),
        |p| {
            let (value, (f, c, samples)) = energy_grad(start(p), coefficients(&p[1..4]), &p[4..]);
            assert_eq!((f.c.b, f.c.a), ([0.0; 2], 0.0));
            (value, ([f.s], c.b, c.a, samples))
        },
        &[
            &[0.1, 0.5, 0.25, -0.3, 1.0, 2.0, -1.5],
            &[0.0, 1.0, 0.0, 0.9, 1.0, 0.5, 0.25, 0.125],
            &[0.5, 2.0, -1.0, 0.1],
        ],
    );
    let mut narrow = Transposed {
        s: 0.5_f32,
        c: Coefficients {
            b: [1.0, 2.0],
            a: 3.0,
        },
    };
    let mut d = TransposedTangent {
        s: 0.0,
        c: CoefficientsTangent {
            b: [0.0; 2],
            a: 0.0,
        },
    };
    let mut sample = 0.0;
    narrow.run_adjoint(&mut retrograde::Tape::new(), &mut d, 2.0, &mut sample, 1.0);
    assert_eq!((d.s, d.c.b, sample), (1.0, [2.0, 0.0], 1.0));
}

#[test]
fn names_of_parameters() {
    check_exact(
        |p| mixed(&Mixed { a: p[0], b: p[1] }, p[2]),
        |p| {
            let (value, (m, x)) = mixed_grad(&Mixed { a: p[0], b: p[1] }, p[2]);
            (value, [m.a, m.b, x])
        },
        |p| {
            let square = p[2] * p[2];
            vec![p[1] * square, p[0] * square, 2.0 * p[0] * p[1] * p[2]]
        },
        &[&[1.5, -0.5, 2.0], &[0.25, 3.0, -1.0]],
    );
}

#[gradient]
fn between<T: Float, U: Float>(a: T, b: T, t: U) -> T {
    let t = T::from(t).unwrap();
    a + (b - a) * t * t
}

#[gradient]
fn weighted<X, W>(values: &[X], weights: &[W], bias: W) -> X
where
    X: Float + Mul<W, Output = X>,
    W: Float,
{
    let mut sum = X::zero();
    for (v, w) in values.iter().zip(weights) {
        sum = sum + v.sin() * *w;
    }
    sum * bias
}

#[gradient]
fn converted<A: Float, B: Float>(a: A) -> B {
    B::from(a * a).unwrap() + B::one()
}

#[gradient]
fn through(a: f64, b: f64, t: f64) -> f64 {
    let x = [a, b];
    let w: f64 = converted(t);
    between(a, b, t) * weighted(&x, &[t, w], b)
}

#[test]
fn functions_with_several_parameters() {
    let at: [&[f64]; 3] = [&[0.3, -0.7, 1.1], &[2.0, 0.5, -1.0], &[0.0, -0.0, 0.5]];
    check(
        |p| between(p[0], p[1], p[2]),
        |p| between_grad(p[0], p[1], p[2]),
        &at,
    );
    check(
        |p| through(p[0], p[1], p[2]),
        |p| through_grad(p[0], p[1], p[2]),
        &at,
    );
    let (value, (v, w, bias)) = weighted_grad(&[0.5_f32, 1.0], &[2.0, -1.0], 3.0);
    assert_eq!(value, weighted(&[0.5_f32, 1.0], &[2.0_f32, -1.0], 3.0));
    let of_values = [3.0 * 2.0 * 0.5_f32.cos(), -3.0 * 1.0_f32.cos()];
    let of_weights = [3.0 * 0.5_f32.sin(), 3.0 * 1.0_f32.sin()];
    let of_bias = 2.0 * 0.5_f32.sin() - 1.0_f32.sin();
    let got = v.iter().chain(&w).chain([&bias]);
    let want = of_values.iter().chain(&of_weights).chain([&of_bias]);
    for (got, want) in got.zip(want) {
        assert!((got - want).abs() < 1e-6, "{got} is not {want}");
    }
    assert_eq!(converted_grad(3.0_f32), (10.0_f32, 6.0));
}
