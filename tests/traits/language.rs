//! The user's traits on types of the language and of std: `impl Lerp for f64`.

use retrograde::{Differentiable, Record, gradient};

use crate::support::{check, panic_message};

const AT: &[&[f64]] = &[&[2.0, 0.5, 1.1], &[0.3, -0.4, 2.0], &[-1.5, 0.25, 0.75]];

/// By value, with `Self` in its types.
#[gradient]
pub trait Lerp {
    fn lerp(self, other: Self, t: f64) -> Self;
}

#[gradient]
impl Lerp for f64 {
    fn lerp(self, other: f64, t: f64) -> f64 {
        self + (other - self) * t * t
    }
}

#[gradient]
impl Lerp for f32 {
    fn lerp(self, other: Self, t: f64) -> Self {
        self + (other - self) * (t as f32)
    }
}

#[gradient]
impl Lerp for [f64; 2] {
    fn lerp(self, other: Self, t: f64) -> Self {
        [
            self[0].lerp(other[0], t),
            self[1] + (other[1] - self[1]) * t,
        ]
    }
}

#[gradient]
impl Lerp for (f64, f64) {
    fn lerp(self, other: Self, t: f64) -> Self {
        (self.0.lerp(other.0, t), self.1 + (other.1 - self.1) * t)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

#[gradient]
impl Lerp for Point {
    fn lerp(self, other: Self, t: f64) -> Self {
        Point {
            x: self.x.lerp(other.x, t),
            y: self.y + (other.y - self.y) * t,
        }
    }
}

/// By reference, and without a receiver.
#[gradient]
pub trait Shape {
    const UNIT: f64;

    fn area(&self) -> f64;
    fn scaled(&self, by: f64) -> Self;
    fn grow(&mut self, by: f64);
    fn of(x: f64) -> Self;
    fn distance(&self, to: &Self) -> f64;
    fn sides(&self) -> usize;
}

#[gradient]
impl Shape for f64 {
    const UNIT: f64 = 2.0;

    fn area(&self) -> f64 {
        *self * *self
    }

    fn scaled(&self, by: f64) -> Self {
        self * by
    }

    fn grow(&mut self, by: f64) {
        *self += by * by * Self::UNIT;
    }

    fn of(x: f64) -> Self {
        x.sin()
    }

    fn distance(&self, to: &Self) -> f64 {
        (self - to) * (self - to)
    }

    fn sides(&self) -> usize {
        4
    }
}

#[gradient]
impl Shape for [f64; 3] {
    const UNIT: f64 = 3.0;

    fn area(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..3 {
            sum += self[i].area() * self[(i + 1) % 3];
        }
        sum
    }

    fn scaled(&self, by: f64) -> Self {
        [self[0] * by, self[1] * by, self[2] / by]
    }

    fn grow(&mut self, by: f64) {
        for x in self.iter_mut() {
            *x += by;
        }
    }

    fn of(x: f64) -> Self {
        [x, x * x, f64::of(x)]
    }

    fn distance(&self, to: &Self) -> f64 {
        self.scaled(2.0)[0] * to[1]
    }

    fn sides(&self) -> usize {
        3
    }
}

#[gradient]
impl Shape for Vec<f64> {
    const UNIT: f64 = 4.0;

    fn area(&self) -> f64 {
        let mut product = 1.0;
        for x in self.iter() {
            product *= x;
        }
        product
    }

    fn scaled(&self, by: f64) -> Self {
        let mut out = Vec::new();
        for x in self.iter() {
            out.push(x * by);
        }
        out
    }

    fn grow(&mut self, by: f64) {
        for x in self.iter_mut() {
            *x *= by;
        }
    }

    fn of(x: f64) -> Self {
        vec![x, 2.0 * x]
    }

    fn distance(&self, to: &Self) -> f64 {
        self[0] * to[1]
    }

    fn sides(&self) -> usize {
        self.len()
    }
}

#[gradient]
impl Shape for Point {
    const UNIT: f64 = 5.0;

    fn area(&self) -> f64 {
        self.x * self.y
    }

    fn scaled(&self, by: f64) -> Self {
        Point {
            x: self.x * by,
            y: self.y * by * by,
        }
    }

    fn grow(&mut self, by: f64) {
        self.x += by * Self::UNIT;
    }

    fn of(x: f64) -> Self {
        Point { x, y: x * x }
    }

    fn distance(&self, to: &Point) -> f64 {
        (self.x - to.x) * (self.y - to.y)
    }

    fn sides(&self) -> usize {
        2
    }
}

#[gradient]
fn by_method(a: f64, b: f64, t: f64) -> f64 {
    a.lerp(b, t) * b.lerp(a * a, 0.25)
}

#[gradient]
fn by_path(a: f64, b: f64, t: f64) -> f64 {
    f64::lerp(a, b, t) * Lerp::lerp(b, a * a, 0.25)
        + <f64 as Lerp>::lerp(a, t, b)
        + <f64>::lerp(a, t, t)
}

#[gradient]
fn in_a_loop(a: f64, b: f64, t: f64) -> f64 {
    let mut x = a;
    for i in 0..4 {
        x = x.lerp(b, t / (i as f64 + 1.0)) * x;
        if x > 10.0 {
            x = x.lerp(0.0, 0.5);
        }
    }
    x
}

#[gradient]
fn of_arrays(a: f64, b: f64, t: f64) -> f64 {
    let p = [a, b].lerp([b * t, a], t);
    let q = p.lerp([1.0, 2.0], p[0]);
    q[0] * q[1] + p[1]
}

#[gradient]
fn of_tuples(a: f64, b: f64, t: f64) -> f64 {
    let p = (a, b);
    let q = p.lerp((b * t, a), t);
    let r = (q.0, q.1 * a).lerp((1.0, 2.0), 0.3);
    q.0 * q.1 + r.1 * r.0
}

#[gradient]
fn of_points(a: f64, b: f64, t: f64) -> f64 {
    let p = Point { x: a, y: b }.lerp(Point { x: b * t, y: a }, t);
    let q = Point::lerp(p, Point { x: t, y: t }, 0.5);
    q.x * q.y
}

#[gradient]
fn single(a: f32, b: f32, t: f64) -> f32 {
    a.lerp(b * a, t)
}

/// A type parameter: for numbers, arrays, tuples, and structs.
#[gradient]
fn between<T: Lerp>(a: T, b: T, t: f64) -> T {
    a.lerp(b, t)
}

#[gradient]
fn between_by_path<T>(a: T, b: T, t: f64) -> T
where
    T: Lerp + Copy,
{
    let c = T::lerp(a, b, t);
    Lerp::lerp(c, a, t * t)
}

#[gradient]
fn all_between(a: f64, b: f64, t: f64) -> f64 {
    let x = between(a, b, t);
    let p = between(Point { x: a, y: b }, Point { x: b, y: t }, t);
    let q = between_by_path([a, b], [b, a], t);
    let r = between_by_path((a, b), (b, x), t);
    let s = between_by_path(x, b, t);
    x * p.x + p.y * q[0] + q[1] * r.0 + r.1 + s
}

#[gradient]
fn shapes(a: f64, b: f64, t: f64) -> f64 {
    let mut x = a.scaled(b);
    x.grow(t);
    let y = f64::of(x);
    x.area() * y.distance(&b) * a.sides() as f64 * f64::UNIT
}

#[gradient]
fn shapes_of_arrays(a: f64, b: f64, t: f64) -> f64 {
    let mut p = [a, b, t].scaled(b);
    p.grow(t * a);
    let q = <[f64; 3]>::of(p[0]);
    p.area() * q.distance(&p) * q.sides() as f64
}

#[gradient]
fn shapes_of_vecs(a: f64, b: f64, t: f64) -> f64 {
    let v = vec![a, b, t];
    let mut w = v.scaled(b);
    w.grow(t * a);
    w.area() * v.distance(&w) * w.sides() as f64
}

#[gradient]
fn measure<S: Shape + Clone + Record>(s: &S, x: f64) -> f64 {
    let mut t = s.scaled(x);
    t.grow(x);
    let o = S::of(x);
    t.area() * o.distance(s) + t.distance(&o) * S::UNIT
}

#[gradient]
fn measures(a: f64, b: f64, t: f64) -> f64 {
    let p = Point { x: a, y: t };
    measure(&a, b) + measure(&[a, b, t], t) * measure(&p, a)
}

#[test]
fn numbers() {
    check(
        |p| by_method(p[0], p[1], p[2]),
        |p| by_method_grad(p[0], p[1], p[2]),
        AT,
    );
    check(
        |p| by_path(p[0], p[1], p[2]),
        |p| by_path_grad(p[0], p[1], p[2]),
        AT,
    );
    check(
        |p| in_a_loop(p[0], p[1], p[2]),
        |p| in_a_loop_grad(p[0], p[1], p[2]),
        AT,
    );
    let (v, (a, b, t)) = single_grad(1.5, 0.5, 0.25);
    assert_eq!(
        (v, a, b, t),
        (
            single(1.5, 0.5, 0.25),
            0.75 + 0.125,
            0.375,
            f64::from(1.5_f32 * 0.5 - 1.5)
        )
    );
}

#[test]
fn arrays_tuples_and_structs() {
    check(
        |p| of_arrays(p[0], p[1], p[2]),
        |p| of_arrays_grad(p[0], p[1], p[2]),
        AT,
    );
    check(
        |p| of_tuples(p[0], p[1], p[2]),
        |p| of_tuples_grad(p[0], p[1], p[2]),
        AT,
    );
    check(
        |p| of_points(p[0], p[1], p[2]),
        |p| of_points_grad(p[0], p[1], p[2]),
        AT,
    );
}

#[test]
fn type_parameters() {
    check(
        |p| all_between(p[0], p[1], p[2]),
        |p| all_between_grad(p[0], p[1], p[2]),
        AT,
    );
    check(
        |p| measures(p[0], p[1], p[2]),
        |p| measures_grad(p[0], p[1], p[2]),
        AT,
    );
}

#[test]
fn all_receivers() {
    check(
        |p| shapes(p[0], p[1], p[2]),
        |p| shapes_grad(p[0], p[1], p[2]),
        AT,
    );
    check(
        |p| shapes_of_arrays(p[0], p[1], p[2]),
        |p| shapes_of_arrays_grad(p[0], p[1], p[2]),
        AT,
    );
    check(
        |p| shapes_of_vecs(p[0], p[1], p[2]),
        |p| shapes_of_vecs_grad(p[0], p[1], p[2]),
        AT,
    );
}

/// With an associated type in the types of a function.
#[gradient]
pub trait Blend {
    type Weight;

    fn blend(&self, other: &Self, by: &Self::Weight) -> Self;
    fn weight(&self) -> Self::Weight;
}

#[gradient]
impl Blend for f64 {
    type Weight = f64;

    fn blend(&self, other: &f64, by: &f64) -> f64 {
        self + (other - self) * by
    }

    fn weight(&self) -> f64 {
        self * self
    }
}

#[gradient]
impl Blend for [f64; 2] {
    type Weight = [f64; 2];

    fn blend(&self, other: &Self, by: &Self::Weight) -> Self {
        [
            self[0].blend(&other[0], &by[0]),
            self[1].blend(&other[1], &by[1]),
        ]
    }

    fn weight(&self) -> Self::Weight {
        [self[1], self[0]]
    }
}

#[gradient]
fn blended<T: Blend>(a: &T, b: &T, by: &T::Weight) -> T {
    a.blend(b, by)
}

#[gradient]
fn blends(a: f64, b: f64, t: f64) -> f64 {
    let p = blended(&[a, b], &[b, t], &[t, a]);
    blended(&p[0], &b, &t.weight()) * p[1] * p.weight()[0]
}

#[test]
fn associated_types() {
    check(
        |p| blends(p[0], p[1], p[2]),
        |p| blends_grad(p[0], p[1], p[2]),
        AT,
    );
}

/// A trait of numbers of one's own.
#[gradient]
pub trait Amount: Copy + std::ops::Add<Output = Self> + std::ops::Mul<Output = Self> {
    fn half() -> Self;
    fn square(self) -> Self;
}

#[gradient]
impl Amount for f64 {
    fn half() -> Self {
        0.5
    }

    fn square(self) -> Self {
        self * self
    }
}

#[gradient]
impl Amount for f32 {
    fn half() -> Self {
        0.5
    }

    fn square(self) -> Self {
        self * self
    }
}

#[gradient]
fn amount<T: Amount>(a: T, b: T) -> T {
    a.square() * b + T::half() * a.square().square()
}

#[gradient]
fn squared<T: Amount>(a: T) -> T {
    a.square()
}

#[gradient]
fn amounts(a: f64, b: f64, t: f64) -> f64 {
    amount(a, b) * squared(t) + f64::from(squared(b as f32)) * 0.0
}

#[test]
fn a_trait_of_numbers() {
    check(
        |p| amounts(p[0], p[1], p[2]),
        |p| amounts_grad(p[0], p[1], p[2]),
        AT,
    );
}

/// A trait that may be an object, with a method that takes `self`.
#[gradient]
pub trait Angle {
    fn to_rad(self) -> f64;
    fn squared(&self) -> f64;
}

#[gradient]
impl Angle for f64 {
    fn to_rad(self) -> f64 {
        self * 0.017
    }

    fn squared(&self) -> f64 {
        self * self
    }
}

#[gradient]
impl Angle for Point {
    fn to_rad(self) -> f64 {
        self.x * 0.5 * self.y
    }

    fn squared(&self) -> f64 {
        self.x * self.x
    }
}

#[gradient]
fn angles(a: f64, b: f64, t: f64) -> f64 {
    a.to_rad() * b.squared() + Point { x: a, y: t }.to_rad() * t
}

#[gradient]
fn of_object(angle: &dyn Angle) -> f64 {
    angle.squared()
}

fn plain(angle: &dyn Angle) -> f64 {
    angle.squared()
}

#[test]
fn objects() {
    check(
        |p| angles(p[0], p[1], p[2]),
        |p| angles_grad(p[0], p[1], p[2]),
        AT,
    );
    let point = Point { x: 3.0, y: 1.0 };
    assert_eq!(plain(&2.0) + plain(&point), 13.0);
    let (value, slope) = of_object_grad(&point);
    assert_eq!((value, slope.as_slice()), (9.0, &[6.0, 0.0][..]));
    let message = panic_message(|| {
        of_object_grad(&2.0);
    });
    assert!(message.contains("behind a `dyn` trait"), "{message}");
}
