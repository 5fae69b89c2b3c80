use retrograde::gradient;
use std::convert::Infallible;

#[gradient]
fn certain(x: f64, #[constant] impossible: Option<Infallible>) -> f64 {
    if let Some(never) = impossible {
        match never {}
    }
    x * x
}

fn main() {}
