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
fn machine(top: f64) -> Machine {
    Machine { stack: Stack { top } }
}

#[gradient]
fn pushed(x: f64) -> f64 {
    let mut made = machine(x);
    made.stack.push(x);
    made.stack.top
}

fn main() {}
