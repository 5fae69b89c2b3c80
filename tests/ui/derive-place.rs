use retrograde::Differentiable;

#[derive(Differentiable)]
struct Point {
    #[differentiable(constant)]
    x: f64,
}

fn main() {}
