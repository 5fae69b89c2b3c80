use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Differentiable, Record)]
struct Pair {
    a: f64,
    b: f64,
}

impl Pair {
    fn first_mut(&mut self) -> &mut f64 {
        &mut self.a
    }
}

trait Other {
    fn first_mut(&self) -> Box<f64>;
}

impl<T> Other for T {
    fn first_mut(&self) -> Box<f64> {
        Box::new(0.0)
    }
}

#[gradient]
fn sum(mut p: Pair, x: f64) -> f64 {
    *p.first_mut() += x;
    p.a + p.b
}

fn main() {}
