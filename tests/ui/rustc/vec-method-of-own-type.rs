use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
struct Stack {
    top: f64,
}

#[gradient]
impl Stack {
    fn push(&mut self, x: f64) {
        self.top *= x;
    }
}

#[derive(Clone, Differentiable, Record)]
struct Machine {
    stack: Stack,
}

#[gradient]
impl Machine {
    fn pushed(&mut self, x: f64) {
        // An item might give names another meaning, so the types of fields are not known.
        use std::f64::consts::PI;
        self.stack.push(PI * x);
    }
}

fn main() {}
