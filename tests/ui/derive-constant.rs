use retrograde::Differentiable;

#[derive(Differentiable)]
#[constant]
struct Point {
    #[constant(always)]
    x: f64,
}

#[derive(Differentiable)]
enum Law {
    #[constant]
    Linear(f64),
    Square,
}

fn main() {}
