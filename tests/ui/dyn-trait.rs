use retrograde::gradient;

#[gradient]
fn summed(values: &mut dyn Iterator<Item = f64>, x: f64) -> f64 {
    x * values.next().unwrap()
}

fn main() {}
