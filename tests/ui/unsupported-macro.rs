use retrograde::gradient;

mod shapes {
    macro_rules! square {
        ($x:expr) => {
            $x * $x
        };
    }
    pub(crate) use square;
}
use shapes::square;

#[gradient]
fn squared(x: f64) -> f64 {
    square!(x + 1.0)
}

fn main() {}
