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

mod of_a_crate {
    #[retrograde::derivative_of(num_traits::clamp)]
    fn rule(x: f64, low: f64, high: f64, #[result] y: f64) -> (f64, f64, f64) {
        let at = |edge: f64| f64::from(u8::from(y == edge));
        (at(x), at(low), at(high))
    }
}

mod of_a_crate_again {
    #[retrograde::derivative_of(num_traits::clamp)]
    fn rule(x: f64, low: f64, high: f64, #[result] y: f64) -> (f64, f64, f64) {
        let at = |edge: f64| f64::from(u8::from(y == edge));
        (at(x), at(low), at(high))
    }
}

// A module of the same name in each is no second rule.
mod one {
    mod library {
        pub fn g(x: f64) -> f64 {
            x
        }
    }

    #[retrograde::derivative_of(library::g)]
    fn rule(_: f64) -> f64 {
        1.0
    }
}

mod two {
    mod library {
        pub fn g(x: f64) -> f64 {
            x
        }
    }

    #[retrograde::derivative_of(library::g)]
    fn rule(_: f64) -> f64 {
        1.0
    }
}
