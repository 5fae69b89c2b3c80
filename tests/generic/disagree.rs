//! Traits of the user's own that mean something else by a name of `num-traits` or of a method of floats: the sweeps
//! panic before they compute anything.

use std::ops::{Add, Mul};

use num_traits::Num;
use retrograde::{Differentiable, Record, gradient};

use crate::support::panic_message;

/// Names of `num-traits` and of methods of floats, with other meanings.
trait Odd: Copy + Add<Output = Self> + Mul<Output = Self> {
    const EPSILON: Self;
    fn zero() -> Self;
    fn one() -> Self;
    fn sin(self) -> Self;
    fn from_f64(x: f64) -> Option<Self>;
    fn to_f64(&self) -> Option<f64>;
}

macro_rules! number {
    ($($float:ident)*) => { $(
        impl Odd for $float {
            const EPSILON: $float = 1e-3;
            fn zero() -> $float { 5.0 }
            fn one() -> $float { 1.0 }
            fn sin(self) -> $float { self - self * self * self / 6.0 }
            fn from_f64(x: f64) -> Option<$float> { Some(2.0 * x as $float) }
            fn to_f64(&self) -> Option<f64> { Some(f64::from(*self) + 1.0) }
        }
    )* };
}
number! { f32 f64 }

trait OwnNumber: Odd {}
impl OwnNumber for f32 {}
impl OwnNumber for f64 {}

#[gradient]
fn zero<T: OwnNumber>(x: T) -> T {
    x * T::zero()
}

#[gradient]
fn one<T: OwnNumber>(x: T) -> T {
    x * x * T::one()
}

#[gradient]
fn sine<T: OwnNumber>(x: T) -> T {
    x.sin() * x
}

#[gradient]
fn sine_by_path<T: OwnNumber>(x: T) -> T {
    T::sin(x) * x
}

#[gradient]
fn sine_by_trait<T: Odd>(x: T) -> T {
    Odd::sin(x) * <T as Odd>::sin(x)
}

#[gradient]
fn epsilon<T: OwnNumber>(x: T) -> T {
    x * T::EPSILON
}

#[gradient]
fn converted<T: OwnNumber>(x: T) -> T {
    x * T::from_f64(0.5).unwrap()
}

#[gradient]
fn widened<T: OwnNumber>(x: T) -> T {
    let k = x.to_f64().unwrap();
    assert!(k > 0.0);
    x * x
}

#[gradient]
fn in_a_macro<T: OwnNumber>(x: T, y: T) -> T {
    let all = vec![x.sin(), y];
    all[0] * all[1]
}

/// A trait in scope that extends all numbers.
trait Fast: Num + Copy {
    fn exp(self) -> Self {
        Self::one() + self
    }
}

impl<T: Num + Copy> Fast for T {}

#[gradient]
fn extended<T: Num + Copy>(x: T) -> T {
    x.exp() * x
}

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Wave<T> {
    k: T,
}

#[gradient]
impl<T: OwnNumber> Wave<T> {
    fn at(&self, x: T) -> T {
        (self.k * x).sin()
    }

    fn product(&self, x: T) -> T {
        self.k * x
    }
}

struct Plain;

#[gradient]
impl Plain {
    fn at<T: OwnNumber>(#[constant] &self, x: T) -> T {
        x.sin()
    }
}

#[gradient]
impl<T: OwnNumber> Mul<T> for Wave<T> {
    type Output = T;

    fn mul(self, x: T) -> T {
        (self.k * x).sin()
    }
}

#[gradient]
fn by_operator(w: Wave<f64>, x: f64) -> f64 {
    w * x
}

#[track_caller]
fn refused(name: &str, f: impl Fn()) {
    let message = panic_message(&f);
    let about = format!("`{name}` of a trait of this function's type parameter");
    assert!(message.contains(&about), "{name}: {message}");
    // Not the first time alone.
    assert_eq!(panic_message(f), message);
}

#[test]
fn another_function_of_the_name() {
    refused("zero", || _ = zero_grad(1.0));
    refused("sin", || _ = sine_grad(1.0));
    refused("sin", || _ = sine_grad(1.0_f32));
    refused("sin", || _ = sine_by_path_grad(1.0));
    refused("sin", || _ = sine_by_trait_grad(1.0));
    refused("EPSILON", || _ = epsilon_grad(1.0));
    refused("from_f64", || _ = converted_grad(1.0));
    refused("to_f64", || _ = widened_grad(1.0));
    refused("sin", || _ = in_a_macro_grad(1.0, 2.0));
    refused("exp", || _ = extended_grad(1.0));
    refused("sin", || _ = Wave { k: 1.0 }.at_grad(1.0));
    refused("sin", || _ = Plain.at_grad(1.0_f32));
    refused("sin", || _ = by_operator_grad(Wave { k: 1.0 }, 2.0));
}

#[test]
fn what_agrees() {
    assert_eq!(one_grad(3.0), (9.0, 6.0));
    assert_eq!(one_grad(3.0_f32), (9.0, 6.0));
    let (value, (d, dx)) = Wave { k: 2.0 }.product_grad(3.0);
    assert_eq!((value, d.k, dx), (6.0, 3.0, 2.0));
}

/// Functions that differ only where they guard against something.
trait GuardedFloat: Copy + Mul<Output = Self> {
    fn exp(self) -> Self;
    fn ln(self) -> Self;
    fn max(self, other: Self) -> Self;
    fn powi(self, n: i32) -> Self;
}

macro_rules! guarded {
    ($($float:ident $most:literal)*) => { $(
        impl GuardedFloat for $float {
            fn exp(self) -> $float { $float::exp(if self > $most { $most } else { self }) }
            fn ln(self) -> $float { $float::ln(if self < 1e-20 { 1e-20 } else { self }) }
            fn max(self, other: $float) -> $float { if self > other { self } else { other } }
            fn powi(self, n: i32) -> $float { (0..n).fold(1.0, |power, _| power * self) }
        }
    )* };
}
guarded! { f32 80.0 f64 700.0 }

#[gradient]
fn guarded_exp<T: GuardedFloat>(x: T) -> T {
    x.exp() * x
}

#[gradient]
fn guarded_ln<T: GuardedFloat>(x: T) -> T {
    x.ln() * x
}

#[gradient]
fn ordered_max<T: GuardedFloat>(x: T, y: T) -> T {
    x.max(y) * x
}

#[gradient]
fn natural_power<T: GuardedFloat>(x: T) -> T {
    x.powi(-1) * T::powi(x, 4)
}

#[test]
fn guards_against_overflow_zero_nan_and_negative_powers() {
    refused("exp", || _ = guarded_exp_grad(1.0));
    refused("exp", || _ = guarded_exp_grad(1.0_f32));
    refused("ln", || _ = guarded_ln_grad(1.0));
    refused("max", || _ = ordered_max_grad(1.0, 2.0));
    refused("powi", || _ = natural_power_grad(1.0));
}
