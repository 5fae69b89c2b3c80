use retrograde::gradient;

macro_rules! written_elsewhere {
    ($item:item) => { $item };
}

written_elsewhere! {
    fn settings() -> (f64, f64, u8) {
        (1.0, 2.0, 3)
    }
}

#[gradient]
fn scaled(x: f64) -> f64 {
    let (scale, .., kind) = settings();
    x * scale * f64::from(kind as u8)
}

fn main() {}
