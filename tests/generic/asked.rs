//! Parameters that stand for floats by what methods, or traits of other files, ask for: `where T: Mul<Output = T>`.

use std::marker::PhantomData;
use std::ops::{Add, Mul, Sub};

use num_traits::One;
use retrograde::{Differentiable, Record, gradient};

use crate::base_numbers::{BaseNum, Exact};
use crate::support::check;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub struct Vector<T, U> {
    pub x: T,
    pub y: T,
    pub unit: PhantomData<U>,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub struct Metre;

impl<T, U> Vector<T, U> {
    #[gradient]
    pub fn area(self) -> T::Output
    where
        T: Mul,
    {
        self.x * self.y
    }

    #[gradient]
    pub fn dot(self, with: Self) -> T
    where
        T: Copy + Add<Output = T> + Mul<Output = T>,
    {
        self.x * with.x + self.y * with.y
    }
}

/// Some of its methods ask for more than the block, and some do not.
#[gradient]
impl<T: Copy, U> Vector<T, U> {
    pub fn cross(self, with: Self) -> T
    where
        T: Sub<Output = T> + Mul<Output = T>,
    {
        self.x * with.y - self.y * with.x
    }

    pub fn lerp(self, to: Self, t: T) -> T
    where
        T: One + Sub<Output = T> + Mul<Output = T> + Add<Output = T>,
    {
        let rest = T::one() - t;
        self.x * rest + to.x * t
    }

    pub fn first(self) -> T {
        self.x
    }
}

#[gradient]
impl<T: Add, U> Add for Vector<T, U> {
    type Output = Vector<T::Output, U>;

    fn add(self, with: Self) -> Self::Output {
        Vector {
            x: self.x + with.x,
            y: self.y + with.y,
            unit: PhantomData,
        }
    }
}

type InMetres = Vector<f64, Metre>;

#[gradient]
fn of_vectors(a: Vector<f64, Metre>, b: Vector<f64, Metre>, t: f64) -> f64 {
    let sum = a + b;
    sum.area() * a.dot(b) + a.cross(sum) * a.lerp(b, t) + b.first()
}

fn vectors(p: &[f64]) -> (InMetres, InMetres, f64) {
    let of = |x, y| Vector {
        x,
        y,
        unit: PhantomData,
    };
    (of(p[0], p[1]), of(p[1] * 0.5, 2.0), p[2])
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub struct Pair<S> {
    pub x: S,
    pub y: S,
}

impl<S: BaseNum> Pair<S> {
    #[gradient]
    pub fn perp_dot(self, with: Pair<S>) -> S {
        (self.x * with.y) - (self.y * with.x)
    }
}

#[gradient]
impl<S: Exact> Pair<S> {
    pub fn magnitude2(self) -> S {
        self.x * self.x + self.y * self.y
    }
}

#[gradient]
fn scaled<S: Exact>(x: S, by: S) -> S {
    x * by + x / by
}

#[gradient]
fn of_pairs(x: f64, y: f64, t: f64) -> f64 {
    let (p, q) = (Pair { x, y }, Pair { x: t, y: x * t });
    p.perp_dot(q) * p.magnitude2() + scaled(x, t)
}

#[test]
fn what_methods_ask_for_counts() {
    let inputs: &[&[f64]] = &[&[0.5, 1.5, 0.25], &[1.0, -1.0, 0.75], &[2.0, 0.3, 1.5]];
    check(
        |p| {
            let (a, b, t) = vectors(p);
            of_vectors(a, b, t)
        },
        |p| {
            let (a, b, t) = vectors(p);
            let (value, (da, db, dt)) = of_vectors_grad(a, b, t);
            (value, (da.x, da.y + 0.5 * db.x, dt))
        },
        inputs,
    );
    check(
        |p| of_pairs(p[0], p[1], p[2]),
        |p| of_pairs_grad(p[0], p[1], p[2]),
        inputs,
    );
    let narrow: Vector<f32, Metre> = Vector {
        x: 2.0,
        y: 3.0,
        unit: PhantomData,
    };
    let (value, of) = narrow.area_grad();
    assert_eq!((value, of.x, of.y), (6.0, 3.0, 2.0));
}

/// A constant that no argument has.
#[gradient]
pub fn smooth<R: num_traits::Float, const N: usize>(x: R) -> R {
    let mut y = R::one();
    for _ in 0..N {
        y = y * x;
    }
    y
}

#[gradient]
fn of_constants(x: f64) -> f64 {
    smooth::<f64, 2>(x) + smooth::<_, 3>(x * x)
}

#[test]
fn constants_are_passed_on() {
    assert_eq!(smooth_grad::<f64, 3>(2.0), (8.0, 12.0));
    assert_eq!(smooth_grad::<f32, 1>(2.0), (2.0, 1.0));
    assert_eq!(of_constants_grad(2.0), (68.0, 4.0 + 6.0 * 32.0));
}
