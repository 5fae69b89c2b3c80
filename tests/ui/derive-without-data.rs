use retrograde::Differentiable;

#[derive(Differentiable)]
#[differentiable(tangent = Slope)]
enum Law {
    Linear,
    Square,
}

fn main() {}
