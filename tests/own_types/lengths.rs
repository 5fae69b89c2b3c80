//! Structs with arrays whose lengths are parameters: rows are swapped, mapped and walked as those of any array.

use std::array;
use std::ops::{Add, Mul, Sub};

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

const AT: &[&[f64]] = &[
    &[1.0, 0.2, -0.3, 0.4, 1.5, 0.7, 1.3],
    &[-0.6, 2.0, 0.5, 0.9, -1.1, 0.3, 0.8],
];

#[derive(Debug, Clone, Copy, PartialEq, Differentiable, Record)]
struct Matrix<const R: usize, const C: usize> {
    data: [[f64; C]; R],
}

#[gradient]
impl<const R: usize, const C: usize> Matrix<R, C> {
    fn zeros() -> Self {
        Self {
            data: [[0.0; C]; R],
        }
    }

    fn scaled(&self, k: f64) -> Self {
        Self {
            data: self.data.map(|row| row.map(|v| v * k)),
        }
    }

    fn rotated(mut self) -> Self {
        for r in 1..R {
            self.data.swap(r - 1, r);
        }
        self
    }

    fn transpose(&self) -> Matrix<C, R> {
        Matrix {
            data: array::from_fn(|j| array::from_fn(|i| self.data[i][j])),
        }
    }

    /// Both have the name of the type, and lengths of their own.
    fn weighted<const K: usize>(&self, o: &Matrix<C, K>, p: &Matrix<K, R>) -> f64 {
        let mut sum = 0.0;
        for (n, row) in self.data.iter().enumerate() {
            sum += row.iter().sum::<f64>() * (n + 1) as f64;
        }
        for (n, row) in o.data.iter().enumerate() {
            sum += row.iter().product::<f64>() / (n + 1) as f64;
        }
        for row in p.data {
            for (m, v) in row.iter().enumerate() {
                sum += v * v * m as f64;
            }
        }
        sum
    }

    /// A variable of another shape than `Self`.
    fn turned(&self) -> f64 {
        let t: Matrix<C, R> = self.transpose();
        let mut sum = 0.0;
        for (n, row) in t.data.iter().enumerate() {
            for v in row {
                sum += v.sin() * (n + 2) as f64;
            }
        }
        sum
    }
}

#[gradient]
impl<const R: usize, const C: usize> Add for Matrix<R, C> {
    type Output = Self;
    fn add(mut self, o: Self) -> Self {
        let rows = self.data.iter_mut().zip(o.data.iter());
        rows.for_each(|(a, b)| a.iter_mut().zip(b.iter()).for_each(|(x, y)| *x += *y));
        self
    }
}

#[gradient]
impl<const R: usize, const C: usize> Sub for Matrix<R, C> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        let mut m = self;
        for (r, s) in m.data.iter_mut().zip(o.data) {
            for (x, y) in r.iter_mut().zip(s) {
                *x -= y;
            }
        }
        m
    }
}

#[gradient]
impl<const R: usize, const K: usize, const C: usize> Mul<Matrix<K, C>> for Matrix<R, K> {
    type Output = Matrix<R, C>;
    fn mul(self, o: Matrix<K, C>) -> Matrix<R, C> {
        let mut out = Matrix::zeros();
        for (i, row) in self.data.iter().enumerate() {
            for (k, a) in row.iter().enumerate() {
                for (j, b) in o.data[k].iter().enumerate() {
                    out.data[i][j] += a * b;
                }
            }
        }
        out
    }
}

#[gradient]
fn of_shapes(data: [[f64; 3]; 2], k: f64) -> f64 {
    let m = Matrix { data };
    let square = m.rotated() * m.transpose()
        - Matrix {
            data: [[k, 1.0], [0.5, 2.0]],
        };
    let sum = square + square.scaled(k);
    m.weighted(&m.transpose(), &square) + m.turned() * sum.turned()
}

fn rows(p: &[f64]) -> [[f64; 3]; 2] {
    [[p[0], p[1], p[2]], [p[3], p[4], p[5]]]
}

#[test]
fn lengths_are_those_of_each_value() {
    check(
        |p| of_shapes(rows(p), p[6]),
        |p| of_shapes_grad(rows(p), p[6]),
        AT,
    );
}

#[derive(Debug, Clone, Copy, Differentiable, Record)]
struct State<const N: usize>([f64; N]);

#[gradient]
impl<const N: usize> State<N> {
    fn doubled(&self) -> Self {
        Self(array::from_fn(|i| 2.0 * self.0[i]))
    }

    fn along<const M: usize>(&self, o: &State<M>) -> State<M> {
        State(array::from_fn(|i| o.0[i] * self.0[0] + i as f64))
    }
}

#[gradient]
fn of_states(p: [f64; 4]) -> f64 {
    let s = State([p[0], p[1]]);
    let t: State<3> = State(array::from_fn(|i| p[i] * p[i + 1]));
    let u = s.doubled().along(&t);
    u.0[0] * u.0[1] + u.0[2] * s.0[1]
}

#[test]
fn arrays_made_for_a_field_have_its_length() {
    let of = |p: &[f64]| [p[0], p[1], p[2], p[3]];
    check(
        |p| of_states(of(p)),
        |p| of_states_grad(of(p)),
        &[&AT[0][..4], &AT[1][..4]],
    );
}
