use retrograde::gradient;

#[derive(Clone, Default)]
struct Settings {
    scale: f64,
}

#[gradient]
fn scaled(x: f64, #[constant] mut settings: Settings) -> f64 {
    let old = std::mem::take(&mut settings);
    x * old.scale
}

fn main() {}
