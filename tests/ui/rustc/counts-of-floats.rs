use retrograde::{Differentiable, gradient};

#[derive(Differentiable)]
struct Ink {
    left: f64,
}

impl Ink {
    fn count(&self) -> f64 {
        self.left
    }
}

trait Filled {
    type Filling;
}

struct Shop;

impl Filled for Shop {
    type Filling = Ink;
}

#[derive(Differentiable)]
struct Pen {
    ink: <Shop as Filled>::Filling,
}

#[gradient]
fn rest(pen: &Pen) -> f64 {
    pen.ink.count()
}

fn main() {}
