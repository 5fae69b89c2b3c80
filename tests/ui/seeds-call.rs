use retrograde::{Differentiable, gradient};

#[derive(Clone, Copy, Differentiable)]
struct Vector {
    x: f64,
    y: f64,
}

#[gradient]
impl std::ops::Mul<Vector> for f64 {
    type Output = Vector;

    fn mul(self, v: Vector) -> Vector {
        Vector { x: self * v.x, y: self * v.y }
    }
}

#[gradient(seeds)]
fn scaled(k: f64, v: Vector) -> Vector {
    k * v
}

fn main() {}
