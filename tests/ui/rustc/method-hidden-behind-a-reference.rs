use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Differentiable, Record)]
struct Point {
    x: f64,
}

#[gradient]
impl Point {
    fn size(&self) -> f64 {
        self.x.abs()
    }

    fn dot(self, other: Point) -> f64 {
        self.x * other.x
    }

    fn length(&self) -> f64 {
        self.x
    }
}

trait Measured {
    fn size(&mut self) -> f64;
    fn dot(&self, other: Point) -> f64;
    fn length(&self) -> f64;
}

impl Measured for Point {
    fn size(&mut self) -> f64 {
        self.x *= 2.0;
        self.x
    }

    fn dot(&self, _: Point) -> f64 {
        0.0
    }

    fn length(&self) -> f64 {
        1.0
    }
}

impl<M: Measured> Measured for &mut M {
    fn size(&mut self) -> f64 {
        (**self).size()
    }

    fn dot(&self, other: Point) -> f64 {
        (**self).dot(other)
    }

    fn length(&self) -> f64 {
        (**self).length()
    }
}

// Of a value these are the methods of the type.
#[gradient]
fn of_values(x: f64) -> f64 {
    let point = Point { x };
    point.size() + point.dot(point) + point.length()
}

// Rust tries methods with `&mut self` first.
#[gradient]
fn written(points: &mut [Point]) -> f64 {
    let mut sum = 0.0;
    for point in points.iter_mut() {
        sum += point.size();
    }
    sum
}

// Rust tries methods with `&self` first.
#[gradient]
fn read(points: &[Point]) -> f64 {
    points.iter().map(|point| point.dot(points[0])).sum()
}

// The reference has one of its own.
#[gradient]
fn of_the_reference(point: &mut Point) -> f64 {
    point.length()
}

fn main() {}
