use retrograde::Differentiable;

#[derive(Differentiable)]
struct Buffers<'a> {
    input: &'a [f64],
    output: &'a mut [f64],
}

fn main() {}
