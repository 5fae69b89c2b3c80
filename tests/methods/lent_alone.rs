//! Functions and methods with the attribute of their own that lend a part of what they are given.

use retrograde::{Differentiable, Record, Tape, gradient};

use crate::support::{assert_close, check};

mod units {
    pub(super) type Value = f64;
}
use units::Value;

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Signal {
    values: [Value; 4],
    len: usize,
    points: Vec<Point>,
}

impl Signal {
    #[gradient]
    fn values(&self) -> &[Value] {
        let len = self.len;
        &self.values[..len]
    }

    #[gradient]
    fn point(&self, i: usize) -> &Point {
        &self.points[i]
    }
}

/// Without the zeros in front.
#[gradient]
fn trimmed(values: &[f64]) -> &[f64] {
    let is_there = |x: &f64| *x != 0.0;
    let begin = values.iter().position(is_there).unwrap_or(0);
    let end = values
        .iter()
        .rposition(is_there)
        .unwrap_or(values.len() - 1)
        + 1;
    &values[begin..end]
}

#[gradient]
fn longer<'a>(a: &'a [f64], b: &'a [f64]) -> &'a [f64] {
    if a.len() > b.len() { a } else { &b[1..] }
}

#[gradient]
fn last(x: &[f64]) -> &f64 {
    &x[x.len() - 1]
}

#[gradient]
fn corner(points: &[Point], i: usize) -> &Point {
    &points[i]
}

#[test]
fn the_adjoint_of_what_is_lent() {
    let mut tape = Tape::new();
    let x = [0.0, 2.0, 0.0, -3.0, 0.0];
    let mut dx = vec![1.0; 5];
    let lent = trimmed_adjoint(&mut tape, &x, &mut dx, vec![10.0, 20.0, 30.0]);
    assert_eq!(lent, trimmed(&x));
    assert_eq!(dx, [1.0, 11.0, 21.0, 31.0, 1.0]);
    assert_eq!(last_grad(&x), (0.0, vec![0.0, 0.0, 0.0, 0.0, 1.0]));

    let signal = Signal {
        values: [1.0, 2.0, 3.0, 4.0],
        len: 2,
        points: vec![Point { x: 5.0, y: 6.0 }; 2],
    };
    let mut bar = signal.zero_tangent();
    let lent = signal.values_adjoint(&mut tape, &mut bar, vec![7.0, 8.0]);
    assert_eq!(lent, signal.values());
    let seed = PointTangent { x: 1.5, y: -2.0 };
    let point = signal.point_adjoint(&mut tape, &mut bar, 1, seed);
    assert_eq!(point, *signal.point(1));
    assert_eq!(bar.values, [7.0, 8.0, 0.0, 0.0]);
    assert_eq!((bar.points[1].x, bar.points[1].y), (1.5, -2.0));
    assert_eq!((bar.points[0].x, bar.points[0].y), (0.0, 0.0));
}

/// Called where a derivative counts, the same twice, in loops, and where the argument changes later.
#[gradient]
fn shape(x: &[f64]) -> f64 {
    let mut signal = Signal {
        values: [x[0], x[1], x[0] * x[1], 1.0],
        len: 3,
        points: vec![
            Point { x: x[0], y: x[1] },
            Point {
                x: x[1] * x[1],
                y: x[0],
            },
        ],
    };
    let mut sum = 0.0;
    for k in 0..2 {
        let values = signal.values();
        sum += values[k] * values[k + 1] * *last(x);
        sum += signal.point(k).x * signal.point(1 - k).y;
        let before = corner(&signal.points, k).y;
        signal.values[k] *= 2.0;
        signal.points[k].y = before * sum;
    }
    sum + signal.values().iter().sum::<f64>() * signal.points[1].y
}

#[gradient]
fn both(x: &[f64]) -> f64 {
    let (a, b) = x.split_at(2);
    let long = longer(a, b);
    let again = longer(b, a);
    long[0] * again[again.len() - 1] + trimmed(x).iter().map(|v| v * v * v).sum::<f64>()
}

#[test]
fn what_is_lent_is_used() {
    check(
        shape,
        shape_grad,
        &[&[0.7, -1.3], &[1.5, 0.4], &[-0.6, 0.9]],
    );
    let inputs: [&[f64]; 3] = [
        &[0.7, -1.3, 0.4, 2.0],
        &[0.0, 0.5, 1.5],
        &[0.0, 0.0, 1.1, 0.0, 0.0, 0.6, 0.0],
    ];
    check(both, both_grad, &inputs[..2]);
    let (value, dx) = both_grad(inputs[2]);
    assert_eq!(value.to_bits(), both(inputs[2]).to_bits());
    // The zeros at the ends are not among those that are lent.
    let x = inputs[2];
    let cubes = [
        0.0,
        0.0,
        3.0 * x[2] * x[2],
        0.0,
        0.0,
        3.0 * x[5] * x[5],
        0.0,
    ];
    let mut want = cubes;
    want[3] += x[6];
    want[6] += x[3];
    assert_close(&dx, &want, 1e-15, x);
}
