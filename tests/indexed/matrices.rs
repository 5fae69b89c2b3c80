//! Elements by two indices, and places by methods of the type.

use std::ops::{Index, IndexMut};

use retrograde::{Differentiable, Record, gradient};

use crate::support::{check, panic_message};

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Matrix {
    rows: usize,
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

/// A row of it.
impl Index<usize> for Matrix {
    type Output = f64;

    fn index(&self, i: usize) -> &Self::Output {
        assert!(i < self.data.len(), "no element {}", i);
        let last = self.data.len() - 1;
        &self.data[last - i]
    }
}

#[gradient]
impl Matrix {
    fn zeros(rows: usize, cols: usize) -> Self {
        Matrix {
            rows,
            cols,
            data: vec![0.0; rows * cols],
        }
    }

    fn transposed(&self) -> Matrix {
        let mut result = Matrix::zeros(self.cols, self.rows);
        for row in 0..self.rows {
            for col in 0..self.cols {
                result[(col, row)] = self[(row, col)];
            }
        }
        result
    }

    fn product(&self, other: &Matrix) -> Self {
        let mut result = Self::zeros(self.rows, other.cols);
        for i in 0..self.rows {
            for j in 0..other.cols {
                for k in 0..self.cols {
                    result[(i, j)] += self[(i, k)] * other[(k, j)];
                }
            }
        }
        result
    }

    fn scale_row(&mut self, row: usize, by: f64) {
        for col in 0..self.cols {
            self[(row, col)] *= by;
        }
        self[(row, 0)] = self[(row, 0)].sin() + by;
    }
}

#[gradient]
fn trace_of_square(m: &Matrix) -> f64 {
    let square = m.product(m);
    let turned = square.transposed();
    let mut sum = 0.0;
    for i in 0..m.rows {
        sum += square[(i, i)] * turned[(0, i)];
    }
    sum
}

#[gradient]
fn from_the_end(m: &Matrix, x: f64) -> f64 {
    m[0] * m[1] * x + m[(0, 0)].powi(2)
}

#[gradient]
fn scaled(m: &Matrix, by: f64) -> f64 {
    let mut m = m.clone();
    m.scale_row(0, by);
    m.scale_row(m.rows - 1, by);
    // Of one name with a variable in the body of `index`.
    let row = &m;
    row[(0, 0)] * row[(m.rows - 1, 0)]
}

fn matrix(rows: usize, p: &[f64]) -> Matrix {
    Matrix {
        rows,
        cols: p.len() / rows,
        data: p.to_vec(),
    }
}

#[test]
fn matrices() {
    let at: [&[f64]; 3] = [
        &[0.3, -0.7, 1.1, 0.4],
        &[2.0, 0.0, -0.0, 0.5],
        &[-1.0, 0.25, 0.5, 3.0],
    ];
    check(
        |p| trace_of_square(&matrix(2, p)),
        |p| {
            let (value, gradient) = trace_of_square_grad(&matrix(2, p));
            (value, gradient.data)
        },
        &at,
    );
    check(
        |p| from_the_end(&matrix(2, &p[1..]), p[0]),
        |p| {
            let (value, (m, x)) = from_the_end_grad(&matrix(2, &p[1..]), p[0]);
            (value, [vec![x], m.data].concat())
        },
        &[&[0.5, 0.3, -0.7, 1.1, 0.4], &[2.0, 0.25, 3.0, -1.0, 0.0]],
    );
    check(
        |p| scaled(&matrix(2, &p[1..]), p[0]),
        |p| {
            let (value, (m, x)) = scaled_grad(&matrix(2, &p[1..]), p[0]);
            (value, [vec![x], m.data].concat())
        },
        &[
            &[0.5, 0.3, -0.7, 1.1, 0.4],
            &[2.0, 0.25, 3.0, -1.0, 0.0, 1.5, 0.125],
        ],
    );
}

#[test]
fn panics_are_those_of_the_function() {
    let m = matrix(1, &[1.0, 2.0]);
    let empty = matrix(1, &[]);
    let of_function = panic_message(|| {
        from_the_end(&empty, 1.0);
    });
    let of_gradient = panic_message(|| {
        from_the_end_grad(&empty, 1.0);
    });
    assert_eq!(of_function, "no element 0");
    assert_eq!(of_gradient, "no element 0");
}

/// The place by a method of the type, and a constant of the module.
#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Banded {
    n: usize,
    data: Vec<f64>,
}

const SHIFT: usize = 1;

fn wrapped(i: usize, n: usize) -> usize {
    i % n
}

#[gradient]
impl Banded {
    fn offset(&self, i: usize, j: usize) -> usize {
        (i + 2 * j + SHIFT) % self.data.len()
    }

    fn first(&self, by: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.n {
            sum += self[(i, i)] * by * self[(0, i)];
        }
        sum * self[(wrapped(5, self.n), 0)]
    }
}

impl Index<(usize, usize)> for Banded {
    type Output = f64;

    fn index(&self, at: (usize, usize)) -> &f64 {
        &self.data[wrapped(self.offset(at.0, at.1), self.data.len())]
    }
}

/// A method of the name that takes what a `&mut Banded` is.
trait Other {
    fn offset(&mut self, i: usize, j: usize) -> usize;
}

impl Other for Banded {
    fn offset(&mut self, _: usize, _: usize) -> usize {
        0
    }
}

#[gradient]
fn of_band(b: &Banded, by: f64) -> f64 {
    let mut b = b.clone();
    b.data[0] *= by;
    let c = &mut b;
    c[(1, 0)] * c[(1, 1)] + c.first(by)
}

#[test]
fn places_by_methods_and_constants() {
    let band = |p: &[f64]| Banded {
        n: 2,
        data: p.to_vec(),
    };
    check(
        |p| of_band(&band(&p[1..]), p[0]),
        |p| {
            let (value, (d, by)) = of_band_grad(&band(&p[1..]), p[0]);
            (value, [vec![by], d.data].concat())
        },
        &[&[0.5, 0.3, -0.7, 1.1], &[-1.5, 2.0, 0.5, 1.0, 0.25]],
    );
}
