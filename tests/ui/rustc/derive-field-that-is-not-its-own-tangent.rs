use retrograde::Differentiable;

#[derive(Differentiable, Clone)]
#[differentiable(tangent = Self)]
struct Point {
    count: usize,
    x: f64,
}

fn main() {}
