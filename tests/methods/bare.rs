//! The attribute on one method of a block that has none.

use retrograde::{Differentiable, Record, Tangent, gradient};

use crate::support::{check, check_exact};
use crate::types::own_tangent;

#[derive(Clone, Debug, PartialEq, Record)]
struct Well {
    depth: f64,
    width: f64,
}

own_tangent! { [] Well { depth, width } }

impl Well {
    #[gradient]
    fn potential(&self, x: f64) -> f64 {
        -self.depth * (-(x / self.width).powi(2)).exp()
    }

    #[gradient]
    fn of_self(a: &Self, x: f64) -> f64 {
        a.potential(x) * Self::scale()
    }

    #[gradient]
    fn deepen(&mut self, by: f64) {
        self.depth += by * self.potential(by);
    }

    #[gradient(name = at_rest)]
    fn still(self) -> f64 {
        self.potential(0.5)
    }

    fn scale() -> f64 {
        2.0
    }

    /// Neither `self` nor `Self`.
    #[gradient]
    fn bare(x: f64, y: f64) -> f64 {
        x.sin() * y
    }
}

#[gradient]
fn of_well(w: &Well, x: f64) -> f64 {
    let mut v = w.clone();
    v.deepen(x);
    v.potential(x) + Well::of_self(w, x) + w.clone().still() * Well::bare(x, 2.0)
}

#[test]
fn one_method_alone() {
    let well = |p: &[f64]| Well {
        depth: p[0],
        width: p[1],
    };
    let at: &[&[f64]] = &[&[0.7, 1.3, 0.4], &[-0.2, 0.9, 0.8]];
    check(
        |p| well(p).potential(p[2]),
        |p| well(p).potential_grad(p[2]),
        at,
    );
    check(
        |p| Well::of_self(&well(p), p[2]),
        |p| Well::of_self_grad(&well(p), p[2]),
        at,
    );
    check(
        |p| of_well(&well(p), p[2]),
        |p| of_well_grad(&well(p), p[2]),
        at,
    );
    check(
        |p| well(p).still(),
        |p| well(p).at_rest_grad(),
        &[&[0.7, 1.3]],
    );
    check(
        |p| Well::bare(p[0], p[1]),
        |p| Well::bare_grad(p[0], p[1]),
        &[&[0.7, 1.3]],
    );
}
