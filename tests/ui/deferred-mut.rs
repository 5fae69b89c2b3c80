use retrograde::gradient;

fn start() -> f64 {
    1.0
}

#[gradient]
fn deferred(x: f64) -> f64 {
    let mut scale;
    scale = start();
    if x > 0.0 {
        scale = start();
    }
    x * scale
}

fn main() {}
