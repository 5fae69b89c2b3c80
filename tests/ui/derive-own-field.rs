use retrograde::Differentiable;

#[derive(Differentiable, Clone)]
#[differentiable(tangent = Self)]
struct Point<'a> {
    x: f64,
    name: &'a str,
    #[constant]
    shift: f64,
}

fn main() {}
