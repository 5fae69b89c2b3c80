//! Floats that features choose, and units that are parameters of a type alone.

#![allow(unexpected_cfgs)]

use std::marker::PhantomData;

use num_traits::Float;
use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

#[cfg(not(feature = "single"))]
type Scalar = f64;
#[cfg(feature = "single")]
type Scalar = f32;

#[derive(Clone, Differentiable)]
struct Noise {
    frequency: Scalar,
    seed: i32,
}

#[gradient]
impl Noise {
    fn smooth(t: f32) -> f32 {
        t * t * (3.0 - 2.0 * t)
    }

    fn at(&self, mut x: Scalar, y: Scalar) -> Scalar {
        x *= self.frequency;
        let whole = x.floor() as i32;
        let rest = (x - whole as Scalar) as f32;
        Self::smooth(rest) as Scalar * (y - x) + (self.seed + whole) as Scalar * y
    }
}

#[gradient]
fn sum(xs: &[Scalar], by: Scalar) -> Scalar {
    let mut sum = 0.0;
    for x in xs {
        sum += x * by - (*x as i32) as Scalar;
    }
    sum
}

#[derive(Debug, Differentiable, Record)]
struct Length<T, Unit>(T, PhantomData<Unit>);

impl<T: Clone, Unit> Clone for Length<T, Unit> {
    fn clone(&self) -> Self {
        Length(self.0.clone(), PhantomData)
    }
}

impl<T: Copy, Unit> Copy for Length<T, Unit> {}

#[gradient]
impl<T: Float, Unit> Length<T, Unit> {
    fn new(x: T) -> Self {
        Length(x, PhantomData)
    }

    fn lerp(&self, other: Self, t: T) -> Self {
        let rest = T::one() - t;
        Length::new(self.0 * rest + other.0 * t)
    }

    fn clamped(self, low: T) -> Length<T, Unit> {
        if self.0 < low {
            Length::new(low * self.0)
        } else {
            match self.0.is_nan() {
                true => self,
                false => Length::new(self.0 * self.0),
            }
        }
    }
}

#[derive(Debug)]
struct Metres;

#[gradient]
fn between(a: f64, b: f64, t: f64) -> f64 {
    let (a, b) = (Length::<f64, Metres>::new(a), Length::<f64, Metres>::new(b));
    a.lerp(b, t).clamped(0.5).0
}

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Width<T>(T);

#[gradient]
impl Width<f64> {
    fn new(x: f64) -> Width<f64> {
        Width(x * x)
    }
}

#[gradient]
impl Width<f32> {
    /// It returns no `Self`, which has no `new`.
    fn widened(self) -> Width<f64> {
        Width::new(self.0 as f64 * 2.0)
    }
}

#[gradient]
fn widened(x: f32) -> f64 {
    let width = Width(x);
    width.widened().0
}

#[test]
fn another_instance_is_no_own_type() {
    assert_eq!(widened_grad(1.5), (9.0, 12.0));
}

#[test]
fn aliases_that_features_choose_are_what_is_there() {
    let points: &[&[f64]] = &[&[0.3, 0.7, 2.1], &[1.4, 0.2, -0.6]];
    let noise = |p: &[f64]| Noise {
        frequency: p[2],
        seed: 3,
    };
    for p in points {
        let (value, (gradient, dx, dy)) = noise(p).at_grad(p[0], p[1]);
        let slope = |x: f64| (6.0 * x * (1.0 - x), x * x * (3.0 - 2.0 * x));
        let x = p[0] * p[2];
        let (rise, height) = slope((x - x.floor()) as f32 as f64);
        let by_x = rise * (p[1] - x) - height;
        let close = |got: f64, want: f64| assert!((got - want).abs() < 1e-5, "{got} {want}");
        assert_eq!(value, noise(p).at(p[0], p[1]));
        close(dx, by_x * p[2]);
        close(gradient.frequency, by_x * p[0]);
        close(dy, height + 3.0 + x.floor());
    }
    let both = |p: &[f64]| sum_grad(&p[..2], p[2]);
    check(
        |p| sum(&p[..2], p[2]),
        |p| {
            let (value, (dx, dby)) = both(p);
            (value, [dx[0], dx[1], dby])
        },
        points,
    );
}

#[test]
fn units_are_those_of_the_result() {
    let points: &[&[f64]] = &[&[0.3, 2.7, 0.4], &[0.4, 0.2, 0.7], &[2.0, -0.6, 0.1]];
    check(
        |p| between(p[0], p[1], p[2]),
        |p| between_grad(p[0], p[1], p[2]),
        points,
    );
}
