//! Methods that an `impl` leaves to the trait, called on types that are known.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

/// Shapes of one size.
#[gradient]
trait Shape: std::fmt::Debug + Clone {
    const WEIGHT: f64;

    fn area(&self) -> f64;

    fn grow(&mut self, by: f64);

    /// A body that calls what it has not written.
    fn scaled(&self, k: f64) -> f64 {
        factor(k) * self.area() * Self::WEIGHT
    }

    fn grow_twice(&mut self, by: f64) {
        self.grow(by);
        self.grow(by * self.area());
    }

    /// With a loop, and an early return.
    #[inline]
    fn moment(&self, x: &[f64]) -> f64 {
        let mut sum = 0.0;
        for v in x {
            if *v > 10.0 {
                return sum;
            }
            sum += v * self.scaled(*v);
        }
        sum
    }

    fn sides(&self) -> usize {
        0
    }
}

/// What the bodies name stands beside both.
#[gradient]
fn factor(k: f64) -> f64 {
    k * k + 1.0
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Circle {
    r: f64,
}

/// In the trait's bodies, names of items are those of the trait.
impl Circle {
    const WEIGHT: f64 = 100.0;
}

#[gradient]
impl Shape for Circle {
    const WEIGHT: f64 = 2.0;

    fn area(&self) -> f64 {
        3.0 * self.r * self.r
    }

    fn grow(&mut self, by: f64) {
        self.r += by;
    }
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Polygon {
    lengths: Vec<f64>,
}

#[gradient]
impl Shape for Polygon {
    const WEIGHT: f64 = 0.5;

    fn area(&self) -> f64 {
        let mut sum = 0.0;
        for i in 1..self.lengths.len() {
            sum += self.lengths[i - 1] * self.lengths[i];
        }
        sum
    }

    fn grow(&mut self, by: f64) {
        for length in &mut self.lengths {
            *length *= 1.0 + by;
        }
    }

    fn sides(&self) -> usize {
        self.lengths.len()
    }
}

#[gradient]
fn on_a_value(x: &[f64]) -> f64 {
    Circle { r: x[0] }.scaled(x[1]) * x[0]
}

#[gradient]
fn on_references(circle: &Circle, mut polygon: Polygon, k: f64) -> f64 {
    polygon.grow_twice(0.1 * k);
    let moment = polygon.moment(&[k, circle.r, 2.0]);
    moment * circle.scaled(k) + circle.moment(&polygon.lengths)
}

#[gradient]
fn on_elements(circles: &[Circle], k: f64) -> f64 {
    let mut circles = circles.to_vec();
    let mut sum = 0.0;
    for circle in circles.iter_mut() {
        circle.grow_twice(k);
        sum += circle.scaled(k);
    }
    sum + circles.iter().map(|c| c.scaled(2.0)).sum::<f64>()
}

/// The same through the trait.
#[gradient]
fn through<S: Shape>(shape: &S, k: f64) -> f64 {
    shape.scaled(k)
}

#[gradient]
fn both_ways(x: &[f64]) -> f64 {
    let circle = Circle { r: x[0] };
    through(&circle, x[1]) - 3.0 * circle.scaled(x[1])
}

#[test]
fn on_types_that_are_known() {
    check(
        on_a_value,
        |p| {
            let (value, d) = on_a_value_grad(p);
            (value, d)
        },
        &[&[2.0, 0.5], &[-0.3, 1.5], &[0.0, 0.0]],
    );
    check(
        both_ways,
        |p| {
            let (value, d) = both_ways_grad(p);
            (value, d)
        },
        &[&[2.0, 0.5], &[-0.3, 1.5]],
    );
}

#[test]
fn on_references_to_them() {
    let at = |p: &[f64]| {
        let circle = Circle { r: p[0] };
        let polygon = Polygon {
            lengths: p[1..4].to_vec(),
        };
        (circle, polygon)
    };
    check(
        |p| {
            let (circle, polygon) = at(p);
            on_references(&circle, polygon, p[4])
        },
        |p| {
            let (circle, polygon) = at(p);
            let (value, (c, l, k)) = on_references_grad(&circle, polygon, p[4]);
            (value, [c.r, l.lengths[0], l.lengths[1], l.lengths[2], k])
        },
        &[&[1.5, 0.5, 1.1, -0.7, 0.3], &[0.2, 20.0, 1.0, 3.0, -0.4]],
    );
}

#[test]
fn on_elements_of_slices() {
    let circles = |p: &[f64]| p[1..].iter().map(|&r| Circle { r }).collect::<Vec<_>>();
    check(
        |p| on_elements(&circles(p), p[0]),
        |p| {
            let (value, (c, k)) = on_elements_grad(&circles(p), p[0]);
            (
                value,
                std::iter::once(k)
                    .chain(c.iter().map(|c| c.r))
                    .collect::<Vec<_>>(),
            )
        },
        &[&[0.5, 1.0, -0.2, 0.4], &[0.1, 2.0], &[0.7]],
    );
}

#[test]
fn users_have_their_gradients_too() {
    let circle = Circle { r: 2.0 };
    let (value, (dc, dk)) = circle.scaled_grad(0.5);
    assert_eq!(value, circle.scaled(0.5));
    assert_eq!((dc.r, dk), (1.25 * 2.0 * 12.0, 2.0 * 0.5 * 12.0 * 2.0));
}

/// What the trait's module names differently stays with the trait.
mod elsewhere {
    use super::{Circle, Shape};
    use retrograde::gradient;

    #[derive(Clone, Debug, retrograde::Differentiable, retrograde::Record)]
    pub struct Square {
        pub side: f64,
    }

    fn factor(_: f64) -> f64 {
        f64::NAN
    }

    #[gradient]
    impl Shape for Square {
        const WEIGHT: f64 = 1.0;

        fn area(&self) -> f64 {
            self.side * self.side
        }

        fn grow(&mut self, by: f64) {
            self.side += by;
        }
    }

    #[gradient]
    pub fn known(square: &Square, circle: &Circle, k: f64) -> f64 {
        super::through(square, k) + circle.scaled(k)
    }
}

#[test]
fn in_another_module_the_names_are_those_of_the_trait() {
    let at = |p: &[f64]| (elsewhere::Square { side: p[0] }, Circle { r: p[1] });
    check(
        |p| elsewhere::known(&at(p).0, &at(p).1, p[2]),
        |p| {
            let (value, (s, c, k)) = elsewhere::known_grad(&at(p).0, &at(p).1, p[2]);
            (value, [s.side, c.r, k])
        },
        &[&[1.5, 0.5, 1.1], &[0.2, 2.0, -1.0]],
    );
}
