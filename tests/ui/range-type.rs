use retrograde::gradient;

#[gradient]
fn series(x: f64, terms: u32) -> f64 {
    (1..=terms).map(|k| x / f64::from(k)).sum()
}

fn main() {}
