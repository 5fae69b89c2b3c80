use std::iter::Sum;
use std::ops::Add;

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Differentiable, Record)]
struct V(f64);

#[gradient]
impl Add for V {
    type Output = V;

    fn add(self, o: V) -> V {
        V(self.0 + o.0)
    }
}

impl Sum for V {
    fn sum<I: Iterator<Item = V>>(iter: I) -> V {
        iter.fold(V(0.0), |a, b| a + b)
    }
}

#[derive(Clone, Copy, Differentiable, Record)]
struct W(f64);

const START: f64 = 1.0;

#[gradient]
impl Sum for W {
    fn sum<I: Iterator<Item = W>>(iter: I) -> W {
        let mut all = START;
        for w in iter {
            all += w.0;
        }
        W(all)
    }
}

#[gradient]
fn without_attribute(v: &[V]) -> f64 {
    let all: V = v.iter().copied().sum();
    all.0 * v.iter().copied().sum::<V>().0
}

#[gradient]
fn of_a_constant(w: &[W]) -> f64 {
    w.iter().copied().sum::<W>().0
}

fn main() {}
