use retrograde::gradient;

#[gradient]
fn total(values: impl Iterator<Item = f64>) -> f64 {
    let mut sum = 0.0;
    for v in values {
        sum += v;
    }
    sum
}

fn main() {}
