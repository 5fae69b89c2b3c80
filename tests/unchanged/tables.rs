//! Tables of constants that are not `Copy`, statics, and methods of constants.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

struct Row {
    i: i32,
    n: f64,
}

const ROWS: [Row; 2] = [Row { i: 1, n: 0.14 }, Row { i: 2, n: -3.75 }];
static FIXED: [Row; 3] = [
    Row { i: 1, n: 0.5 },
    Row { i: 3, n: -0.25 },
    Row { i: 2, n: 1.5 },
];
const SLICE: &[Row] = &[Row { i: 2, n: 1.25 }];
const NUMBERS: [[f64; 2]; 2] = [[0.5, 2.0], [-1.0, 0.25]];

#[gradient]
fn by_index(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..ROWS.len() {
        let c = &ROWS[k];
        let row = &NUMBERS[k];
        let first = NUMBERS[k][0];
        sum += c.n * x[0].powi(c.i) + row[1] * x[1] * first;
    }
    sum
}

#[gradient]
fn by_static(x: &[f64]) -> f64 {
    let mut sum: f64 = FIXED.iter().map(|c| c.n * x[0].powi(c.i)).sum();
    for (k, c) in FIXED.iter().enumerate() {
        sum += c.n * x[1] * k as f64;
    }
    let last = &FIXED[FIXED.len() - 1];
    let exponent = FIXED[1].i;
    sum * last.n + x[1].powi(exponent) + SLICE.iter().map(|c| c.n * x[1].powi(c.i)).sum::<f64>()
}

#[test]
fn parts_are_not_moved() {
    let inputs: &[&[f64]] = &[&[0.7, -1.3], &[2.0, 0.4], &[-1.1, 3.0]];
    check(by_index, by_index_grad, inputs);
    check(by_static, by_static_grad, inputs);
}

#[derive(Debug, Clone, Copy, Differentiable, Record)]
struct Ellipsoid {
    a: f64,
    f: f64,
}

const WGS84: Ellipsoid = Ellipsoid {
    a: 6.378137,
    f: 1.0 / 298.257223563,
};
const BOTH: [Ellipsoid; 2] = [WGS84, Ellipsoid { a: 2.0, f: 0.1 }];

#[gradient]
impl Ellipsoid {
    fn radius(&self, lat: f64) -> f64 {
        self.a / (1.0 - self.f * (2.0 - self.f) * lat.sin().powi(2)).sqrt()
    }

    fn is_flat(&self, than: f64) -> bool {
        self.f > than
    }
}

#[gradient]
fn of_constants(x: &[f64]) -> f64 {
    let mut sum = WGS84.radius(x[0]) * x[1];
    for k in 0..BOTH.len() {
        sum += BOTH[k].radius(x[1]);
    }
    let e = &WGS84;
    if WGS84.is_flat(x[0]) {
        sum += e.radius(x[0] * x[1]);
    }
    sum
}

#[test]
fn methods_of_constants() {
    check(
        of_constants,
        of_constants_grad,
        &[&[0.7, -1.3], &[2.0, 0.4], &[-1.1, 1.0]],
    );
}

#[gradient]
fn of_its_own_rows(x: &[f64]) -> f64 {
    struct Term(i8, f64);
    #[derive(Clone, Copy)]
    struct Row {
        k: i32,
        c: f64,
    }
    #[derive(Clone, Copy, PartialEq)]
    enum Way {
        Up,
        Down,
    }
    const ROWS: [Row; 2] = [Row { k: 1, c: 2.0 }, Row { k: 3, c: 0.5 }];
    let terms = [Term(1, 2.0), Term(2, 3.0)];
    let mut sum = 0.0;
    for x_of in terms.iter() {
        sum += x_of.1 * (x[0] * x_of.0 as f64).sin();
    }
    for r in &ROWS {
        sum += r.c * x[1].powi(r.k);
    }
    let mut way = Way::Up;
    for i in 0..4 {
        way = if i % 3 == 0 { Way::Up } else { Way::Down };
        sum = match way {
            Way::Up => sum * x[0],
            Way::Down => sum.sin() + x[1],
        };
    }
    sum
}

/// A value of such a type with a derivative, of which fields alone are used.
#[gradient]
fn a_point(x: &[f64]) -> f64 {
    struct Point {
        x: f64,
        y: f64,
    }
    let mut p = Point {
        x: x[0],
        y: x[0] * x[1],
    };
    for i in 0..3 {
        p.x += p.y * i as f64;
        p.y *= p.x;
    }
    p.x * p.y
}

#[test]
fn types_in_the_body() {
    let inputs: &[&[f64]] = &[&[0.7, -1.3], &[0.3, 0.4], &[-1.1, 0.6]];
    check(of_its_own_rows, of_its_own_rows_grad, inputs);
    check(a_point, a_point_grad, inputs);
}
