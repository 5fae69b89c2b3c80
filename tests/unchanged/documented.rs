//! The example of docs/own-types.md, "Elements": code of documents has no module of its own, which the macro reads.

use std::ops::{Index, IndexMut};

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Differentiable, Record)]
struct Matrix {
    cols: usize,
    data: Vec<f64>,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.cols + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[i * self.cols + j]
    }
}

#[gradient]
fn trace_of_double(m: &Matrix) -> f64 {
    let mut double = m.clone();
    let mut sum = 0.0;
    for i in 0..m.cols {
        double[(i, i)] += m[(i, i)];
        sum += double[(i, i)];
    }
    sum
}

#[test]
fn elements() {
    let m = Matrix {
        cols: 2,
        data: vec![1.0, 2.0, 3.0, 4.0],
    };
    let (value, slope) = trace_of_double_grad(&m);
    assert_eq!((value, slope.data), (10.0, vec![2.0, 0.0, 0.0, 2.0]));
}
