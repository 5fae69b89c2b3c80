use retrograde::gradient;

#[gradient]
fn sum(values: &[f64]) -> f64 {
    let mut sum = 0.0;
    #[parallel]
    for i in 0..values.len() {
        sum += values[i] * values[i];
    }
    sum
}

fn main() {}
