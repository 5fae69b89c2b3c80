//! Receivers that are references, where a trait has methods of the same names: Rust tries those of the reference first.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check_exact;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Point {
    x: f64,
}

#[gradient]
impl Point {
    fn size(&self, by: f64) -> f64 {
        self.x * by
    }

    fn dot(self, other: Point) -> f64 {
        self.x * other.x
    }

    fn grow(&mut self, by: f64) -> f64 {
        self.x *= by;
        self.x
    }

    fn share(&self, by: f64) -> f64 {
        self.x / by
    }

    fn mixed(self, by: f64) -> f64 {
        self.x + by
    }
}

/// Its methods come behind those of the type where these are called below.
trait Others {
    fn size(&self, _: f64) -> f64 {
        -1.0
    }
    fn dot(&mut self, _: Point) -> f64 {
        -1.0
    }
    fn grow(&mut self, _: f64) -> f64 {
        -1.0
    }
    fn share(&mut self, _: f64) -> f64 {
        -1.0
    }
    fn mixed(&self, _: f64) -> f64 {
        -1.0
    }
}

/// Everything has them, references too.
impl<T> Others for T {}

#[gradient]
fn of_references(points: &[Point], one: &Point) -> f64 {
    let mut sum = one.size(2.0);
    for point in points {
        sum += point.size(3.0) * (*point).dot(*one) + (*point).mixed(1.0) + point.share(2.0);
    }
    sum + points.iter().map(|p| p.size(sum)).sum::<f64>()
}

#[gradient]
fn of_values(x: f64, y: f64) -> f64 {
    let mut point = Point { x };
    let all = [point, Point { x: y }];
    let grown = point.grow(y);
    point.size(grown) + all[1].dot(point) + all[0].mixed(y) + all[1].share(x)
}

#[gradient]
fn written(x: f64, y: f64) -> f64 {
    let mut points = [Point { x }, Point { x: y }];
    let mut sum = 0.0;
    for point in points.iter_mut() {
        sum += point.grow(x) * (*point).share(y) + (*point).dot(*point);
    }
    sum
}

#[test]
fn the_types_own_methods_come_first() {
    check_exact(
        |p| of_references(&[Point { x: p[0] }, Point { x: p[1] }], &Point { x: p[2] }),
        |p| {
            let points = [Point { x: p[0] }, Point { x: p[1] }];
            let (value, (points, one)) = of_references_grad(&points, &Point { x: p[2] });
            (value, [points[0].x, points[1].x, one.x])
        },
        |p| {
            let (a, b, c) = (p[0], p[1], p[2]);
            let sum = 2.0 * c + 3.0 * c * (a * a + b * b) + a + 1.0 + b + 1.0 + a / 2.0 + b / 2.0;
            let all = 1.0 + a + b;
            vec![
                (6.0 * c * a + 1.5) * all + sum,
                (6.0 * c * b + 1.5) * all + sum,
                (2.0 + 3.0 * (a * a + b * b)) * all,
            ]
        },
        &[&[1.5, 2.0, 0.5], &[-0.5, 4.0, 1.25]],
    );
    check_exact(
        |p| of_values(p[0], p[1]),
        |p| {
            let (value, (x, y)) = of_values_grad(p[0], p[1]);
            (value, [x, y])
        },
        |p| {
            let (x, y) = (p[0], p[1]);
            vec![
                2.0 * x * y * y + y * y + 1.0 - y / (x * x),
                2.0 * x * x * y + 2.0 * x * y + 1.0 + 1.0 / x,
            ]
        },
        &[&[1.5, 2.0], &[-0.5, 4.0]],
    );
    check_exact(
        |p| written(p[0], p[1]),
        |p| {
            let (value, (x, y)) = written_grad(p[0], p[1]);
            (value, [x, y])
        },
        |p| {
            let (x, y) = (p[0], p[1]);
            // x⁴ / y + x⁴ + x² y + x² y²
            vec![
                4.0 * x.powi(3) / y + 4.0 * x.powi(3) + 2.0 * x * y + 2.0 * x * y * y,
                -x.powi(4) / (y * y) + x * x + 2.0 * x * x * y,
            ]
        },
        &[&[1.5, 2.0], &[-0.5, 4.0]],
    );
}
