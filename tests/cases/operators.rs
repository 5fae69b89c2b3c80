//! Operators of own types.

use std::ops::{Add, Mul, Neg};

use retrograde::{Differentiable, gradient};

use crate::support::check_exact;

#[derive(Clone, Copy, Differentiable)]
struct V3 {
    x: f64,
    y: f64,
    z: f64,
}

#[gradient]
impl Add for V3 {
    type Output = V3;
    fn add(self, o: V3) -> V3 {
        V3 {
            x: self.x + o.x,
            y: self.y + o.y,
            z: self.z + o.z,
        }
    }
}

#[gradient]
impl Mul<V3> for f64 {
    type Output = V3;
    fn mul(self, v: V3) -> V3 {
        V3 {
            x: self * v.x,
            y: self * v.y,
            z: self * v.z,
        }
    }
}

#[gradient]
impl Neg for V3 {
    type Output = V3;
    fn neg(self) -> V3 {
        -1.0 * self
    }
}

#[gradient]
fn overloaded_operators(x: f64, y: f64) -> f64 {
    let v = V3 { x, y: x * y, z: y };
    let w = x * v + -v;
    w.x * w.y + w.z
}

#[test]
fn overloaded() {
    check_exact(
        |p| overloaded_operators(p[0], p[1]),
        |p| overloaded_operators_grad(p[0], p[1]),
        // x²y (x − 1)² + y (x − 1)
        |p| {
            let (x, y, m) = (p[0], p[1], p[0] - 1.0);
            vec![
                2.0 * x * y * m * m + 2.0 * x * x * y * m + y,
                x * x * m * m + m,
            ]
        },
        &[&[2.0, 3.0], &[-0.5, 0.25], &[1.0, 4.0]],
    );
}
