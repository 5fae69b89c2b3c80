use retrograde::gradient;

struct Settings {
    scale: f64,
}

#[gradient]
fn scaled(settings: &Settings, x: f64) -> f64 {
    settings.scale * x
}

fn main() {}
