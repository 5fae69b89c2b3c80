use retrograde::gradient;

mod errors {
    macro_rules! bail {
        ($value:expr) => {
            return $value
        };
    }
    pub(crate) use bail;
}
use errors::bail;

#[gradient]
fn guarded(x: f64) -> f64 {
    if x < 0.0 {
        bail!(0.0);
    }
    x.sqrt()
}

fn main() {}
