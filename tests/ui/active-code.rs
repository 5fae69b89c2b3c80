use retrograde::gradient;

#[gradient]
fn boxed(x: f64) -> f64 {
    let value = no_gradient_not(x);
    *value * x
}

fn no_gradient_not(x: f64) -> Box<f64> {
    Box::new(x)
}

fn main() {}
