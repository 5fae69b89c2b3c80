//! Functions as arguments, by a trait of the user's own with one method.

#![allow(
    clippy::all,
    clippy::pedantic,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

use retrograde::{Differentiable, gradient};

#[gradient]
trait Function {
    fn at(&self, x: f64) -> f64;
}

#[gradient]
fn bell(x: f64) -> f64 {
    (-x * x).exp()
}

/// A function without captures.
#[derive(Clone, Copy, Differentiable)]
struct Bell;

#[gradient]
impl Function for Bell {
    fn at(&self, x: f64) -> f64 {
        bell(x)
    }
}

/// What it captures has a derivative.
#[derive(Clone, Copy, Differentiable)]
struct Wave {
    frequency: f64,
}

#[gradient]
impl Function for Wave {
    fn at(&self, x: f64) -> f64 {
        (self.frequency * x).sin()
    }
}

/// Simpson's rule over `n` pairs of intervals; with `n == 0` the function is called at the ends alone.
#[gradient]
fn simpson<F: Function>(f: &F, a: f64, b: f64, n: usize) -> f64 {
    let h = if n == 0 {
        b - a
    } else {
        (b - a) / (2 * n) as f64
    };
    let mut sum = f.at(a) + f.at(b);
    for i in 1..2 * n {
        let weight = if i % 2 == 1 { 4.0 } else { 2.0 };
        sum += weight * f.at(a + i as f64 * h);
    }
    sum * h / 3.0
}

/// Passes its own argument on, and a function that it knows.
#[gradient]
fn both<F: Function>(f: &F, x: f64) -> f64 {
    simpson(f, 0.0, x, 4) * simpson(&Bell, x, 2.0, 3)
}

#[gradient]
fn iterated<F: Function>(f: &F, x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = f.at(y);
    }
    y
}

/// By value, with a bound beside, and called with what it gave.
#[gradient]
fn twice<F: Function + Copy>(f: F, x: f64) -> f64 {
    let y = f.at(x);
    f.at(y)
}

#[gradient]
fn without_a_name(f: impl Function, x: f64) -> f64 {
    f.at(x) * x
}

#[gradient]
fn of_a_known_function(x: f64) -> f64 {
    twice(Bell, x) * without_a_name(Bell, x)
}

#[gradient]
fn recursive<F: Function>(f: &F, x: f64, n: usize) -> f64 {
    if n == 0 {
        x
    } else {
        f.at(recursive(f, x, n - 1))
    }
}

fn differences(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let at = |h: f64| (f(x + h) - f(x - h)) / (2.0 * h);
    (4.0 * at(5e-4) - at(1e-3)) / 3.0
}

fn assert_near(got: f64, want: f64) {
    assert!(
        (got - want).abs() <= 1e-9 * (1.0 + want.abs()),
        "{got} is not {want}"
    );
}

const POINTS: [f64; 4] = [-0.7, 0.0, 0.3, 1.9];

#[test]
fn a_function_without_captures() {
    for b in POINTS {
        for n in [0, 1, 5] {
            let (value, (_, da, db)) = simpson_grad(&Bell, 0.25, b, n);
            assert_eq!(value.to_bits(), simpson(&Bell, 0.25, b, n).to_bits());
            assert_near(da, differences(|a| simpson(&Bell, a, b, n), 0.25));
            assert_near(db, differences(|b| simpson(&Bell, 0.25, b, n), b));
        }
    }
}

#[test]
fn captures_have_derivatives() {
    for b in POINTS {
        let wave = |frequency| Wave { frequency };
        let (value, (df, _, db)) = simpson_grad(&wave(1.3), 0.25, b, 5);
        assert_eq!(value.to_bits(), simpson(&wave(1.3), 0.25, b, 5).to_bits());
        assert_near(
            df.frequency,
            differences(|w| simpson(&wave(w), 0.25, b, 5), 1.3),
        );
        assert_near(db, differences(|b| simpson(&wave(1.3), 0.25, b, 5), b));
    }
}

#[test]
fn functions_are_passed_on() {
    for x in POINTS {
        let wave = |frequency| Wave { frequency };
        let (value, (df, dx)) = both_grad(&wave(0.8), x);
        assert_eq!(value.to_bits(), both(&wave(0.8), x).to_bits());
        assert_near(df.frequency, differences(|w| both(&wave(w), x), 0.8));
        assert_near(dx, differences(|x| both(&wave(0.8), x), x));
    }
}

#[test]
fn a_loop_of_no_trips_and_calls_of_what_calls_gave() {
    for n in [0, 1, 2, 7] {
        let wave = |frequency| Wave { frequency };
        let (value, (df, dx)) = iterated_grad(&wave(1.1), 0.6, n);
        assert_eq!(value.to_bits(), iterated(&wave(1.1), 0.6, n).to_bits());
        assert_near(
            df.frequency,
            differences(|w| iterated(&wave(w), 0.6, n), 1.1),
        );
        assert_near(dx, differences(|x| iterated(&wave(1.1), x, n), 0.6));
    }
}

#[test]
fn by_value_and_without_a_name() {
    for x in POINTS {
        let wave = |frequency| Wave { frequency };
        let (value, (df, dx)) = twice_grad(wave(1.1), x);
        assert_eq!(value.to_bits(), twice(wave(1.1), x).to_bits());
        assert_near(df.frequency, differences(|w| twice(wave(w), x), 1.1));
        assert_near(dx, differences(|x| twice(wave(1.1), x), x));

        let (value, (df, dx)) = without_a_name_grad(wave(1.1), x);
        assert_eq!(value.to_bits(), without_a_name(wave(1.1), x).to_bits());
        assert_near(
            df.frequency,
            differences(|w| without_a_name(wave(w), x), 1.1),
        );
        assert_near(dx, differences(|x| without_a_name(wave(1.1), x), x));

        let (value, dx) = of_a_known_function_grad(x);
        assert_eq!(value.to_bits(), of_a_known_function(x).to_bits());
        assert_near(dx, differences(of_a_known_function, x));
    }
}

#[test]
fn recursion_passes_the_function_on() {
    for n in [0, 1, 4] {
        let wave = |frequency| Wave { frequency };
        let (value, (df, dx)) = recursive_grad(&wave(1.1), 0.6, n);
        assert_eq!(value.to_bits(), recursive(&wave(1.1), 0.6, n).to_bits());
        assert_near(
            df.frequency,
            differences(|w| recursive(&wave(w), 0.6, n), 1.1),
        );
        assert_near(dx, differences(|x| recursive(&wave(1.1), x, n), 0.6));
    }
}
