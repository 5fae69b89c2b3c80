use retrograde::gradient;

fn halved(x: f64) -> f64 {
    0.5 * x
}

fn chosen() -> fn(f64) -> f64 {
    halved
}

#[gradient]
fn applied(x: f64) -> f64 {
    chosen()(x) * x
}

fn main() {}
