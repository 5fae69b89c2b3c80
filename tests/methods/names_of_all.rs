//! Methods of a type's own with the names of those that all types have.

use super::support::check;
use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Differentiable, Record)]
struct Gain {
    value: f64,
}

#[gradient]
impl Gain {
    fn into(self) -> f64 {
        self.value * self.value
    }

    fn try_into(self) -> f64 {
        self.value.sin()
    }

    fn to_owned(&self, by: f64) -> f64 {
        self.value * by
    }
}

#[gradient]
fn converted(x: f64) -> f64 {
    let gain = Gain { value: x };
    let whole = gain.into();
    whole * gain.to_owned(x) + Gain::into(gain) * gain.try_into()
}

#[gradient]
fn at_the_end(gain: Gain) -> f64 {
    gain.into()
}

#[test]
fn they_are_found_in_front_of_those() {
    let at = |x: &[f64]| x[0];
    check(
        |x| converted(at(x)),
        |x| converted_grad(at(x)),
        &[&[0.7], &[-1.3]],
    );
    let (value, gradient) = at_the_end_grad(Gain { value: 3.0 });
    assert_eq!((value, gradient.value), (9.0, 6.0));
}
