use retrograde::{Differentiable, gradient};

#[derive(Differentiable)]
struct Pen {
    left: f64,
}

impl Pen {
    fn capacity(&self) -> f64 {
        self.left
    }
}

#[derive(Differentiable)]
struct Line {
    pen: Pen,
    length: f64,
}

#[gradient]
fn rest(line: &Line) -> f64 {
    line.pen.capacity() - line.length
}

fn main() {}
