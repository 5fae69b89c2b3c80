//! The gradient of a function that is generic over a float is there for `f32` and `f64`.

use num_traits::Float;
use retrograde::gradient;

#[gradient]
fn square<T: Float>(x: T) -> T {
    x * x
}

fn descend<T: Float>(x: T) -> T {
    x - square_grad(x).1
}

fn main() {
    descend(1.0);
}
