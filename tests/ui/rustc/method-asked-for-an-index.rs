//! A plain method that gets a value with a derivative can keep it and give it back later, also where its answer is only
//! an index.

use std::cell::Cell;

use retrograde::gradient;

struct Keeper {
    kept: Cell<f64>,
}

impl Keeper {
    fn note(&self, x: f64) -> usize {
        self.kept.set(x);
        0
    }

    fn last(&self) -> f64 {
        self.kept.get()
    }
}

#[gradient]
fn index(#[constant] k: &Keeper, v: &[f64], x: f64) -> f64 {
    v[k.note(x)] * k.last()
}

#[gradient]
fn condition(#[constant] k: &Keeper, x: f64) -> f64 {
    let mut n = 0;
    let mut y = x;
    while n < k.note(x) {
        y *= x;
        n += 1;
    }
    y * k.last()
}

fn main() {}
