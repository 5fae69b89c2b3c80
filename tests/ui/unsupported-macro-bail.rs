use retrograde::gradient;

macro_rules! bail {
    ($value:expr) => {
        return $value
    };
}

#[gradient]
fn guarded(x: f64) -> f64 {
    if x < 0.0 {
        bail!(0.0);
    }
    x.sqrt()
}

fn main() {}
