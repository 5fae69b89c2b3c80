//! What an `Index` by a key of the user's reads may be another element than what its `IndexMut` writes.

use std::ops::{Index, IndexMut};

use retrograde::{Record, gradient};

#[derive(Clone, Copy, Record)]
enum Axis {
    X,
    Y,
}

impl Index<Axis> for Vec<f64> {
    type Output = f64;

    fn index(&self, axis: Axis) -> &f64 {
        match axis {
            Axis::X => &self[0],
            Axis::Y => &self[1],
        }
    }
}

impl IndexMut<Axis> for Vec<f64> {
    fn index_mut(&mut self, _: Axis) -> &mut f64 {
        &mut self[0]
    }
}

fn other(n: usize) -> Axis {
    if n > 1 { Axis::X } else { Axis::Y }
}

#[gradient]
fn named(x: &[f64]) -> f64 {
    let v = x.to_vec();
    v[Axis::Y] * v[Axis::Y]
}

#[gradient]
fn given(v: &mut Vec<f64>, #[constant] axis: Axis) -> f64 {
    v.push(1.0);
    v[axis] * v[axis]
}

#[gradient]
fn called(x: &[f64], n: usize) -> f64 {
    let mut v = x.to_vec();
    v[other(n)] *= 2.0;
    v[0]
}

fn main() {}
