//! Types with parameters, what an index leads to by values, and traits of the same name.

use std::ops::{Add, Index, IndexMut, Mul};

use retrograde::{Differentiable, Flat, Record, gradient};

use crate::support::check;

/// The coefficients of a polynomial, the greater of which an index leads to.
#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Pair {
    a: f64,
    b: f64,
}

impl Index<bool> for Pair {
    type Output = f64;

    fn index(&self, greater: bool) -> &f64 {
        if (self.a > self.b) == greater {
            &self.a
        } else {
            &self.b
        }
    }
}

#[gradient]
fn by_size(p: &Pair, x: f64) -> f64 {
    p[true] * x + p[x < 0.0].exp()
}

#[test]
fn what_an_index_leads_to_may_depend_on_values() {
    check(
        |p| by_size(&Pair { a: p[0], b: p[1] }, p[2]),
        |p| {
            let (value, (d, x)) = by_size_grad(&Pair { a: p[0], b: p[1] }, p[2]);
            (value, vec![d.a, d.b, x])
        },
        &[&[1.0, 2.0, 0.5], &[2.0, 1.0, 0.5], &[0.5, 0.25, -1.5]],
    );
}

/// A width among its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Table<const N: usize> {
    cells: [[f64; N]; N],
}

impl<const N: usize> Index<[usize; 2]> for Table<N> {
    type Output = f64;

    fn index(&self, at: [usize; 2]) -> &f64 {
        &self.cells[at[0] % N][at[1] % N]
    }
}

impl<const N: usize> IndexMut<[usize; 2]> for Table<N> {
    fn index_mut(&mut self, at: [usize; 2]) -> &mut f64 {
        &mut self.cells[at[0] % N][at[1] % N]
    }
}

#[gradient]
impl<const N: usize> Table<N> {
    fn around(&self, other: &Table<N>) -> f64 {
        let mut sum = 0.0;
        let mut copy = *self;
        for i in 0..2 * N {
            copy[[i, i + 1]] *= other[[i + 1, i]];
            sum += copy[[i, i + 1]] * self[[0, i]];
        }
        sum
    }
}

#[gradient]
fn around(t: &Table<2>, u: &Table<2>) -> f64 {
    t.around(u)
}

#[test]
fn parameters_of_the_type() {
    let table = |p: &[f64]| Table {
        cells: [[p[0], p[1]], [p[2], p[3]]],
    };
    check(
        |p| around(&table(p), &table(&p[4..])),
        |p| {
            let (value, (t, u)) = around_grad(&table(p), &table(&p[4..]));
            (value, [t.to_flat(), u.to_flat()].concat())
        },
        &[
            &[0.3, -0.7, 1.1, 0.4, 0.2, 0.9, -0.5, 1.5],
            &[2.0, 0.0, -0.0, 0.5, 1.0, 0.25, 0.5, 3.0],
        ],
    );
}

/// Generic over a float.
#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Series<T> {
    coefficients: Vec<T>,
}

impl<T> Index<usize> for Series<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.coefficients[index]
    }
}

impl<T> IndexMut<usize> for Series<T> {
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.coefficients[index]
    }
}

#[gradient]
impl<T: Copy + Add<Output = T> + Mul<Output = T>> Series<T> {
    fn at(&self, x: T) -> T {
        let mut sum = self[self.coefficients.len() - 1];
        for i in (0..self.coefficients.len() - 1).rev() {
            sum = sum * x + self[i];
        }
        sum
    }

    fn shift(&mut self, by: T) {
        self[0] = self[0] + by * self[1];
    }
}

#[gradient]
fn shifted(s: &Series<f64>, x: f64) -> f64 {
    let mut s = s.clone();
    s.shift(x);
    s.at(x)
}

#[test]
fn types_that_are_generic_over_a_float() {
    let series = |p: &[f64]| Series {
        coefficients: p.to_vec(),
    };
    check(
        |p| shifted(&series(&p[1..]), p[0]),
        |p| {
            let (value, (d, x)) = shifted_grad(&series(&p[1..]), p[0]);
            (value, [vec![x], d.to_flat()].concat())
        },
        &[&[0.5, 0.3, -0.7, 1.1], &[-1.5, 2.0, 0.0, 1.0, 0.25]],
    );
}

mod own_trait {
    //! A trait of this name that is none of std's says nothing of `[]`.

    use retrograde::{Differentiable, Record, gradient};

    pub(crate) mod traits {
        pub(crate) trait Index<I> {
            type Output;
            fn index(&self, i: I) -> &Self::Output;
        }
    }

    mod inner {
        use super::traits::Index;

        #[derive(Clone, Debug, retrograde::Differentiable)]
        pub(super) struct Both {
            pub(super) first: Vec<f64>,
            pub(super) second: Vec<f64>,
        }

        impl Index<usize> for Both {
            type Output = f64;

            fn index(&self, i: usize) -> &f64 {
                &self.first[i]
            }
        }

        impl std::ops::Deref for Both {
            type Target = Vec<f64>;

            fn deref(&self) -> &Vec<f64> {
                &self.second
            }
        }

        #[retrograde::gradient]
        pub(super) fn weighted(x: f64, #[constant] both: &Both) -> f64 {
            x * retrograde::no_gradient(both[0])
        }
    }

    #[test]
    fn a_trait_of_the_same_name() {
        let both = inner::Both {
            first: vec![2.0],
            second: vec![3.0],
        };
        assert_eq!(inner::weighted(2.0, &both), 6.0);
        assert_eq!(inner::weighted_grad(2.0, &both), (6.0, 3.0));
    }
}
