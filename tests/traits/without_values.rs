//! Type parameters of which there are no values: they say whose functions are called.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check_exact;

/// By its name, a trait of numbers.
#[gradient]
trait FloatOps {
    fn sin(x: f64) -> f64;
    fn ratio(y: f64, x: f64) -> f64;
}

#[derive(Clone, Copy, Differentiable, Record)]
struct Exact;

#[derive(Clone, Copy, Differentiable, Record)]
struct Rough;

#[gradient]
impl FloatOps for Exact {
    fn sin(x: f64) -> f64 {
        x.sin()
    }

    fn ratio(y: f64, x: f64) -> f64 {
        y / x
    }
}

#[gradient]
impl FloatOps for Rough {
    fn sin(x: f64) -> f64 {
        x - x * x * x / 6.0
    }

    fn ratio(y: f64, x: f64) -> f64 {
        2.0 * y - x
    }
}

#[gradient]
fn of_functions<T: FloatOps>(x: f64, y: f64) -> f64 {
    let s = 2.0 * T::sin(x);
    T::ratio(s * y, x)
}

#[gradient]
fn of_both<T>(x: f64, y: f64) -> f64
where
    T: FloatOps + Copy,
{
    of_functions::<T>(x, y) * of_functions::<Rough>(y, x)
}

fn rough([x, y]: [f64; 2]) -> [f64; 3] {
    let s = x - x * x * x / 6.0;
    [
        4.0 * s * y - x,
        4.0 * (1.0 - x * x / 2.0) * y - 1.0,
        4.0 * s,
    ]
}

fn exact([x, y]: [f64; 2]) -> [f64; 3] {
    let (s, c) = x.sin_cos();
    [
        2.0 * s * y / x,
        2.0 * y * (c / x - s / (x * x)),
        2.0 * s / x,
    ]
}

#[test]
fn functions_of_a_parameter() {
    let points: [&[f64]; 3] = [&[0.4, 1.2], &[-1.1, 0.3], &[2.0, -0.7]];
    check_exact(
        |p| of_functions::<Exact>(p[0], p[1]),
        |p| of_functions_grad::<Exact>(p[0], p[1]),
        |p| exact([p[0], p[1]])[1..].to_vec(),
        &points,
    );
    check_exact(
        |p| of_functions::<Rough>(p[0], p[1]),
        |p| of_functions_grad::<Rough>(p[0], p[1]),
        |p| rough([p[0], p[1]])[1..].to_vec(),
        &points,
    );
    check_exact(
        |p| of_both::<Exact>(p[0], p[1]),
        |p| of_both_grad::<Exact>(p[0], p[1]),
        |p| {
            let ([a, ax, ay], [b, by, bx]) = (exact([p[0], p[1]]), rough([p[1], p[0]]));
            vec![ax * b + a * bx, ay * b + a * by]
        },
        &points,
    );
}
