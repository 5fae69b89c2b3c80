//! A struct has no methods of floats: by such a name, its own is meant, which needs a derivative.

use retrograde::{Differentiable, gradient};

#[derive(Clone, Copy, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}

impl Complex {
    fn abs(self) -> f64 {
        self.re.hypot(self.im)
    }
}

mod elsewhere {
    use retrograde::gradient;

    use super::Complex;

    #[gradient]
    fn length(z: Complex) -> f64 {
        2.0 * z.abs()
    }
}

fn main() {}
