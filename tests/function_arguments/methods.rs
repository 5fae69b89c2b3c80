//! Methods that take functions.

use retrograde::{Differentiable, Record, differentiable, gradient};

use super::{assert_near, differences};

#[derive(Clone, Copy, Differentiable, Record)]
struct Rule {
    weight: f64,
}

#[gradient]
impl Rule {
    fn integrate<F: Fn(f64) -> f64>(&self, f: F, a: f64, b: f64) -> f64 {
        self.weight * (b - a) * (f(a) + f(b))
    }

    fn unnamed(&self, f: impl Fn(f64) -> f64, x: f64) -> f64 {
        f(x) * self.weight
    }

    /// Passes it on, to another method and to itself.
    fn nested(&self, f: &dyn Fn(f64) -> f64, x: f64, n: usize) -> f64 {
        if n == 0 {
            return self.integrate(f, 0.0, x);
        }
        self.nested(f, f(x), n - 1) + self.unnamed(|t| f(t) * self.weight, x)
    }

    fn adapt(&mut self, mut f: impl FnMut(f64) -> f64, x: f64) {
        self.weight = f(self.weight * x);
    }

    fn of(f: impl Fn(f64) -> f64, x: f64) -> f64 {
        f(x) * x
    }
}

#[gradient]
fn bell(x: f64) -> f64 {
    (-x * x).exp()
}

#[gradient]
fn of_methods(w: f64, x: f64) -> f64 {
    let rule = Rule { weight: w };
    let k = x * w;
    let mut sum = rule.integrate(bell, w, x) + rule.integrate(|t| t * k, x, k);
    sum += rule.unnamed(|t| t * t * k, x) + Rule::of(bell, x) + Rule::of(|t| t * k, w);
    sum += rule.nested(&bell, x, 2) + Rule::integrate(&rule, |t| t * w, 0.0, x);
    let mut other = rule;
    other.adapt(|t| t * k + x, x);
    sum * other.weight
}

#[test]
fn methods() {
    for (w, x) in [(0.4, 0.9), (-0.3, 0.2)] {
        let (value, (dw, dx)) = of_methods_grad(w, x);
        assert_eq!(value.to_bits(), of_methods(w, x).to_bits());
        assert_near(dw, differences(|w| of_methods(w, x), w));
        assert_near(dx, differences(|x| of_methods(w, x), x));
    }
    let rule = Rule { weight: 0.5 };
    let (value, (slope, da, db)) = rule.integrate_grad(differentiable!(|x| x * x), 1.0, 2.0);
    assert_eq!((value, slope.weight, da, db), (2.5, 5.0, -1.5, 4.5));
}
