use retrograde::gradient;

#[gradient]
fn labelled(x: f64, #[constant] label: &mut String) -> f64 {
    let old = std::mem::take(label);
    x * old.len() as f64
}

fn main() {}
