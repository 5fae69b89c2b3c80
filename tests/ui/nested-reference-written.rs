use retrograde::gradient;

#[gradient]
fn largest(rows: &mut [&[f64]], x: f64) -> f64 {
    rows[0][0] * x
}

#[gradient]
fn first<'a>(rows: &[&'a [f64]]) -> Option<&'a [f64]> {
    rows.first().copied()
}

fn main() {}
