//! A struct variable that an early exit may leave without a value needs a default one.

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Differentiable, Record)]
struct Pair {
    a: f64,
    b: f64,
}

#[gradient]
fn made(x: f64, y: f64) -> Pair {
    Pair { a: x * y, b: y }
}

#[gradient]
fn limited(x: f64, y: f64) -> f64 {
    let p;
    if x > y {
        p = made(x, y);
    } else if x > 0.0 {
        p = made(y, x);
    } else {
        return x * y;
    }
    p.a * p.b
}

fn main() {}
