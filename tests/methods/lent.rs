//! Methods that lend a part of the value, called wherever values are.

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
struct Point {
    x: f64,
    y: f64,
}

#[gradient]
impl Point {
    fn dot(&self, other: &Point) -> f64 {
        self.x * other.x + self.y * other.y
    }

    fn axis(&self, i: usize) -> &f64 {
        match i {
            0 => &self.x,
            1 => &self.y,
            _ => panic!("no axis {i}"),
        }
    }
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Path {
    name: String,
    points: Vec<Point>,
    weights: Vec<f64>,
    cells: [f64; 4],
    columns: usize,
}

#[gradient]
impl Path {
    fn name(&self) -> &String {
        &self.name
    }

    fn start(&self) -> &Point {
        &self.points[0]
    }

    fn position(&self, i: usize) -> &Point {
        &self.points[i]
    }

    fn points(&self) -> &[Point] {
        &self.points
    }

    fn weights(&self) -> &[f64] {
        &self.weights
    }

    fn row(&self, r: usize) -> &[f64] {
        let from = r * self.columns;
        &self.cells[from..from + self.columns]
    }

    fn larger(&self) -> &f64 {
        if self.weights[0] > self.weights[1] {
            &self.weights[0]
        } else {
            &self.weights[1]
        }
    }

    /// Changes what was lent before.
    fn doubled(&mut self) -> f64 {
        let before = *self.larger();
        self.weights[0] *= 2.0;
        self.weights[1] *= 2.0;
        before * *self.larger() + self.position(1).x
    }
}

fn path() -> Path {
    Path {
        name: "p".to_owned(),
        points: vec![Point { x: 1.5, y: -0.5 }, Point { x: 0.75, y: 2.0 }],
        weights: vec![0.5, 1.25],
        cells: [1.0, 2.0, 3.0, 4.0],
        columns: 2,
    }
}

#[gradient]
fn norm(p: &Point) -> f64 {
    p.x.hypot(p.y)
}

#[gradient]
fn energy(w: &[f64]) -> f64 {
    w.iter().map(|w| w * w).sum()
}

#[test]
fn fields_of_what_is_lent() {
    #[gradient]
    fn area(path: &Path) -> f64 {
        path.start().x * path.position(1).y - path.position(1).x * path.start().y
    }
    let path = path();
    let (value, d) = area_grad(&path);
    assert_eq!(value, area(&path));
    assert_eq!(
        d.points,
        [Point { x: 2.0, y: -0.75 }, Point { x: 0.5, y: 1.5 }]
    );
}

#[test]
fn what_is_lent_is_passed_on() {
    #[gradient]
    fn passed(path: &Path) -> f64 {
        let start = path.start();
        norm(start)
            + energy(path.weights())
            + start.dot(path.position(1))
            + norm(&*path.position(1))
    }
    let path = path();
    let (value, d) = passed_grad(&path);
    assert_eq!(value, passed(&path));
    let (r, s) = (1.5_f64.hypot(-0.5), 0.75_f64.hypot(2.0));
    assert_eq!(d.weights, [1.0, 2.5]);
    assert_eq!(
        d.points[0],
        Point {
            x: 1.5 / r + 0.75,
            y: -0.5 / r + 2.0
        }
    );
    assert_eq!(
        d.points[1],
        Point {
            x: 0.75 / s + 1.5,
            y: 2.0 / s - 0.5
        }
    );
}

#[test]
fn numbers_chosen_by_an_index() {
    #[gradient]
    fn product(p: &Point, first: usize) -> f64 {
        let mut product = 1.0;
        for i in 0..2 {
            product *= p.axis((first + i) % 2).sin() + 2.0 * p.axis(0);
        }
        if p.axis(first) > &1.0 {
            product * *p.axis(first)
        } else {
            product
        }
    }
    let p = Point { x: 1.5, y: -0.5 };
    let (sx, cx, sy, cy) = (
        1.5_f64.sin(),
        1.5_f64.cos(),
        (-0.5_f64).sin(),
        (-0.5_f64).cos(),
    );
    let (a, b) = (sx + 3.0, sy + 3.0);
    let dx = (cx + 2.0) * b + a * 2.0;
    for first in [0, 1] {
        let (value, d) = product_grad(&p, first);
        assert_eq!(value, product(&p, first));
        let (dx, dy) = if first == 0 {
            (dx * 1.5 + a * b, a * cy * 1.5)
        } else {
            (dx, a * cy)
        };
        assert!((d.x - dx).abs() < 1e-14 * dx.abs(), "{} {dx}", d.x);
        assert!((d.y - dy).abs() < 1e-14 * dy.abs(), "{} {dy}", d.y);
    }
}

#[test]
#[should_panic(expected = "no axis 2")]
fn panics_are_those_of_the_method() {
    #[gradient]
    fn beyond(p: &Point) -> f64 {
        *p.axis(2) * p.x
    }
    beyond_grad(&Point { x: 1.0, y: 2.0 });
}

#[test]
fn slices_of_numbers_and_of_structs() {
    #[gradient]
    fn rows(path: &Path) -> f64 {
        let mut sum = 0.0;
        for (i, v) in path.row(1).iter().enumerate() {
            sum += v * path.row(0)[i];
        }
        for p in path.points() {
            sum += p.x * p.y * path.weights()[0];
        }
        sum * path.points().len() as f64 * path.name().len() as f64
    }
    let path = path();
    let (value, d) = rows_grad(&path);
    assert_eq!(value, rows(&path));
    assert_eq!(d.cells, [6.0, 8.0, 2.0, 4.0]);
    assert_eq!(d.weights, [2.0 * (1.5 * -0.5 + 0.75 * 2.0), 0.0]);
    assert_eq!(
        d.points,
        [Point { x: -0.5, y: 1.5 }, Point { x: 2.0, y: 0.75 }]
    );
}

#[test]
fn a_copy_is_of_the_time_of_the_call() {
    let mut tape = retrograde::Tape::new();
    let (mut it, mut d) = (path(), path().zero_tangent());
    let value = it.doubled_adjoint(&mut tape, &mut d, 1.0);
    assert_eq!(value, path().doubled());
    // larger * (2 * larger) + x
    assert_eq!(value, 2.0 * 1.25 * 1.25 + 0.75);
    assert_eq!(d.weights, [0.0, 4.0 * 1.25]);
    assert_eq!(d.points[1].x, 1.0);
}

#[test]
fn on_the_way_through_a_loop_that_changes_it() {
    #[gradient]
    fn shifted(path: &Path, by: f64) -> f64 {
        let mut path = path.clone();
        let mut sum = 0.0;
        for i in 0..2 {
            sum += path.start().x * path.larger();
            let moved = by * path.position(i).y;
            path.points[0].x += moved;
        }
        sum
    }
    let path = path();
    let (value, (d, by)) = shifted_grad(&path, 0.25);
    assert_eq!(value, shifted(&path, 0.25));
    // w x + w (x + by y)
    assert_eq!(
        d.points[0],
        Point {
            x: 2.0 * 1.25,
            y: 1.25 * 0.25
        }
    );
    assert_eq!(d.weights, [0.0, 2.0 * 1.5 + 0.25 * -0.5]);
    assert_eq!(by, 1.25 * -0.5);
}

/// Of what is lent the length alone counts, while the lender changes.
#[test]
fn lengths_of_what_is_lent() {
    #[gradient]
    fn weighed(path: &Path, by: f64) -> f64 {
        let mut path = path.clone();
        let mut sum = 0.0;
        for i in 0..2 {
            sum += by * path.weights().len() as f64 * path.weights[i];
            path.points[i].x = sum * path.points().len() as f64;
        }
        sum * path.points[0].x + path.row(1).len() as f64
    }
    let path = path();
    let (value, (d, by)) = weighed_grad(&path, 0.25);
    assert_eq!(value, weighed(&path, 0.25));
    // 2 (2 b v) (2 b (v + w)) + 2
    let [v, w] = [path.weights[0], path.weights[1]];
    let slope = [8.0 * 0.0625 * (2.0 * v + w), 8.0 * 0.0625 * v];
    assert!(
        d.weights
            .iter()
            .zip(slope)
            .all(|(d, s)| (d - s).abs() < 1e-12)
    );
    assert!((by - 16.0 * 0.25 * v * (v + w)).abs() < 1e-12);
}
