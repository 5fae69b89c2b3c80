use retrograde::Differentiable;

#[derive(Differentiable)]
#[differentiable(tangnet = Slope, crate = ::retrograde, default)]
struct Point {
    x: f64,
}

fn main() {}
