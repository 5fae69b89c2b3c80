use retrograde::gradient;

#[gradient]
fn doubled(mut x: Option<f64>) -> f64 {
    let y = *x.get_or_insert_default();
    2.0 * y
}

fn main() {}
