//! Functions without `self` that have a body in the trait.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

#[gradient]
trait Distribution {
    const WIDTH: f64;

    fn cdf(x: f64) -> f64;

    fn pdf(x: f64) -> f64 {
        (-Self::WIDTH * x * x).exp()
    }

    fn both(x: f64, y: f64) -> f64 {
        Self::cdf(x) * Self::pdf(y)
    }
}

#[derive(Clone, Copy, Debug, Differentiable, Record)]
struct Wide;

/// Nothing copies it.
#[derive(Debug, Differentiable)]
struct Narrow;

#[gradient]
impl Distribution for Wide {
    const WIDTH: f64 = 0.25;

    fn cdf(x: f64) -> f64 {
        x.tanh()
    }
}

#[gradient]
impl Distribution for Narrow {
    const WIDTH: f64 = 2.0;

    fn cdf(x: f64) -> f64 {
        x.atan()
    }
}

#[gradient]
fn price<D: Distribution>(s: f64, k: f64) -> f64 {
    let d = (s / k).ln();
    s * D::cdf(d + 0.5) - k * D::cdf(d - 0.5) + D::pdf(d) * D::both(s, d)
}

#[gradient]
fn of_types(s: f64, k: f64) -> f64 {
    price::<Wide>(s, k) + price::<Narrow>(k, s) + Narrow::pdf(s) * Wide::both(k, s)
}

#[test]
fn through_the_trait_and_on_types() {
    for at in [[1.0, 1.2], [2.0, 0.3], [0.5, 0.5]] {
        check(
            |p| of_types(p[0], p[1]),
            |p| of_types_grad(p[0], p[1]),
            &[&at],
        );
    }
}
