//! `From` and `Into`: several for one type, from and to types of others, in arguments.

use num_traits::Float;
use retrograde::{Differentiable, Record, gradient};

use crate::support::{check, check_exact};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Point {
    x: f64,
    y: f64,
}

#[gradient]
impl Point {
    const ORIGIN: Point = Point::new(0.0, 0.0);

    const fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }

    fn distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

#[gradient]
impl From<(f64, f64)> for Point {
    fn from(pair: (f64, f64)) -> Self {
        Point::new(pair.0 * pair.1, pair.1)
    }
}

#[gradient]
impl From<[f64; 2]> for Point {
    fn from([x, y]: [f64; 2]) -> Point {
        Point { x: x.sin(), y }
    }
}

#[gradient]
impl std::convert::From<&[f64]> for Point {
    fn from(all: &[f64]) -> Self {
        Point {
            x: all[0],
            y: all.iter().sum(),
        }
    }
}

#[gradient]
impl<'a> From<&'a Line> for Point {
    fn from(line: &'a Line) -> Self {
        Point {
            x: line.from.x * line.to.x,
            y: line.to.y,
        }
    }
}

#[gradient]
impl From<Point> for (f64, f64) {
    fn from(p: Point) -> (f64, f64) {
        (p.y, p.x * p.x)
    }
}

#[gradient]
impl From<Point> for [f64; 2] {
    fn from(p: Point) -> Self {
        [p.x, 3.0 * p.y]
    }
}

/// Neither has a derivative.
#[gradient]
impl From<usize> for Point {
    fn from(n: usize) -> Point {
        Point::new(n as f64, 1.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Line {
    from: Point,
    to: Point,
}

#[gradient]
impl Line {
    fn new(from: impl Into<Point>, to: impl Into<Point>) -> Self {
        Line {
            from: from.into(),
            to: to.into(),
        }
    }

    fn length(&self) -> f64 {
        self.from.distance(self.to) + Point::ORIGIN.distance(self.from)
    }

    fn scaled<P: Into<Point> + Copy>(&self, by: P, times: impl Into<f64>) -> f64 {
        let p: Point = by.into();
        let q = by.into();
        let times = times.into();
        p.distance(self.to) * q.x * times
    }
}

/// Its own function of the name counts, not that of the trait.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Own(f64);

#[gradient]
impl Own {
    fn from(x: f64) -> Own {
        Own(x * x)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Pair<T> {
    a: T,
    b: T,
}

#[gradient]
impl<T: Float> From<(T, T)> for Pair<T> {
    fn from((a, b): (T, T)) -> Self {
        Pair { a: a * b, b }
    }
}

#[gradient]
impl<T: Float> Pair<T> {
    fn with(a: impl Into<T>, b: impl Into<T>) -> Self {
        Pair {
            a: a.into(),
            b: b.into(),
        }
    }

    fn both(&self) -> T {
        self.a * self.b
    }
}

#[gradient]
fn of_pairs(x: f64, y: f64) -> f64 {
    let p = Point::from((x, y));
    let q: Point = [x, y].into();
    let r: Point = (y, x * x).into();
    p.distance(q) * r.x + Own::from(x).0
}

#[gradient]
fn to_pairs(p: Point) -> f64 {
    let (a, b): (f64, f64) = p.into();
    let [c, d]: [f64; 2] = p.into();
    a * b + c * d
}

#[gradient]
fn of_borrowed(x: &[f64], line: &Line) -> f64 {
    let p = Point::from(x);
    let q = Point::from(line);
    p.x * q.x + p.y * q.y
}

/// What a function returns, on all paths.
#[gradient]
fn returned(x: f64, y: f64) -> Point {
    if x > 2.0 {
        return (y, x).into();
    }
    match y > 0.0 {
        true => (x, x + y).into(),
        false => {
            let z = x * y;
            [z, x].into()
        }
    }
}

#[gradient]
fn of_arguments(a: f64, b: f64) -> f64 {
    let line = Line::new((a, b), Point::new(1.0, a));
    let other = Line::new([b, a], (b * b, a));
    line.length() * other.length() + line.scaled((b, a), a) + line.scaled(other.to, 2_u8)
}

#[gradient]
fn free(at: impl Into<Point>, by: impl Into<f64>) -> f64 {
    at.into().distance(Point::ORIGIN) * by.into()
}

#[gradient]
fn calls_free(a: f64, b: f32) -> f64 {
    free((a, 2.0), b) + free(Point::new(a, a), 3_i32)
}

#[gradient]
fn of_generic(x: f64, y: f64) -> f64 {
    let p = Pair::from((x, y));
    let q: Pair<f64> = (y, x).into();
    p.both() + q.both() * Pair::<f64>::with(x, y).both()
}

#[gradient]
fn constant(x: f64, n: usize) -> f64 {
    let p = Point::from(n);
    p.x * x + p.y
}

const POINTS: &[&[f64]] = &[&[1.5, 0.7], &[-0.5, 2.0], &[3.0, -1.0], &[0.3, -0.4]];

#[test]
fn several_for_one_type() {
    check(
        |p| of_pairs(p[0], p[1]),
        |p| of_pairs_grad(p[0], p[1]),
        POINTS,
    );
    check(
        |p| to_pairs(Point::new(p[0], p[1])),
        |p| {
            let (value, d) = to_pairs_grad(Point::new(p[0], p[1]));
            (value, [d.x, d.y])
        },
        POINTS,
    );
    check_exact(
        |p| constant(p[0], 3),
        |p| constant_grad(p[0], 3),
        |_| vec![3.0],
        &[&[1.5], &[2.0]],
    );
}

#[test]
fn of_what_is_borrowed() {
    let line = |p: &[f64]| Line {
        from: Point::new(p[0], p[1]),
        to: Point::new(p[2], p[3]),
    };
    check(
        |p| of_borrowed(&p[..3], &line(&p[3..])),
        |p| {
            let (value, (x, d)) = of_borrowed_grad(&p[..3], &line(&p[3..]));
            (value, (x, [d.from.x, d.from.y, d.to.x, d.to.y]))
        },
        &[
            &[1.0, 2.0, 3.0, 0.5, 0.25, -1.0, 2.0],
            &[0.1, -0.2, 0.3, 1.5, 2.5, 3.5, -4.5],
        ],
    );
}

#[test]
fn in_results() {
    for k in 0..2 {
        let seed = [
            PointTangent { x: 1.0, y: 0.0 },
            PointTangent { x: 0.0, y: 1.0 },
        ];
        check(
            |p| {
                let r = returned(p[0], p[1]);
                [r.x, r.y][k]
            },
            |p| {
                let (mut dx, mut dy) = (0.0, 0.0);
                let tape = &mut retrograde::Tape::new();
                let r = returned_adjoint(tape, p[0], &mut dx, p[1], &mut dy, seed[k].clone());
                ([r.x, r.y][k], [dx, dy])
            },
            POINTS,
        );
    }
}

#[test]
fn in_arguments() {
    check(
        |p| of_arguments(p[0], p[1]),
        |p| of_arguments_grad(p[0], p[1]),
        POINTS,
    );
    let (value, (da, db)) = calls_free_grad(1.5, 0.5);
    assert_eq!(value, calls_free(1.5, 0.5));
    let length = 3.0_f64.hypot(2.0);
    assert!((da - (0.5 * 3.0 / length * 2.0 + 3.0 * 2.0_f64.sqrt())).abs() < 1e-14);
    assert_eq!(db, length as f32);
    let (value, (d, by)) = free_grad((1.5, 2.0), 2.0);
    assert_eq!((value, by), (2.0 * length, length));
    assert!((d.0 - 2.0 * 3.0 / length * 2.0).abs() < 1e-14);
    check(
        |p| of_generic(p[0], p[1]),
        |p| of_generic_grad(p[0], p[1]),
        POINTS,
    );
}

/// What functions of floats take, arguments may become by `into`.
#[gradient]
fn of_float_functions(x: f64, y: f32, n: u32) -> f64 {
    let mut sum = 0.0;
    for t in 1..=n {
        sum += x / f64::powf(1.5 + x, t.into()) + f64::max(y.into(), x);
    }
    sum * f64::powf((2.0 + x * 0.5).into(), n.into()) + f64::atan2(y.into(), 2_u8.into())
}

#[test]
fn in_arguments_of_float_functions() {
    check(
        |p| of_float_functions(p[0], 0.75, 3),
        |p| {
            let (value, (dx, _)) = of_float_functions_grad(p[0], 0.75, 3);
            (value, dx)
        },
        &[&[0.5], &[1.25], &[-0.25]],
    );
    // Where `y` is the larger one, it counts three times with the power, and in the angle.
    let (_, (_, dy)) = of_float_functions_grad(0.5, 0.75, 3);
    let want = 3.0 * 2.25_f64.powi(3) + 2.0 / (4.0 + 0.75 * 0.75);
    assert!((f64::from(dy) - want).abs() < 1e-5, "{dy} {want}");
}
