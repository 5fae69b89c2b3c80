use retrograde::gradient;

#[gradient]
fn scaled(x: f64) -> f64 {
    #[constant]
    let scale = x.abs();
    x / scale
}

fn main() {}
