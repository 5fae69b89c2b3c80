use num_traits::Float;
use retrograde::gradient;

struct Loss;

impl Loss {
    #[gradient]
    fn square<T: Float>(#[constant] &self, x: T) -> T {
        x * x
    }
}

fn main() {}
