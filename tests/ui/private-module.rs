mod series {
    mod bessel {
        #[retrograde::gradient]
        pub fn bessel(x: f64) -> f64 {
            x.sin() / x
        }
    }

    pub mod airy {
        #[retrograde::gradient]
        pub fn airy(x: f64) -> f64 {
            (-x).exp()
        }
    }

    pub use airy::airy;
    pub use bessel::bessel;

    // Beside it, the module is no secret.
    #[retrograde::gradient]
    pub fn squared(x: f64) -> f64 {
        bessel(x) * bessel(x)
    }

    mod deeper {
        use super::bessel;

        #[retrograde::gradient]
        pub fn cubed(x: f64) -> f64 {
            super::squared(x) * bessel(x)
        }
    }
}

use series::{airy, bessel};

#[retrograde::gradient]
fn damped(x: f64) -> f64 {
    // What has no derivative may be given to it.
    let at_one = bessel(1.0);
    at_one * airy(x) * bessel(x)
}

fn main() {}
