use retrograde::{gradient, no_gradient};

macro_rules! inside {
    ($x:ident in $low:literal .. $high:literal) => {
        $x > $low && $x < $high
    };
}

#[gradient]
fn clipped(x: f64) -> f64 {
    if no_gradient(inside!(x in 0.0 .. 1.0)) {
        x * x
    } else {
        0.0
    }
}

fn main() {}
