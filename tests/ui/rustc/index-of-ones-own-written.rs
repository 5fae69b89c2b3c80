//! What an `IndexMut` of the user's leads to when a value is written need not be what it leads to in the tangent.

use ordered::Ordered;
use retrograde::{Differentiable, Record, gradient};

mod ordered {
    use std::ops::{Index, IndexMut};

    use retrograde::{Differentiable, Record};

    #[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
    #[differentiable(tangent = Self)]
    pub(crate) struct Ordered {
        low: f64,
        high: f64,
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
}

#[derive(Differentiable, Record)]
struct Held {
    inner: Ordered,
}

#[gradient]
fn set(held: &mut Held, x: f64) {
    held.inner[0] = x * x;
}

fn main() {}
