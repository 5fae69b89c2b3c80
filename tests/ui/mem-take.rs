use retrograde::gradient;

fn start() -> f64 {
    1.0
}

#[gradient]
fn taken(x: f64) -> f64 {
    let mut value = start();
    let old = std::mem::take(&mut value);
    x * old + value
}

fn main() {}
