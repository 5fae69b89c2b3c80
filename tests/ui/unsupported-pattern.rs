use retrograde::gradient;

#[gradient]
fn first(mut a: f64, b: f64) -> f64 {
    let parts = (a * b, b, 1.0);
    (a, ..) = parts;
    a
}

fn main() {}
