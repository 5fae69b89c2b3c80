//! Functions in modules of their own names, imported by all ways; functions whose names begin with a capital.

#![allow(
    clippy::all,
    unused,
    non_camel_case_types,
    non_snake_case,
    missing_docs,
    unused_qualifications,
    unreachable_pub,
    reason = "the functions are written as users write them"
)]

#[path = "../support/mod.rs"]
mod support;

mod beside;
mod capitals;
mod deep;
mod hidden;
mod laws;
mod of_std;
mod polevl;

/// Both names meet here.
pub use polevl::polevl;

use retrograde::gradient;

use support::check;

/// A module in the text, with a function of its name.
mod rate {
    use retrograde::gradient;

    #[gradient]
    pub fn rate(x: f64, by: f64) -> f64 {
        (x * by).exp()
    }

    /// A caller beside it.
    #[gradient]
    pub fn doubled(x: f64) -> f64 {
        rate(x, 2.0)
    }

    mod inner {
        use retrograde::gradient;

        use super::rate;

        #[gradient]
        pub fn halved(x: f64) -> f64 {
            rate(x, 0.5)
        }

        #[test]
        fn above() {
            assert_eq!(halved_grad(0.0), (1.0, 0.5));
        }
    }
}

/// A module that has the name of a function elsewhere, and none of that name.
mod slope {
    use retrograde::gradient;

    mod other {
        #[retrograde::gradient]
        pub fn slope(x: f64) -> f64 {
            x * x * x
        }
    }

    use other::slope;

    #[gradient]
    pub fn twice(x: f64) -> f64 {
        2.0 * slope(x)
    }
}

/// A text that isn't of use to 'anyone, and no import; "either.
#[gradient]
fn imported(x: f64, y: f64) -> f64 {
    polevl(x, &[y, 2.0, 1.0]) * y
}

#[gradient]
fn by_path(x: f64, y: f64) -> f64 {
    polevl::polevl(x, &[y, 2.0, 1.0]) + crate::rate::rate(x, y) + rate::doubled(y)
}

/// Given to others, by both ways.
#[gradient]
fn given(x: f64) -> f64 {
    fn apply(f: impl Fn(f64, f64) -> f64, x: f64) -> f64 {
        f(x, x + 1.0)
    }
    twice_of(rate::rate, x)
}

#[gradient]
fn twice_of(f: impl Fn(f64, f64) -> f64, x: f64) -> f64 {
    f(x, 0.5) + f(2.0 * x, x)
}

#[gradient]
fn in_chains(x: &[f64]) -> f64 {
    x.iter().map(|v| rate::rate(*v, 0.5)).sum()
}

#[test]
fn calls_find_the_sweeps() {
    let points: &[&[f64]] = &[&[0.7, 1.3], &[-0.4, 0.2]];
    check(
        |p| imported(p[0], p[1]),
        |p| imported_grad(p[0], p[1]),
        points,
    );
    check(
        |p| by_path(p[0], p[1]),
        |p| by_path_grad(p[0], p[1]),
        points,
    );
    check(|p| given(p[0]), |p| given_grad(p[0]), &[&[0.7], &[-0.4]]);
    check(|p| in_chains(p), |p| in_chains_grad(p), points);
    check(
        |p| slope::twice(p[0]),
        |p| slope::twice_grad(p[0]),
        &[&[0.7], &[-0.4]],
    );
}
