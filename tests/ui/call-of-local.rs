use retrograde::gradient;

fn halved(x: f64) -> f64 {
    0.5 * x
}

#[gradient]
fn applied(x: f64) -> f64 {
    let f: fn(f64) -> f64 = halved;
    f(x) * x
}

fn main() {}
