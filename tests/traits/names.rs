//! Methods of the user's traits that are called as those of `Differentiable` and `Tangent` are, with these in scope.

use retrograde::{Differentiable, Tangent, gradient};

use crate::support::{assert_close, assert_same_value, differences};

#[gradient]
trait Stepper {
    fn step(&self, y: f64, dt: f64) -> f64;
    fn norm(&self) -> f64;
}

#[derive(Clone, Debug, Differentiable)]
#[differentiable(tangent = Self)]
struct Euler {
    rate: f64,
}

#[derive(Clone, Debug, Differentiable)]
struct Midpoint {
    rate: f64,
}

#[gradient]
impl Stepper for Euler {
    fn step(&self, y: f64, dt: f64) -> f64 {
        y - dt * self.rate * y
    }

    fn norm(&self) -> f64 {
        self.rate * self.rate
    }
}

#[gradient]
impl Stepper for Midpoint {
    fn step(&self, y: f64, mut dt: f64) -> f64 {
        dt *= self.rate;
        y - dt * (y - 0.5 * dt * y)
    }

    fn norm(&self) -> f64 {
        self.rate.abs()
    }
}

#[gradient]
fn through_the_trait<S: Stepper>(s: &S, y: f64) -> f64 {
    let mut y = y;
    for _ in 0..3 {
        y = s.step(y, 0.1);
    }
    y * s.norm()
}

#[gradient]
fn constant_stepper<S: Stepper + Differentiable>(#[constant] s: &S, y: f64) -> f64 {
    s.step(s.step(y, 0.1), 0.2)
}

#[gradient]
fn on_the_type(s: &Euler, y: f64) -> f64 {
    Stepper::step(s, y, 0.1) * Stepper::norm(s)
}

const AT: [[f64; 2]; 3] = [[0.7, 1.3], [-0.4, 2.0], [3.0, -0.5]];

#[test]
fn methods_are_those_of_the_users_trait() {
    for [rate, y] in AT {
        let at = [rate, y];
        let (value, (slope, dy)) = through_the_trait_grad(&Euler { rate }, y);
        let f = |p: &[f64]| through_the_trait(&Euler { rate: p[0] }, p[1]);
        assert_same_value(value, f(&at));
        assert_close(&[slope.rate, dy], &differences(f, &at), 1e-7, &at);

        let (value, (slope, dy)) = through_the_trait_grad(&Midpoint { rate }, y);
        let f = |p: &[f64]| through_the_trait(&Midpoint { rate: p[0] }, p[1]);
        assert_same_value(value, f(&at));
        assert_close(&[slope.rate, dy], &differences(f, &at), 1e-7, &at);

        let (value, dy) = constant_stepper_grad(&Euler { rate }, y);
        assert_same_value(value, constant_stepper(&Euler { rate }, y));
        assert_close(
            &[dy],
            &[(1.0 - 0.1 * rate) * (1.0 - 0.2 * rate)],
            1e-14,
            &at,
        );

        let (value, (slope, dy)) = on_the_type_grad(&Euler { rate }, y);
        let f = |p: &[f64]| on_the_type(&Euler { rate: p[0] }, p[1]);
        assert_same_value(value, f(&at));
        assert_close(&[slope.rate, dy], &differences(f, &at), 1e-7, &at);
    }
}

#[test]
fn those_of_our_traits_are_still_there() {
    let mut euler = Euler { rate: 1.0 };
    Differentiable::step(&mut euler, 0.5, &Euler { rate: 2.0 });
    assert_eq!((euler.rate, Tangent::norm(&euler)), (2.0, 2.0));
}
