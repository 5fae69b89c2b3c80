use retrograde::{Differentiable, gradient};

#[derive(Clone, Copy, Differentiable)]
struct Ink {
    left: f64,
}

impl Ink {
    fn cmp(&self, by: &f64) -> f64 {
        self.left * *by
    }
    fn partial_cmp(&self, by: &f64) -> Option<f64> {
        Some(self.left * *by)
    }
    fn is_left(&self, by: f64) -> f64 {
        self.left * by
    }
}

trait Filled {
    type Filling;
}

struct Shop;

impl Filled for Shop {
    type Filling = Ink;
}

#[derive(Clone, Copy, Differentiable)]
struct Pen {
    ink: <Shop as Filled>::Filling,
}

#[gradient]
fn ordered(pen: &Pen, by: f64) -> f64 {
    pen.ink.cmp(&by)
}

#[gradient]
fn perhaps(pen: &Pen, by: f64) -> f64 {
    pen.ink.partial_cmp(&by).unwrap()
}

#[gradient]
fn asked(pen: &Pen, by: f64) -> f64 {
    pen.ink.is_left(by) as f64
}

#[gradient]
fn of_a_constant(#[constant] pen: &Pen, by: f64) -> f64 {
    pen.ink.cmp(&by)
}

fn main() {}
