//! Methods of floats on references to them, where a trait in scope has methods of these names: one with `&self` comes
//! in front of the float's own.

use std::hint::black_box;

use retrograde::gradient;

use crate::support::{check, panic_message};

mod other {
    use retrograde::gradient;

    /// None of them is what floats have by these names.
    pub trait Angle {
        fn sin(&self) -> f64;
        fn max(&self, other: f64) -> f64;
        fn powi(&self, n: i32) -> f64;
        fn exp(&mut self) -> f64;
        fn is_finite(&self) -> bool;
    }

    impl Angle for f64 {
        fn sin(&self) -> f64 {
            2.0 * self
        }

        fn max(&self, other: f64) -> f64 {
            self + other
        }

        fn powi(&self, n: i32) -> f64 {
            self * f64::from(n)
        }

        fn exp(&mut self) -> f64 {
            *self *= 2.0;
            *self
        }

        fn is_finite(&self) -> bool {
            *self < 0.0
        }
    }

    /// Of numbers, the methods are their own.
    #[gradient]
    pub fn of_numbers(x: &[f64]) -> f64 {
        let y = x[0];
        y.sin()
            + x[1].max(0.25)
            + (*x.last().unwrap()).powi(2)
            + x.iter().map(|v| (*v).sin()).sum::<f64>()
            + y.exp()
    }

    /// What has no derivative is called as it is written.
    #[gradient]
    pub fn asked(x: &[f64]) -> f64 {
        x.iter().filter(|v| v.is_finite()).map(|v| v * v).sum()
    }

    #[gradient]
    pub fn of_items(x: &[f64]) -> f64 {
        x.iter().map(|v| v.sin()).sum()
    }

    #[gradient]
    pub fn of_a_parameter(x: &f64, y: f64) -> f64 {
        x.max(y) * y
    }

    #[gradient]
    pub fn in_a_loop(x: &[f64]) -> f64 {
        let mut sum = 1.0;
        for v in x {
            sum = sum * 0.5 + v.powi(3) * sum;
        }
        sum
    }

    #[gradient]
    pub fn of_what_is_written(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        for v in y.iter_mut() {
            *v = v.exp();
        }
        y[0] * y[1]
    }
}

mod same {
    use retrograde::gradient;

    /// What floats have, by reference.
    pub trait Real {
        fn sin(&self) -> Self;
        fn abs(&self) -> Self;
        fn max(&self, other: Self) -> Self;
    }

    impl Real for f64 {
        fn sin(&self) -> f64 {
            f64::sin(*self)
        }

        fn abs(&self) -> f64 {
            f64::abs(*self)
        }

        fn max(&self, other: f64) -> f64 {
            f64::max(*self, other)
        }
    }

    #[gradient]
    pub fn all(x: &[f64]) -> f64 {
        let first = &x[0];
        let mut sum = 0.0;
        for v in x {
            sum += v.sin() * v.abs() + v.max(0.1) * first.sin();
        }
        sum + x.iter().map(|v| v.max(*first) * v.abs()).sum::<f64>()
    }
}

const AT: [&[f64]; 2] = [&[0.7, 1.3, 0.4], &[-0.6, 2.0, 0.9]];

#[test]
fn numbers_have_their_own() {
    check(other::of_numbers, other::of_numbers_grad, &AT);
    check(other::asked, other::asked_grad, &AT);
    assert_ne!(other::asked(&[-0.6]), 0.0);
}

#[test]
fn a_trait_that_means_the_same_is_one_of_them() {
    check(same::all, same::all_grad, &AT);
}

/// The value is that of the function, or there is none.
#[test]
fn a_trait_that_means_something_else_is_told() {
    assert_eq!(other::of_items(&[1.0, 2.0]), 6.0);
    let x = black_box([1.5, 2.0]);
    for (name, message) in [
        ("sin", panic_message(|| _ = other::of_items_grad(&x))),
        (
            "max",
            panic_message(|| _ = other::of_a_parameter_grad(&x[0], 2.0)),
        ),
        ("powi", panic_message(|| _ = other::in_a_loop_grad(&x))),
        (
            "exp",
            panic_message(|| _ = other::of_what_is_written_grad(&x)),
        ),
    ] {
        let expected = format!("`{name}` of a reference to a number is that of a trait in scope");
        assert!(message.contains(&expected), "{message}");
    }
}
