//! Types that implement `Differentiable` by hand.

use retrograde::{Differentiable, Duplicate, Record, Tangent};

/// A spring with a name and a number of coils, which carry no derivative: its tangent is another type.
#[derive(Clone, Debug, Duplicate, PartialEq, Record)]
pub struct Spring {
    pub stiffness: f64,
    pub rest: f64,
    pub coils: usize,
}

#[derive(Clone, Debug, Default, Duplicate, PartialEq)]
pub struct SpringTangent {
    pub stiffness: f64,
    pub rest: f64,
    pub coils: (),
}

impl Tangent for SpringTangent {
    fn accumulate(&mut self, other: &Self) {
        self.stiffness += other.stiffness;
        self.rest += other.rest;
    }

    fn scale(&mut self, factor: f64) {
        self.stiffness *= factor;
        self.rest *= factor;
    }

    fn set_zero(&mut self) {
        *self = Self::default();
    }

    fn dot(&self, other: &Self) -> f64 {
        self.stiffness * other.stiffness + self.rest * other.rest
    }
}

impl Differentiable for Spring {
    type Tangent = SpringTangent;

    fn zero_tangent(&self) -> SpringTangent {
        SpringTangent::default()
    }

    fn step(&mut self, scale: f64, tangent: &SpringTangent) {
        self.stiffness += scale * tangent.stiffness;
        self.rest += scale * tangent.rest;
    }
}

impl super::support::Flat for SpringTangent {
    fn flat(&self, out: &mut Vec<f64>) {
        out.extend([self.stiffness, self.rest]);
    }
}

pub fn spring(p: &[f64]) -> Spring {
    Spring {
        stiffness: p[0],
        rest: p[1],
        coils: 3,
    }
}

/// Types that are their own tangents.
macro_rules! own_tangent {
    ($([$($generics:tt)*] $name:ty { $($field:ident),* })*) => {$(
        impl<$($generics)*> Tangent for $name {
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
                0.0 $(+ Tangent::dot(&self.$field, &other.$field))*
            }
        }

        impl<$($generics)*> retrograde::Duplicate for $name {
            fn duplicate(&self) -> Self {
                Self { $($field: retrograde::Duplicate::duplicate(&self.$field)),* }
            }

            fn is_duplicate(&self, of: &Self) -> bool {
                true $(&& retrograde::Duplicate::is_duplicate(&self.$field, &of.$field))*
            }
        }

        impl<$($generics)*> Differentiable for $name {
            type Tangent = Self;

            fn zero_tangent(&self) -> Self {
                let mut zero = self.clone();
                zero.set_zero();
                zero
            }

            fn step(&mut self, scale: f64, tangent: &Self) {
                $(self.$field.step(scale, &tangent.$field);)*
            }
        }

        impl<$($generics)*> crate::support::Flat for $name {
            fn flat(&self, out: &mut Vec<f64>) {
                $(self.$field.flat(out);)*
            }
        }
    )*};
}
pub(crate) use own_tangent;

/// A point of the plane.
#[derive(Clone, Copy, Debug, PartialEq, Record)]
pub struct V2 {
    pub x: f64,
    pub y: f64,
}

/// A damped oscillator: what methods with `&mut self` change.
#[derive(Clone, Debug, PartialEq, Record)]
pub struct Oscillator {
    pub at: f64,
    pub speed: f64,
    pub damping: f64,
    pub trace: Vec<f64>,
}

own_tangent! {
    [] V2 { x, y }
    [] Oscillator { at, speed, damping, trace }
}

pub fn oscillator(p: &[f64]) -> Oscillator {
    Oscillator {
        at: p[0],
        speed: p[1],
        damping: p[2],
        trace: vec![0.0; 4],
    }
}
