// A second rule for a function, in the module of the first and, by the same full path, in another one.

use retrograde::{derivative_of, gradient};

pub fn g(x: f64) -> f64 {
    x * x
}

pub fn h(x: f64) -> f64 {
    x * x
}

#[gradient]
pub fn known(x: f64) -> f64 {
    x * x
}

#[derivative_of(g)]
fn first(x: f64) -> f64 {
    2.0 * x
}

#[derivative_of(g)]
fn second(x: f64) -> f64 {
    3.0 * x
}

#[derivative_of(known)]
fn beside_a_gradient(x: f64) -> f64 {
    2.0 * x
}

mod here {
    #[retrograde::derivative_of(crate::h)]
    fn rule(x: f64) -> f64 {
        2.0 * x
    }
}

mod there {
    #[retrograde::derivative_of(crate::h)]
    fn rule(x: f64) -> f64 {
        3.0 * x
    }
}

fn main() {}
