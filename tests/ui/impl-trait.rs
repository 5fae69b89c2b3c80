use retrograde::gradient;

#[gradient]
fn scaled(label: impl Into<String>, x: f64) -> f64 {
    println!("{}", label.into());
    2.0 * x
}

fn main() {}
