use retrograde::gradient;

#[gradient]
fn sum(values: &[f64]) -> f64 {
    let mut sum = 0.0;
    #[rustfmt::skip]
    for v in values { sum += v * v; }
    sum
}

fn main() {}
