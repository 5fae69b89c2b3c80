use retrograde::Differentiable;

#[derive(Differentiable)]
#[differentiable(tangent = f64::Slope)]
struct Point {
    x: f64,
}

#[derive(Differentiable)]
#[differentiable]
struct Line {
    x: f64,
}

fn main() {}
