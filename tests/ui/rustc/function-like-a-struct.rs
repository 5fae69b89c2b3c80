//! A name that begins with a capital letter is taken for that of a tuple struct; rustc says where it is a function.

use retrograde::gradient;

#[allow(non_snake_case)]
fn Phi(x: f64) -> f64 {
    0.5 * (1.0 + x.tanh())
}

#[gradient]
fn price(x: f64) -> f64 {
    let d = Phi(x);
    d * x
}

fn main() {}
