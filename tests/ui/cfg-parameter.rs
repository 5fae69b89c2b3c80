use retrograde::gradient;

#[gradient]
fn scaled(x: f64, #[cfg(windows)] y: f64) -> f64 {
    x * x
}

fn main() {}
