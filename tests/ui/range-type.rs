use retrograde::gradient;

#[gradient]
fn series(x: f64, terms: u32) -> f64 {
    let mut sum = 0.0;
    for (n, k) in (1..=terms).enumerate() {
        sum += x.powi(n as i32) / f64::from(k);
    }
    sum
}

fn main() {}
