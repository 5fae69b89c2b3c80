//! Functions whose modules, of their names, are private where they are called: what re-exports them leaves their hidden
//! types behind.

use retrograde::gradient;

use crate::support::check;

/// What a package exports of its folders of small files.
pub mod series {
    mod bessel {
        #[retrograde::gradient]
        pub fn bessel(x: f64) -> f64 {
            x.sin() / x
        }
    }

    mod airy {
        /// Over slices, and more than one parameter.
        #[retrograde::gradient]
        pub fn airy(x: &[f64], by: f64) -> f64 {
            x.iter().map(|v| (-v * by).exp()).sum()
        }
    }

    /// Generic over the float.
    mod gauss {
        use num_traits::Float;

        #[retrograde::gradient]
        pub fn gauss<T: Float>(x: T) -> T {
            (-x * x).exp()
        }
    }

    /// The same name once more, elsewhere.
    pub mod of_integers {
        mod bessel {
            #[retrograde::gradient]
            pub fn bessel(x: f64) -> f64 {
                3.0 * x
            }
        }

        pub use bessel::bessel;
    }

    pub use self::airy::airy;
    pub use bessel::bessel;
    pub use gauss::gauss;

    /// Beside it, the module is no secret.
    #[retrograde::gradient]
    pub fn squared(x: f64) -> f64 {
        bessel(x) * bessel(x)
    }

    pub mod deeper {
        use super::bessel;

        #[retrograde::gradient]
        pub fn cubed(x: f64) -> f64 {
            super::squared(x) * bessel(x)
        }
    }
}

use self::series::{airy, bessel, gauss};

#[gradient]
fn damped(x: f64, by: f64) -> f64 {
    let at_one = bessel(1.0);
    at_one * airy(&[x, 2.0 * x], by) * bessel(x)
}

#[gradient]
fn by_paths(x: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        sum += series::bessel(x + k as f64) * series::of_integers::bessel(x);
    }
    sum + crate::hidden::series::deeper::cubed(x)
}

#[gradient]
fn generic(x: f64) -> f64 {
    gauss(x) + gauss::<f64>(0.5 * x)
}

mod inside {
    use super::series;

    #[retrograde::gradient]
    pub fn by_super(x: f64) -> f64 {
        super::series::bessel(x) + series::airy(&[x], 0.25)
    }

    #[retrograde::gradient]
    pub fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        f(x) * x
    }

    /// Given to a function.
    #[retrograde::gradient]
    pub fn given(x: f64) -> f64 {
        apply(series::bessel, x)
    }
}

#[test]
fn sweeps_of_functions_in_private_modules_are_found() {
    let points: &[&[f64]] = &[&[0.3], &[1.1], &[2.7], &[-0.8]];
    check(|p| by_paths(p[0]), |p| by_paths_grad(p[0]), points);
    check(|p| generic(p[0]), |p| generic_grad(p[0]), points);
    check(
        |p| inside::by_super(p[0]),
        |p| inside::by_super_grad(p[0]),
        points,
    );
    check(
        |p| inside::given(p[0]),
        |p| inside::given_grad(p[0]),
        points,
    );
    check(
        |p| damped(p[0], p[1]),
        |p| damped_grad(p[0], p[1]),
        &[&[0.3, 0.7], &[1.4, -0.2], &[-0.6, 1.5]],
    );
}

mod plain {
    /// Without a derivative.
    pub fn twin(x: f64) -> f64 {
        x.signum()
    }
}

mod smooth {
    #[retrograde::gradient]
    pub fn twin(x: f64) -> f64 {
        x.tanh()
    }
}

/// Of two functions of one name the text does not show which one has sweeps.
#[gradient]
fn of_two(x: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        sum += smooth::twin(x * k as f64);
    }
    sum * plain::twin(2.0) + inside::apply(smooth::twin, x)
}

#[test]
fn functions_of_one_name_are_told_apart_by_rustc() {
    let points: &[&[f64]] = &[&[0.3], &[1.1], &[2.7], &[-0.8]];
    check(|p| of_two(p[0]), |p| of_two_grad(p[0]), points);
}
