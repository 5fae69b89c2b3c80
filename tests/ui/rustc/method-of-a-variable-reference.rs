// A trait that references have, with `&mut self`, comes in front of a method of the type that Rust tries later.

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Differentiable, Record)]
struct Point {
    x: f64,
}

#[gradient]
impl Point {
    fn walk(self, by: f64) -> f64 {
        self.x * by
    }

    fn look(&self, by: f64) -> f64 {
        self.x * by
    }
}

trait Walk {
    fn walk(&mut self, by: f64) -> f64;
    fn look(&mut self, by: f64) -> f64;
}

impl Walk for &Point {
    fn walk(&mut self, by: f64) -> f64 {
        self.x * by * by
    }

    fn look(&mut self, by: f64) -> f64 {
        self.x * by * by
    }
}

impl Walk for &mut Point {
    fn walk(&mut self, by: f64) -> f64 {
        self.x * by * by
    }

    fn look(&mut self, by: f64) -> f64 {
        self.x * by * by
    }
}

// The method of the type, by a reference, is tried first.
#[gradient]
fn looked(point: &Point, by: f64) -> f64 {
    let at: &Point = point;
    at.look(by)
}

#[gradient]
fn shared(point: &Point, by: f64) -> f64 {
    let mut at: &Point = point;
    at.walk(by)
}

#[gradient]
fn exclusive(point: &mut Point, by: f64) -> f64 {
    let mut at: &mut Point = point;
    at.look(by)
}

fn main() {}
