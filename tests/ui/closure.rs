use retrograde::gradient;

#[gradient]
fn applied(x: f64) -> f64 {
    let both = (|t: f64| t * t, x);
    (both.0)(both.1)
}

fn main() {}
