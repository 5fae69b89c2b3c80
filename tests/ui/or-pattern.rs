use retrograde::gradient;

#[gradient]
fn sum(pairs: &[(Option<f64>, Option<f64>)]) -> f64 {
    let mut sum = 0.0;
    for pair in pairs {
        let ((Some(x), None) | (None, Some(x))) = pair else {
            continue;
        };
        sum += x * x;
    }
    sum
}

fn main() {}
