//! The types, and the check that all modules use.

use std::hint::black_box;

use retrograde::{Differentiable, Record};

use crate::support::{assert_close, assert_same_value, differences};

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
pub(crate) enum Law {
    Linear { slope: f64 },
    Affine(f64, f64),
    Power { scale: f64, exponent: i32 },
    Square,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// Its own tangent.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
pub(crate) enum Own {
    One(f64),
    Two { a: f64, b: f64 },
}

/// Everything in a payload.
#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
pub(crate) enum Shape {
    Circle(Point, f64),
    Polygon {
        corners: Vec<Point>,
        weight: Option<f64>,
    },
    Bent {
        law: Law,
        at: (f64, f64),
    },
    Row([f64; 3], usize),
    Empty,
}

/// Compares the value of `gradient` with that of `f`, bit for bit, and its gradient with differences, at each point.
#[track_caller]
pub(crate) fn check<const N: usize>(
    f: impl Fn(&[f64]) -> f64,
    gradient: impl Fn(&[f64]) -> (f64, Vec<f64>),
    points: &[[f64; N]],
) {
    for x in points {
        let (value, found) = gradient(black_box(x));
        assert_same_value(value, f(black_box(x)));
        assert_close(&found, &differences(&f, x), 1e-7, x);
    }
}

macro_rules! check_all {
    ($points:expr; $($f:ident $gradient:ident),* $(,)?) => { $(
        crate::types::check(|x| $f(x), |x| $gradient(x), &$points);
    )* };
}
pub(crate) use check_all;
