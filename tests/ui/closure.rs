use retrograde::gradient;

fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x)
}

#[gradient]
fn applied(x: f64) -> f64 {
    apply(|t| t * t, x)
}

fn main() {}
