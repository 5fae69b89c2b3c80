//! A function whose name begins with a capital letter is taken for a tuple struct: rustc sees that it is none, also
//! where only fields of what it returns are used.

use retrograde::gradient;

/// So that the text does not show what it is.
macro_rules! function {
    ($name:ident) => {
        #[allow(non_snake_case)]
        fn $name(x: f64, y: f64) -> (f64, f64) {
            (x * y, x / y)
        }
    };
}

function!(Both);

#[gradient]
fn ratio(x: f64, y: f64) -> f64 {
    let both = Both(x, y);
    both.0 * x + both.1
}

#[gradient]
fn field(x: f64, y: f64) -> f64 {
    Both(x, y).0 * y
}

#[gradient]
fn parts(x: f64, y: f64) -> f64 {
    let (j, z) = Both(x, y);
    j * z
}

#[gradient]
fn tail(x: f64, y: f64) -> (f64, f64) {
    Both(x * y, y)
}

#[gradient]
fn chosen(x: f64, y: f64) -> f64 {
    let both = if x > y { Both(x, y) } else { Both(y, x) };
    both.1 * x
}

fn main() {}
