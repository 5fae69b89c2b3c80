use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Differentiable, Record)]
#[differentiable(tangent = Self)]
struct Stack {
    top: f64,
}

#[gradient]
impl Stack {
    fn push(&mut self, x: f64) {
        self.top *= x;
    }

    fn unwrap_or(&self, x: f64) -> f64 {
        self.top * x
    }
}

#[derive(Clone, Differentiable, Record)]
struct Machine {
    stack: Stack,
}

#[gradient]
fn pushed(machine: &mut Machine, x: f64) {
    machine.stack.push(x);
}

#[gradient]
fn unwrapped(machine: &Machine, x: f64) -> f64 {
    machine.stack.unwrap_or(x)
}

fn main() {}
