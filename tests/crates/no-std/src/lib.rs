//! Functions of a crate without std.
#![no_std]
#![deny(warnings)]

extern crate alloc;

use alloc::boxed::Box;
use alloc::vec::Vec;

use num_traits::Float;
use retrograde::{gradient, Differentiable};

/// A vector that is made, and one that is returned.
#[gradient]
pub fn halves(x: &[f64], by: f64) -> Vec<f64> {
    let mut out = Vec::with_capacity(x.len());
    for v in x {
        out.push(Float::sqrt(*v * by));
    }
    out
}

/// Calls it, sorts, and keeps a state.
#[gradient]
pub fn summed(x: &[f64], by: f64) -> f64 {
    let mut halves: Vec<f64> = halves(x, by);
    halves.sort_by(|a, b| a.total_cmp(b));
    let mut state = alloc::vec![0.0; halves.len() + 1];
    for i in 0..halves.len() {
        state[i + 1] = state[i] * 0.5 + halves[i];
    }
    state[halves.len()]
}

/// A type whose definition is known, in a box.
#[derive(Clone, Differentiable)]
pub struct Curve {
    /// Values.
    pub knots: Vec<f64>,
    /// The others.
    pub rest: Option<Box<Curve>>,
}

#[gradient]
impl Curve {
    /// The sum of squares.
    pub fn energy(&self, scale: f64) -> f64 {
        let own: f64 = self.knots.iter().map(|k| k * k).sum();
        match &self.rest {
            Some(rest) => own * scale + rest.energy(scale),
            None => own * scale,
        }
    }
}

/// Through `dyn`.
#[gradient]
pub trait Shape {
    /// Its area.
    fn area(&self, scale: f64) -> f64;
}

#[gradient]
impl Shape for Curve {
    fn area(&self, scale: f64) -> f64 {
        scale * self.knots[0]
    }
}

/// The areas of all.
#[gradient]
pub fn areas(shapes: &[Box<dyn Shape>], scale: f64) -> f64 {
    let mut sum = 0.0;
    for shape in shapes {
        sum += shape.area(scale);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gradient_without_std() {
        let (value, (dx, dby)) = summed_grad(&[4.0, 1.0], 4.0);
        // sqrt(1·4)/2 + sqrt(4·4)
        assert_eq!(value, 5.0);
        assert_eq!((dx, dby), (alloc::vec![0.5, 0.5], 0.625));
        let rest = Curve {
            knots: alloc::vec![3.0],
            rest: None,
        };
        let curve = Curve {
            knots: alloc::vec![1.0, 2.0],
            rest: Some(Box::new(rest)),
        };
        let (value, (dcurve, dscale)) = curve.energy_grad(2.0);
        assert_eq!((value, dscale), (28.0, 14.0));
        assert_eq!(dcurve.knots, [4.0, 8.0]);
        let shapes: Vec<Box<dyn Shape>> = alloc::vec![Box::new(curve)];
        let (value, (_, dscale)) = areas_grad(&shapes, 3.0);
        assert_eq!((value, dscale), (3.0, 1.0));
    }
}
