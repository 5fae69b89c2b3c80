use retrograde::gradient;

#[gradient]
fn dot(pair: (&[f64], &[f64])) -> f64 {
    let mut sum = 0.0;
    for i in 0..pair.0.len() {
        sum += pair.0[i] * pair.1[i];
    }
    sum
}

fn main() {}
