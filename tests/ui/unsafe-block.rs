use retrograde::gradient;

#[gradient]
fn sum(values: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..values.len() {
        sum += unsafe { *values.get_unchecked(i) };
    }
    sum
}

fn main() {}
