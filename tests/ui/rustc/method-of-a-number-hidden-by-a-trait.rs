//! A method of a number that another trait hides, because it takes the number in a way that Rust tries first.

use retrograde::gradient;

mod traits {
    #[retrograde::gradient]
    pub trait Lift {
        fn lift(&self) -> f64;
    }

    pub trait Other {
        fn lift(self) -> f64;
    }
}

mod impls {
    #[retrograde::gradient]
    impl super::traits::Lift for f64 {
        fn lift(&self) -> f64 {
            self * self
        }
    }

    impl super::traits::Other for f64 {
        fn lift(self) -> f64 {
            3.0 * self
        }
    }
}

use traits::{Lift, Other};

#[gradient]
fn f(x: f64) -> f64 {
    x.lift()
}

fn main() {}
