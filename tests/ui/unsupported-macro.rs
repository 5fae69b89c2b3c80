use retrograde::gradient;

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

#[gradient]
fn squared(x: f64) -> f64 {
    square!(x + 1.0)
}

fn main() {}
