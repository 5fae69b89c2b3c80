use retrograde::gradient;

#[gradient]
fn clipped(values: &[f64]) -> f64 {
    values
        .iter()
        .map(|v| {
            if *v < 0.0 {
                return 0.0;
            }
            v * v
        })
        .sum()
}

fn main() {}
