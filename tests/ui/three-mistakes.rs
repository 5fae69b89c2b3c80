//! Three mistakes in one function are three errors, each at its own token.

use retrograde::gradient;

#[gradient]
fn wrong(x: f64, n: usize) -> f64 {
    static SCALE: Option<f64> = Some(2.0);
    let square = [|t: f64| t * t];
    let first = unsafe { *[x, square[0](x)].get_unchecked(n) };
    first * SCALE.unwrap()
}

fn main() {}
