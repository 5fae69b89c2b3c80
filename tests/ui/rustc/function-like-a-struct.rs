//! A name that begins with a capital letter is taken for that of a tuple struct; rustc says where it is a function.

use retrograde::gradient;

/// So that the text does not show what it is.
macro_rules! function {
    ($name:ident) => {
        #[allow(non_snake_case)]
        fn $name(x: f64) -> f64 {
            0.5 * (1.0 + x.tanh())
        }
    };
}

function!(Phi);

#[gradient]
fn price(x: f64) -> f64 {
    let d = Phi(x);
    d * x
}

fn main() {}
