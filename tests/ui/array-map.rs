use retrograde::gradient;

#[gradient]
fn rows(x: &[f64; 3]) -> f64 {
    let rows = x.map(|v| vec![v, v * v]);
    rows[0][1] * rows[2][0]
}

fn main() {}
