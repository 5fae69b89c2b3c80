use retrograde::Differentiable;

#[derive(Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Differentiable)]
enum Law {
    Linear(f64),
    Square,
}

fn main() {}
