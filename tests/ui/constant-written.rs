//! Scratch space under `#[constant]` that takes values with a derivative and gives them back.

use retrograde::{Differentiable, gradient};

#[gradient]
fn through_scratch(x: f64, #[constant] scratch: &mut [f64; 2]) -> f64 {
    scratch[0] = x * x;
    scratch[1] = 1.0;
    scratch[0] + scratch[1]
}

#[derive(Differentiable)]
struct Cache {
    x: Vec<f64>,
    #[constant]
    kept: Vec<f64>,
}

#[gradient]
impl Cache {
    fn keep(&mut self) {
        for i in 0..self.x.len() {
            self.kept[i] = self.x[i] * self.x[i];
        }
    }

    // Beside a call, the struct is used as a whole.
    fn keep_and_call(&mut self) {
        for i in 0..self.x.len() {
            self.kept[i] = self.x[i];
        }
        self.keep();
    }
}

fn main() {}
