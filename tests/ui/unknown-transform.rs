//! A name in `no(…)` that no transformation has; the others beside it hold.

use retrograde::gradient;

#[gradient(no(strips, vectorise, bulk))]
fn square(x: f64) -> f64 {
    x * x
}

fn main() {
    assert_eq!(square_grad(3.0), (9.0, 6.0));
}
