use retrograde::gradient;

#[gradient]
fn sums(values: &[f64]) -> f64 {
    let mut squares = 0.0;
    let sum: f64 = values
        .iter()
        .map(|v| {
            squares += v * v;
            *v
        })
        .sum();
    sum * squares
}

fn main() {}
