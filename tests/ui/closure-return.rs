use retrograde::gradient;

#[gradient]
fn summed(rows: &[Vec<f64>]) -> f64 {
    rows.iter().flat_map(|row| return row.iter()).sum()
}

fn main() {}
