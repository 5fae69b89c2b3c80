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

trait Run {
    fn pushed(&mut self, x: f64);
}

#[gradient]
impl Run for Machine {
    fn pushed(&mut self, x: f64) {
        self.stack.push(x);
    }
}

fn main() {}
