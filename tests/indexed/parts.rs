//! Elements of fields, and of elements of fields, by an `Index` of their own types.

use std::ops::{Index, IndexMut};

use retrograde::{Differentiable, Flat, Record, gradient};

use crate::support::check;

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Matrix {
    cols: usize,
    data: Vec<f64>,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, col): (usize, usize)) -> &f64 {
        &self.data[row * self.cols + col]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, col): (usize, usize)) -> &mut f64 {
        &mut self.data[row * self.cols + col]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Point {
    x: f64,
    y: f64,
}

impl Index<usize> for Point {
    type Output = f64;

    fn index(&self, i: usize) -> &f64 {
        match i {
            0 => &self.x,
            1 => &self.y,
            _ => panic!("no part"),
        }
    }
}

impl IndexMut<usize> for Point {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        match i {
            0 => &mut self.x,
            1 => &mut self.y,
            _ => panic!("no part"),
        }
    }
}

/// Its `Index` leads elsewhere than its field of the same name.
#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Filter {
    gain: Matrix,
    state: Vec<f64>,
    points: Vec<Point>,
    pair: [Point; 2],
    inner: Inner,
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Inner {
    layers: Vec<Matrix>,
}

#[gradient]
impl Filter {
    fn trace(&self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.gain.cols {
            for j in 0..self.gain.cols {
                sum += self.gain[(i, j)] * self.state[i] * self.state[j].sin();
            }
        }
        sum
    }

    fn update(&mut self, by: f64) {
        let n = self.gain.cols;
        for i in 0..n {
            self.gain[(i, i)] += by * self.state[i];
            self.gain[(0, i)] *= self.gain[(i, 0)];
        }
        self.gain[(1, 0)] = (self.gain[(0, 1)] * by).sin();
        self.state[0] = self.gain[(1, 0)] - self.state[1];
        self.inner.layers[1][(0, 1)] -= by * self.gain[(1, 1)];
        self.pair[1].x *= self.pair[0].y;
    }

    fn deep(&self, k: usize) -> f64 {
        let gain = &self.gain;
        let mut copy = self.gain.clone();
        copy[(0, 0)] += gain[(1, 1)];
        self.inner.layers[k][(0, 1)] * self.inner.layers[0][(1, 1)] + copy[(0, 0)] * gain[(0, 1)]
    }
}

#[gradient]
fn all(f: &Filter, by: f64) -> f64 {
    let mut now = f.clone();
    now.update(by);
    now.update(f.gain[(0, 1)]);
    now.trace() + now.deep(1) * f.inner.layers[1][(0, 0)]
}

#[gradient]
fn parts(f: &Filter, others: &[Matrix], i: usize) -> f64 {
    let mut sum = f.pair[0][0] * f.pair[1][1];
    for k in 0..2 {
        sum += f.points[k][i] * f.points[1 - k][1].exp();
        sum += others[k][(i, k)] * f.gain[(k, i)];
    }
    sum
}

#[gradient]
fn changed(mut f: Filter, by: f64, i: usize) -> f64 {
    f.points[1][i] *= by;
    f.points[0][1] = f.points[1][i] + by;
    f.pair[i][0] += f.points[0][1];
    f.pair[0][i] = f.pair[1][0].sin() * f.pair[0][1];
    f.pair[0].x * f.pair[0].y + f.pair[1].x + f.points[0].y * f.points[1].x
}

/// Which of the two an index leads to, their values say.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Ordered {
    low: f64,
    high: f64,
}

impl Index<usize> for Ordered {
    type Output = f64;

    fn index(&self, k: usize) -> &f64 {
        if (self.low < self.high) == (k == 0) {
            &self.low
        } else {
            &self.high
        }
    }
}

impl IndexMut<usize> for Ordered {
    fn index_mut(&mut self, k: usize) -> &mut f64 {
        if (self.low < self.high) == (k == 0) {
            &mut self.low
        } else {
            &mut self.high
        }
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Held {
    inner: Ordered,
}

#[gradient]
fn exchanged(start: &Held, x: f64) -> f64 {
    let mut held = start.clone();
    held.inner[0] = x * x;
    held.inner[1] += held.inner[0] * x;
    held.inner[0] *= start.inner[1];
    held.inner.low * held.inner.high.sin() + held.inner[0]
}

#[test]
fn elements_that_values_choose() {
    let held = |p: &[f64]| Held {
        inner: Ordered {
            low: p[0],
            high: p[1],
        },
    };
    check(
        |p| exchanged(&held(p), p[2]),
        |p| {
            let (value, (d, x)) = exchanged_grad(&held(p), p[2]);
            (value, vec![d.inner.low, d.inner.high, x])
        },
        &[
            &[0.3, 0.7, 1.1],
            &[0.9, -0.2, 0.5],
            &[2.0, 1.0, 1.3],
            &[-1.0, 4.0, -0.8],
        ],
    );
}

fn filter() -> Filter {
    let matrix = |from: f64| Matrix {
        cols: 2,
        data: (0..4).map(|k| from + 0.3 * f64::from(k)).collect(),
    };
    Filter {
        gain: matrix(0.2),
        state: vec![0.4, -0.6],
        points: vec![Point { x: 0.1, y: 0.7 }, Point { x: -0.4, y: 0.3 }],
        pair: [Point { x: 1.1, y: -0.2 }, Point { x: 0.6, y: 0.9 }],
        inner: Inner {
            layers: vec![matrix(-0.5), matrix(0.8)],
        },
    }
}

fn with(numbers: &[f64]) -> Filter {
    let mut value = filter();
    value.set_flat(numbers);
    value
}

#[test]
fn elements_of_fields() {
    let start = filter().to_flat();
    let len = start.len();
    let point = |by: f64| {
        let numbers = start.iter().enumerate();
        let moved = numbers.map(|(k, x)| x + 0.3 * (by * k as f64).sin());
        moved.chain([0.7 * by]).collect::<Vec<f64>>()
    };
    let points = [point(0.0), point(1.0), point(-0.6)];
    let inputs: Vec<&[f64]> = points.iter().map(Vec::as_slice).collect();
    check(
        |p| all(&with(&p[..len]), p[len]),
        |p| {
            let (value, (d, by)) = all_grad(&with(&p[..len]), p[len]);
            (value, [d.to_flat(), vec![by]].concat())
        },
        &inputs,
    );
    let others = [filter().gain, filter().inner.layers[0].clone()];
    for i in 0..2 {
        check(
            |p| parts(&with(&p[..len]), &others, i),
            |p| {
                let (value, (d, _)) = parts_grad(&with(&p[..len]), &others, i);
                (value, [d.to_flat(), vec![0.0]].concat())
            },
            &inputs,
        );
        check(
            |p| changed(with(&p[..len]), p[len], i),
            |p| {
                let (value, (d, by)) = changed_grad(with(&p[..len]), p[len], i);
                (value, [d.to_flat(), vec![by]].concat())
            },
            &inputs,
        );
    }
}
