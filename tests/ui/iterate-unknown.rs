use retrograde::gradient;

fn nodes() -> Vec<f64> {
    vec![0.0, 0.5, 1.0]
}

#[gradient]
fn integral(x: f64) -> f64 {
    let mut sum = 0.0;
    for t in nodes() {
        sum += (x * t).exp();
    }
    sum
}

fn main() {}
