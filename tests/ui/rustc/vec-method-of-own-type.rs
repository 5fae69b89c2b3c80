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

trait Holds {
    type Held;
}

struct Shop;

impl Holds for Shop {
    type Held = Stack;
}

#[derive(Clone, Differentiable, Record)]
struct Machine {
    stack: <Shop as Holds>::Held,
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
