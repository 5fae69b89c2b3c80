use retrograde::gradient;

#[gradient]
fn squared(x: f64) -> f64 {
    let y = dbg!(x * x);
    y * x
}

fn main() {}
