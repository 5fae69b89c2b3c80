use retrograde::gradient;

#[gradient]
fn stored(x: f64) -> f64 {
    let mut y = 0.0;
    std::slice::from_mut(&mut y)[0] = x;
    y
}

fn main() {}
