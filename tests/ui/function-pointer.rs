use retrograde::gradient;

#[gradient]
fn first(functions: &[fn(f64) -> f64], x: f64) -> f64 {
    functions[0](x)
}

fn main() {}
