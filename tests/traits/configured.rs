//! `#[cfg]` on what stands in a trait and in its `impl`s: of two functions of one name, the one that is there counts.

use crate::support::check;
use retrograde::{Differentiable, Record, gradient};

/// Of a number, and by value: no object.
#[gradient]
pub trait Fused {
    fn fused(self, by: f64, plus: f64) -> f64;
}

#[gradient]
impl Fused for f64 {
    #[cfg(not(target_os = "none"))]
    #[inline]
    fn fused(self, by: f64, plus: f64) -> f64 {
        self * by + plus
    }

    #[cfg(target_os = "none")]
    #[inline]
    fn fused(self, by: f64, plus: f64) -> f64 {
        no_such_function(self, by, plus)
    }
}

#[gradient]
fn of_a_number(x: f64, y: f64) -> f64 {
    x.fused(y.sin(), 3.0) * y
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Pair {
    x: f64,
    #[cfg(target_os = "none")]
    z: f64,
    #[cfg(not(target_os = "none"))]
    y: f64,
}

#[gradient]
trait Shape {
    #[cfg(target_os = "none")]
    fn area(&self, unit: NoSuchType) -> f64;
    #[cfg(not(target_os = "none"))]
    fn area(&self) -> f64;
    /// Is nowhere.
    #[cfg(all(target_os = "none", unix))]
    fn volume(&self, height: f64) -> f64;
    fn twice(&self) -> f64 {
        2.0 * self.area()
    }
}

#[gradient]
impl Shape for Pair {
    #[cfg(target_os = "none")]
    fn area(&self, unit: NoSuchType) -> f64 {
        self.z * unit
    }

    #[cfg(not(target_os = "none"))]
    fn area(&self) -> f64 {
        self.x * self.y * self.y
    }

    #[cfg(all(target_os = "none", unix))]
    fn volume(&self, height: f64) -> f64 {
        self.area() * height
    }
}

#[gradient]
fn through_the_trait<S: Shape>(shape: &S, by: f64) -> f64 {
    shape.area() * by + shape.twice()
}

#[gradient]
fn of_an_object(shape: &dyn Shape) -> f64 {
    shape.area().sin()
}

#[gradient]
impl std::ops::Mul<f64> for Pair {
    type Output = Pair;

    #[cfg(target_os = "none")]
    fn mul(self, by: f64) -> Pair {
        Pair {
            x: self.x,
            z: self.z,
        }
    }

    #[cfg(not(target_os = "none"))]
    fn mul(self, by: f64) -> Pair {
        Pair {
            x: self.x * by,
            y: self.y * by,
        }
    }
}

#[gradient]
fn scaled(pair: Pair, by: f64) -> f64 {
    (pair * by).area() * by
}

const AT: &[&[f64]] = &[&[0.7, 1.5, -0.4], &[-2.0, 0.3, 1.1], &[1.0, 0.0, 2.0]];

#[test]
fn of_a_trait_of_numbers() {
    check(
        |p| of_a_number(p[0], p[1]),
        |p| of_a_number_grad(p[0], p[1]),
        &[&[0.7, 1.5], &[-2.0, 0.3], &[0.0, 0.0]],
    );
}

#[test]
fn of_own_types() {
    let pair = |p: &[f64]| Pair { x: p[0], y: p[1] };
    check(
        |p| through_the_trait(&pair(p), p[2]),
        |p| {
            let (value, (d, by)) = through_the_trait_grad(&pair(p), p[2]);
            (value, [d.x, d.y, by])
        },
        AT,
    );
    check(
        |p| scaled(pair(p), p[2]),
        |p| {
            let (value, (d, by)) = scaled_grad(pair(p), p[2]);
            (value, [d.x, d.y, by])
        },
        AT,
    );
    for p in AT {
        let pair = pair(p);
        let (value, slope) = of_an_object_grad(&pair);
        assert_eq!(value.to_bits(), of_an_object(&pair).to_bits());
        let outer = pair.area().cos();
        let by_hand = [outer * (pair.y * pair.y), outer * (2.0 * pair.x * pair.y)];
        for (found, exact) in slope.as_slice().iter().zip(by_hand) {
            assert!((found - exact).abs() < 1e-14, "{found} {exact}");
        }
    }
}
