use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Differentiable, Record)]
enum Law {
    Linear(f64),
    Square,
}

use Law::Linear;

/// Nothing in the text shows that `Linear` is a variant, and not a struct.
#[gradient]
fn linear(x: f64) -> Law {
    Linear(x * x)
}

/// An associated function whose name begins with a capital.
impl Law {
    #[allow(non_snake_case)]
    fn Double(x: f64) -> Self {
        Law::Linear(2.0 * x)
    }
}

#[gradient]
fn double(x: f64) -> f64 {
    match Law::Double(x) {
        Law::Linear(y) => y,
        Law::Square => x,
    }
}

fn main() {}
