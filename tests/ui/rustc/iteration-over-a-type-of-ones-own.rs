//! Elements are taken by index: a type with an iterator of its own could have another order.

use std::iter::Rev;
use std::ops::Index;
use std::slice::Iter;

use retrograde::gradient;

struct Newest(Vec<f64>);

impl Newest {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn iter(&self) -> Rev<Iter<'_, f64>> {
        self.0.iter().rev()
    }
}

impl Index<usize> for Newest {
    type Output = f64;

    fn index(&self, i: usize) -> &f64 {
        &self.0[i]
    }
}

#[gradient]
fn horner(x: f64, #[constant] coefficients: &Newest) -> f64 {
    let mut sum = 0.0;
    for c in coefficients.iter() {
        sum = sum * x + c;
    }
    sum
}

fn main() {}
