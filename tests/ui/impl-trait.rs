use retrograde::gradient;

#[gradient]
fn scaled(label: impl AsRef<str>, x: f64) -> f64 {
    println!("{}", label.as_ref());
    2.0 * x
}

fn main() {}
