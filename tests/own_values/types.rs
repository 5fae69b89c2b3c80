//! The types, and the check that all modules use.

use std::hint::black_box;

use retrograde::{Differentiable, Duplicate, Record, Tangent};

use crate::support::{assert_close, assert_same_value, differences};

macro_rules! own_type {
    ($name:ident, $tangent:ident { $($field:tt),* }) => {
        impl Differentiable for $name {
            type Tangent = $tangent;

            fn zero_tangent(&self) -> $tangent {
                $tangent { $($field: self.$field.zero_tangent()),* }
            }

            fn step(&mut self, scale: f64, tangent: &$tangent) {
                $(self.$field.step(scale, &tangent.$field);)*
            }
        }

        impl Tangent for $tangent {
            fn accumulate(&mut self, other: &Self) {
                $(self.$field.accumulate(&other.$field);)*
            }

            fn scale(&mut self, factor: f64) {
                $(self.$field.scale(factor);)*
            }

            fn set_zero(&mut self) {
                $(self.$field.set_zero();)*
            }

            fn dot(&self, other: &Self) -> f64 {
                0.0 $(+ self.$field.dot(&other.$field))*
            }
        }
    };
}
pub(crate) use own_type;

/// Its own tangent.
#[derive(Clone, Copy, Debug, Default, Duplicate, PartialEq, Record)]
pub(crate) struct Pair {
    pub(crate) a: f64,
    pub(crate) b: f64,
}
own_type!(Pair, Pair { a, b });

/// A tuple struct.
#[derive(Clone, Copy, Debug, Duplicate, PartialEq, Record)]
pub(crate) struct Polar(pub(crate) f64, pub(crate) f64);
own_type!(Polar, Polar { 0, 1 });

/// No fields.
#[derive(Clone, Copy, Debug, Duplicate, PartialEq, Record)]
pub(crate) struct Unit;

#[derive(Clone, Copy, Debug, Default, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
pub(crate) struct Vec3 {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) z: f64,
}

impl Vec3 {
    pub(crate) fn zero() -> Self {
        Self::default()
    }
}

/// Structs in a struct, with a tangent of its own.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub(crate) struct Body {
    pub(crate) pos: Vec3,
    pub(crate) vel: Vec3,
    pub(crate) mass: f64,
}

/// A field that owns memory, and one without derivative.
#[derive(Clone, Debug, Default, Duplicate, PartialEq, Record)]
pub(crate) struct Series {
    pub(crate) values: Vec<f64>,
    pub(crate) scale: f64,
    pub(crate) kind: usize,
}

#[derive(Clone, Debug, Duplicate, PartialEq)]
pub(crate) struct SeriesTangent {
    pub(crate) values: Vec<f64>,
    pub(crate) scale: f64,
    pub(crate) kind: (),
}
own_type!(
    Series,
    SeriesTangent {
        values,
        scale,
        kind
    }
);

pub(crate) fn body(x: &[f64]) -> Body {
    let vec3 = |x: &[f64]| Vec3 {
        x: x[0],
        y: x[1],
        z: x[2],
    };
    Body {
        pos: vec3(x),
        vel: vec3(&x[3..]),
        mass: x[6],
    }
}

pub(crate) fn numbers(body: &BodyTangent) -> Vec<f64> {
    let BodyTangent { pos, vel, mass } = body;
    vec![pos.x, pos.y, pos.z, vel.x, vel.y, vel.z, *mass]
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
