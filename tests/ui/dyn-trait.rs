use retrograde::gradient;

#[gradient]
fn twice(f: &dyn Fn(f64) -> f64, x: f64) -> f64 {
    2.0 * f(x)
}

fn main() {}
