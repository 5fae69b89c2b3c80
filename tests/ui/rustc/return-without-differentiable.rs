use retrograde::gradient;

struct Celsius(f64);

fn celsius(x: f64) -> Celsius {
    Celsius(x)
}

#[gradient]
fn warmer(#[constant] x: f64) -> Celsius {
    celsius(x + 1.0)
}

fn main() {}
