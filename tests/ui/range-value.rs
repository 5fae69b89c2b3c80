use retrograde::gradient;

#[gradient]
fn part(values: &[f64]) -> f64 {
    let mut range = 1..3;
    range.start = 0;
    let mut sum = 0.0;
    for v in &values[range] {
        sum += v * v;
    }
    sum
}

fn main() {}
