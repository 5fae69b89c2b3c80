//! Rows: an `Index` that leads to a slice of a field, and bodies that compute where it begins.

use std::ops::{Index, IndexMut};

use retrograde::{Differentiable, Record, gradient};

use crate::support::{check, check_exact};

#[derive(Clone, Differentiable, Record)]
struct Grid {
    rows: usize,
    cols: usize,
    data: Box<[f64]>,
}

impl Index<usize> for Grid {
    type Output = [f64];

    fn index(&self, row: usize) -> &Self::Output {
        &self.data[row * self.cols..(row + 1) * self.cols]
    }
}

impl IndexMut<usize> for Grid {
    fn index_mut(&mut self, row: usize) -> &mut Self::Output {
        &mut self.data[row * self.cols..(row + 1) * self.cols]
    }
}

impl Grid {
    #[gradient]
    fn zeros(rows: usize, cols: usize) -> Grid {
        Grid {
            rows,
            cols,
            data: vec![0.0; rows * cols].into_boxed_slice(),
        }
    }

    #[gradient]
    fn transpose(&self) -> Grid {
        let mut t = Grid::zeros(self.cols, self.rows);
        for r in 0..t.rows {
            for c in 0..t.cols {
                t[r][c] = self[c][r];
            }
        }
        t
    }

    #[gradient]
    fn times(&self, other: &Grid) -> Grid {
        let mut product = Grid::zeros(self.rows, other.cols);
        for i in 0..self.rows {
            for j in 0..other.cols {
                let mut sum = 0.0;
                for k in 0..self.cols {
                    sum += self[i][k] * other[k][j];
                }
                product[i][j] = sum;
            }
        }
        product
    }

    #[gradient]
    fn scale(&mut self, row: usize, by: f64) {
        for v in &mut self[row] {
            *v *= by;
        }
        self[row + 1][0] += by * self[row][1];
        for v in self[row].iter_mut().skip(1) {
            *v += by;
        }
        let below = &mut self[row + 1];
        below[1] *= by;
        below[below.len() - 1] -= by;
    }

    #[gradient]
    fn angle(&self, i: usize, j: usize) -> f64 {
        let (a, b) = (&self[i], &self[j]);
        a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>() / self[i].len() as f64
    }
}

#[gradient]
fn of_products(grid: &Grid, by: f64) -> f64 {
    let mut a = grid.times(&grid.transpose());
    a.scale(0, by);
    a.angle(0, 1) * a[0][0] + a[1].iter().rev().fold(0.0, |s, v| s * by + v)
}

/// Where a row begins is a variable of the body's.
#[derive(Clone, Differentiable, Record)]
struct Table {
    width: usize,
    data: Vec<f64>,
}

impl Index<usize> for Table {
    type Output = [f64];

    fn index(&self, row: usize) -> &[f64] {
        let start = row * self.width;
        let end: usize = start + self.width;
        &self.data[start..end]
    }
}

impl IndexMut<usize> for Table {
    fn index_mut(&mut self, row: usize) -> &mut [f64] {
        let start = row * self.width;
        let end: usize = start + self.width;
        &mut self.data[start..end]
    }
}

#[gradient]
fn of_rows(table: &Table, start: f64) -> f64 {
    let mut t = table.clone();
    // `start` is another variable than that of the body.
    for row in 0..2 {
        for end in 0..t.width {
            t[row][end] *= start;
            t[row][end] -= t[0][end] * t[1][0];
        }
    }
    let last = t[1].last().unwrap();
    t[0][..2].iter().sum::<f64>() * last + t[1][1]
}

const POINTS: [&[f64]; 2] = [
    &[0.5, -0.3, 0.7, 1.1, 0.2, -0.4, 0.7],
    &[-1.5, 0.3, 0.2, 0.1, 1.2, 0.9, -1.3],
];

#[test]
fn elements_of_rows() {
    let grid = |p: &[f64]| Grid {
        rows: 2,
        cols: 3,
        data: p[..6].into(),
    };
    check(
        |p| of_products(&grid(p), p[6]),
        |p| {
            let (value, (d, by)) = of_products_grad(&grid(p), p[6]);
            (value, (d.data.to_vec(), by))
        },
        &POINTS,
    );
    let table = |p: &[f64]| Table {
        width: 3,
        data: p[..6].to_vec(),
    };
    check(
        |p| of_rows(&table(p), p[6]),
        |p| {
            let (value, (d, start)) = of_rows_grad(&table(p), p[6]);
            (value, (d.data, start))
        },
        &POINTS,
    );
}

/// The body's variable is computed from the index as it is, not as it is later.
#[derive(Clone, Differentiable, Record)]
struct Ring {
    data: Vec<f64>,
}

impl Index<usize> for Ring {
    type Output = f64;

    fn index(&self, i: usize) -> &f64 {
        let n = self.data.len();
        let i = i + 1;
        let at = i % n;
        &self.data[at]
    }
}

impl Index<(usize, usize)> for Ring {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        let i = i * 2;
        let i = i + j;
        &self.data[i]
    }
}

#[gradient]
fn of_ring(ring: &Ring) -> f64 {
    ring[0_usize] * ring[2_usize] + ring[(1, 1)] * ring[(0, 1)]
}

#[test]
fn variables_that_hide_the_index() {
    let ring = |p: &[f64]| Ring { data: p.to_vec() };
    check_exact(
        |p| of_ring(&ring(p)),
        |p| {
            let (value, d) = of_ring_grad(&ring(p));
            (value, d.data)
        },
        // x1 x3 + x3 x1
        |p| vec![0.0, 2.0 * p[3], 0.0, 2.0 * p[1]],
        &[&[0.5, -0.3, 0.7, 1.1], &[2.0, 3.0, 5.0, 7.0]],
    );
}

#[test]
#[should_panic(expected = "out of range")]
fn a_row_that_does_not_exist() {
    let table = Table {
        width: 3,
        data: vec![1.0; 5],
    };
    of_rows_grad(&table, 1.0);
}
