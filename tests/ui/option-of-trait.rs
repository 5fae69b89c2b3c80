use retrograde::gradient;

#[gradient(dyn)]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
