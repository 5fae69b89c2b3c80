//! Types that have another `Index` in another module, where the text shows which one is meant.

use std::ops::{Index, IndexMut};

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

mod others {
    use std::ops::Index;

    use super::{Line, Square};

    #[derive(Clone, Copy)]
    pub(super) struct Last;

    impl Index<Last> for Line {
        type Output = f64;

        fn index(&self, _: Last) -> &f64 {
            &self.data[self.data.len() - 1]
        }
    }

    impl Index<(u8, u8)> for Square {
        type Output = f64;

        fn index(&self, (i, j): (u8, u8)) -> &f64 {
            &self.data[usize::from(j * 2 + i)]
        }
    }
}

#[derive(Clone, Differentiable, Record)]
struct Line {
    step: usize,
    data: Vec<f64>,
}

impl Index<usize> for Line {
    type Output = f64;

    fn index(&self, i: usize) -> &f64 {
        &self.data[i * self.step]
    }
}

impl IndexMut<usize> for Line {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        &mut self.data[i * self.step]
    }
}

/// Numbers of any type are the only integer that is an index.
#[gradient]
fn by_numbers(line: &Line, n: usize) -> f64 {
    let mut line = line.clone();
    let mut sum = line[0] * line[line.data.len() - 1];
    for k in 0..n {
        line[k] *= line[2 - k];
        sum += line[k % 2] * line[n];
    }
    for k in (0..2).rev() {
        let at = k + 1;
        sum += line[at].sin();
    }
    sum
}

#[derive(Clone, Differentiable, Record)]
struct Square {
    width: usize,
    data: [f64; 4],
}

impl Index<(usize, usize)> for Square {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[i * self.width + j]
    }
}

#[gradient]
impl Square {
    fn trace(&self, shift: usize) -> f64 {
        let mut sum = 0.0;
        let zero: usize = 0;
        for i in 0..self.width {
            sum += self[(i, (i + shift) % self.width)] * self[(self.width - 1, zero)];
        }
        sum
    }
}

#[gradient]
fn traces(square: &Square) -> f64 {
    square.trace(1) * square.trace(0) + square[(0usize, 1usize)]
}

#[test]
fn another_index_elsewhere() {
    let line = |p: &[f64]| Line {
        step: 1,
        data: p.to_vec(),
    };
    check(
        |p| by_numbers(&line(p), 2) + line(p)[others::Last] * 0.0,
        |p| {
            let (value, d) = by_numbers_grad(&line(p), 2);
            (value, d.data)
        },
        &[&[0.3, -0.7, 1.1], &[2.0, 0.5, -1.0]],
    );
    let square = |p: &[f64]| Square {
        width: 2,
        data: [p[0], p[1], p[2], p[3]],
    };
    assert_eq!(square(&[1.0, 2.0, 3.0, 4.0])[(0_u8, 1_u8)], 3.0);
    check(
        |p| traces(&square(p)),
        |p| {
            let (value, d) = traces_grad(&square(p));
            (value, d.data.to_vec())
        },
        &[&[0.3, -0.7, 1.1, 0.4], &[2.0, 0.5, -1.0, 1.5]],
    );
}
