//! A type may have an `Index` for another type of index in another module or file. What leaves open
//! of which type the index is, has no derivative then: its value would be that of the `impl` in this module.

use std::ops::{Index, IndexMut};

use retrograde::{Differentiable, Record, gradient};

mod elsewhere {
    use std::ops::{Index, Mul};

    use super::{Line, Pair};

    impl Index<i32> for Line {
        type Output = f64;

        fn index(&self, i: i32) -> &f64 {
            &self.data[(i + 1) as usize]
        }
    }

    #[derive(Clone, Copy, retrograde::Record)]
    pub struct Row(pub usize);

    impl Mul<usize> for Row {
        type Output = usize;

        fn mul(self, step: usize) -> usize {
            (self.0 + 1) * step
        }
    }

    impl Index<Row> for Pair {
        type Output = f64;

        fn index(&self, row: Row) -> &f64 {
            &self.data[row.0 + 2]
        }
    }

    pub fn first() -> Row {
        Row(0)
    }
}

use elsewhere::{Row, first};

#[derive(Clone, Differentiable, Record)]
pub struct Line {
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

/// Rust takes the `i32` of the other module.
#[gradient]
fn by_a_number(line: &Line) -> f64 {
    line[0] * line[0]
}

/// The same.
#[gradient]
fn by_a_counter(line: &Line) -> f64 {
    let mut sum = 0.0;
    for k in 0..2 {
        sum += line[k] * line[k];
    }
    sum
}

#[derive(Clone, Differentiable, Record)]
pub struct Pair {
    step: usize,
    data: Vec<f64>,
}

impl Index<usize> for Pair {
    type Output = f64;

    fn index(&self, i: usize) -> &f64 {
        &self.data[i * self.step]
    }
}

#[gradient]
impl Pair {
    /// That of the other module: it may be multiplied, too.
    fn by_a_row(&self) -> f64 {
        let row = first();
        self[row] * self[row]
    }
}

#[gradient]
fn by_a_given_row(pair: &Pair, #[constant] row: Row) -> f64 {
    pair[row] * 2.0
}

fn main() {}
