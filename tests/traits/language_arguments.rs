//! Traits with parameters for types of the language: `trait Interpolate<T>`, `impl Interpolate<f64> for f64`.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

#[gradient]
pub trait Interpolate<T>: Sized + Copy {
    fn chosen(t: T, threshold: T, a: Self, b: Self) -> Self;

    fn between(t: T, a: Self, b: Self) -> Self;

    fn weighed(&self, t: &T) -> f64;
}

macro_rules! interpolate {
    ($($float:ty)*) => { $(
        #[gradient]
        impl Interpolate<$float> for $float {
            fn chosen(t: $float, threshold: $float, a: Self, b: Self) -> Self {
                if t < threshold { a } else { b }
            }

            fn between(t: $float, a: Self, b: Self) -> Self {
                a * (1.0 - t) + b * t
            }

            fn weighed(&self, t: &$float) -> f64 {
                (*self * *t) as f64
            }
        }
    )* };
}
interpolate! { f32 f64 }

#[gradient]
impl Interpolate<f64> for [f64; 2] {
    fn chosen(t: f64, threshold: f64, a: Self, b: Self) -> Self {
        if t < threshold { a } else { b }
    }

    fn between(t: f64, a: Self, b: Self) -> Self {
        [
            f64::between(t, a[0], b[0]),
            Interpolate::between(t, a[1], b[1]),
        ]
    }

    fn weighed(&self, t: &f64) -> f64 {
        self[0].weighed(t) * self[1]
    }
}

/// Not above its `impl`: nothing of it is asked for.
impl Interpolate<f64> for i32 {
    fn chosen(_: f64, _: f64, a: Self, _: Self) -> Self {
        a
    }

    fn between(_: f64, a: Self, _: Self) -> Self {
        a
    }

    fn weighed(&self, t: &f64) -> f64 {
        f64::from(*self) * t
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

#[gradient]
impl Interpolate<f64> for Point {
    fn chosen(t: f64, threshold: f64, a: Self, b: Self) -> Self {
        if t < threshold { a } else { b }
    }

    fn between(t: f64, a: Self, b: Self) -> Self {
        Point {
            x: f64::between(t, a.x, b.x),
            y: <f64 as Interpolate<f64>>::between(t, a.y, b.y),
        }
    }

    fn weighed(&self, t: &f64) -> f64 {
        self.x.weighed(t) + self.y * t * t
    }
}

#[gradient]
fn of_floats(a: f64, b: f64, t: f64) -> f64 {
    let mut sum = f64::between(t, a, b) * f64::chosen(t, 0.5, a, b * b);
    for k in 1..4 {
        sum += sum.sin().weighed(&t) / k as f64;
    }
    sum
}

#[gradient]
fn of_arrays(a: f64, b: f64, t: f64) -> f64 {
    let [x, y] = <[f64; 2] as Interpolate<f64>>::between(t, [a, b], [b * b, a * t]);
    x * y + [x, y].weighed(&b)
}

#[gradient]
fn of_points(a: f64, b: f64, t: f64) -> f64 {
    let p = Point::between(t, Point { x: a, y: b }, Point { x: 1.0, y: a * b });
    p.x * p.y + p.weighed(&t)
}

#[test]
fn each_type_has_its_derivatives() {
    let inputs: &[&[f64]] = &[&[0.5, 1.5, 0.25], &[1.0, -1.0, 0.75], &[2.0, 0.3, 1.5]];
    check(
        |p| of_floats(p[0], p[1], p[2]),
        |p| of_floats_grad(p[0], p[1], p[2]),
        inputs,
    );
    check(
        |p| of_arrays(p[0], p[1], p[2]),
        |p| of_arrays_grad(p[0], p[1], p[2]),
        inputs,
    );
    check(
        |p| of_points(p[0], p[1], p[2]),
        |p| of_points_grad(p[0], p[1], p[2]),
        inputs,
    );
}
