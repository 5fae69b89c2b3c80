use num_traits::Float;
use retrograde::gradient;

#[gradient]
fn scaled<T: Float, U: Float>(x: T, y: U) -> T {
    x * T::from(y).unwrap()
}

fn main() {}
