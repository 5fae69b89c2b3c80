//! An `Index` of the user's may lead wherever it likes: it has no derivative where the text does not show it in the
//! function's own module, where what is written is another element than what is read, or where the function has names
//! of its own for what it names.

use std::ops::{Index, IndexMut};

use retrograde::{Differentiable, Record, gradient};

mod vectors {
    use std::ops::Index;

    #[derive(Clone, Copy, retrograde::Differentiable)]
    #[differentiable(tangent = Self)]
    pub struct Largest {
        pub a: f64,
        pub b: f64,
    }

    impl Index<usize> for Largest {
        type Output = f64;

        fn index(&self, _: usize) -> &f64 {
            if self.a > self.b { &self.a } else { &self.b }
        }
    }
}

#[gradient]
fn square(v: &vectors::Largest) -> f64 {
    v[0] * v[0]
}

#[derive(Clone, Copy, Differentiable, Record)]
#[differentiable(tangent = Self)]
struct Crossed {
    a: f64,
    b: f64,
}

impl Index<usize> for Crossed {
    type Output = f64;

    fn index(&self, _: usize) -> &f64 {
        &self.a
    }
}

impl IndexMut<usize> for Crossed {
    fn index_mut(&mut self, _: usize) -> &mut f64 {
        &mut self.b
    }
}

#[gradient]
fn crossed(v: &Crossed) -> f64 {
    v[0] * v[0]
}

const WIDTH: usize = 2;

#[derive(Clone, Copy, Differentiable, Record)]
#[differentiable(tangent = Self)]
struct Grid([f64; 4]);

impl Index<[usize; 2]> for Grid {
    type Output = f64;

    fn index(&self, at: [usize; 2]) -> &f64 {
        &self.0[at[0] * WIDTH + at[1]]
    }
}

#[gradient]
fn narrow(g: &Grid) -> f64 {
    const WIDTH: usize = 1;
    g[[WIDTH, 0]] * 2.0
}

fn main() {}
