use retrograde::gradient;

#[gradient]
const fn square(x: f64) -> f64 {
    x * x
}

fn main() {}
