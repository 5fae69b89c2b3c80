//! What an `IndexMut` of the user's leads to when a value is written need not be what it leads to in the tangent.

use std::ops::{Index, IndexMut};

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
#[differentiable(tangent = Self)]
struct Ordered {
    low: f64,
    high: f64,
}

#[derive(Differentiable, Record)]
struct Held {
    inner: Ordered,
}

impl Index<usize> for Ordered {
    type Output = f64;

    fn index(&self, k: usize) -> &f64 {
        if (self.low < self.high) == (k == 0) { &self.low } else { &self.high }
    }
}

impl IndexMut<usize> for Ordered {
    fn index_mut(&mut self, k: usize) -> &mut f64 {
        if (self.low < self.high) == (k == 0) { &mut self.low } else { &mut self.high }
    }
}

#[gradient]
fn set(held: &mut Held, x: f64) {
    held.inner[0] = x * x;
}

fn main() {}
