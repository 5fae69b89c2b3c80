//! A function whose name begins with a capital letter is taken for a tuple struct: rustc sees that it is none, also
//! where only fields of what it returns are used.

use retrograde::gradient;

#[allow(non_snake_case)]
fn J_and_Y(x: f64, y: f64) -> (f64, f64) {
    (x * y, x / y)
}

#[gradient]
fn ratio(x: f64, y: f64) -> f64 {
    let both = J_and_Y(x, y);
    both.0 * x + both.1
}

#[gradient]
fn field(x: f64, y: f64) -> f64 {
    J_and_Y(x, y).0 * y
}

#[gradient]
fn parts(x: f64, y: f64) -> f64 {
    let (j, z) = J_and_Y(x, y);
    j * z
}

#[gradient]
fn tail(x: f64, y: f64) -> (f64, f64) {
    J_and_Y(x * y, y)
}

#[gradient]
fn chosen(x: f64, y: f64) -> f64 {
    let both = if x > y { J_and_Y(x, y) } else { J_and_Y(y, x) };
    both.1 * x
}

fn main() {}
