use retrograde::gradient;

#[gradient]
fn labelled(x: f64) -> (f64, usize, String) {
    (x * x, 1, format!("{x:.3}"))
}

fn main() {}
