use retrograde::gradient;

#[gradient]
fn total(left: &[f64], right: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in left.iter().chain(right) {
        sum += v * v;
    }
    sum
}

fn main() {}
