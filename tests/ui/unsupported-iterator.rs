use retrograde::gradient;

#[gradient]
fn total(values: &[f64], rows: &[Vec<f64>]) -> f64 {
    let mut sum = 0.0;
    for v in values.iter().peekable() {
        sum += v * v;
    }
    for v in (0..3).flat_map(|k| 0..k).rev() {
        sum += values[v];
    }
    for (v, w) in values.iter().zip(values.iter().filter(|w| **w > 0.0).inspect(|w| assert!(**w < 9.0))) {
        sum += v * w;
    }
    sum + rows.iter().reduce(|a, b| if a[0] > b[0] { a } else { b }).unwrap()[0]
}

fn main() {}
