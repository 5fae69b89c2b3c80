//! The macro takes arithmetic for that of floats; where it is not, rustc says so.

use retrograde::{Differentiable, Duplicate, gradient};
use std::ops::Mul;

#[derive(Clone, Copy, Duplicate)]
struct Complex {
    re: f64,
    im: f64,
}

impl Mul for Complex {
    type Output = Complex;

    fn mul(self, other: Complex) -> Complex {
        Complex {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}

impl Differentiable for Complex {
    type Tangent = (f64, f64);

    fn zero_tangent(&self) -> (f64, f64) {
        (0.0, 0.0)
    }

    fn step(&mut self, scale: f64, tangent: &(f64, f64)) {
        self.re += scale * tangent.0;
        self.im += scale * tangent.1;
    }
}

#[gradient]
fn square(z: Complex) -> Complex {
    z * z
}

fn main() {}
