//! Types, a trait, and its objects.

use retrograde::{gradient, Differentiable};

#[gradient]
pub trait Shape {
    fn area(&self, scale: f64) -> f64;
}

#[derive(Clone, Debug, Differentiable)]
pub struct Circle {
    pub radius: f64,
}

#[derive(Clone, Debug, Differentiable)]
pub struct Square {
    pub side: f64,
}

#[gradient]
impl Shape for Circle {
    fn area(&self, scale: f64) -> f64 {
        let r = self.radius * scale;
        ::std::f64::consts::PI * r * r
    }
}

#[gradient]
impl Shape for Square {
    fn area(&self, scale: f64) -> f64 {
        (self.side * scale).powi(2)
    }
}
