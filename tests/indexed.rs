//! Elements of the user's own types, `v[i]`, where the `impl` of `Index` stands in the same module.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

use std::ops::{Add, Index, IndexMut, Mul};

use retrograde::{Differentiable, Flat, Record, gradient};

#[path = "support/mod.rs"]
mod support;
use support::{check, panic_message};

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Matrix {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f64;

    fn index(&self, (row, col): (usize, usize)) -> &f64 {
        &self.data[row * self.cols + col]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, col): (usize, usize)) -> &mut f64 {
        &mut self.data[row * self.cols + col]
    }
}

/// A row of it.
impl Index<usize> for Matrix {
    type Output = f64;

    fn index(&self, i: usize) -> &Self::Output {
        assert!(i < self.data.len(), "no element {}", i);
        let last = self.data.len() - 1;
        &self.data[last - i]
    }
}

#[gradient]
impl Matrix {
    fn zeros(rows: usize, cols: usize) -> Self {
        Matrix {
            rows,
            cols,
            data: vec![0.0; rows * cols],
        }
    }

    fn transposed(&self) -> Matrix {
        let mut result = Matrix::zeros(self.cols, self.rows);
        for row in 0..self.rows {
            for col in 0..self.cols {
                result[(col, row)] = self[(row, col)];
            }
        }
        result
    }

    fn product(&self, other: &Matrix) -> Self {
        let mut result = Self::zeros(self.rows, other.cols);
        for i in 0..self.rows {
            for j in 0..other.cols {
                for k in 0..self.cols {
                    result[(i, j)] += self[(i, k)] * other[(k, j)];
                }
            }
        }
        result
    }

    fn scale_row(&mut self, row: usize, by: f64) {
        for col in 0..self.cols {
            self[(row, col)] *= by;
        }
        self[(row, 0)] = self[(row, 0)].sin() + by;
    }
}

#[gradient]
fn trace_of_square(m: &Matrix) -> f64 {
    let square = m.product(m);
    let turned = square.transposed();
    let mut sum = 0.0;
    for i in 0..m.rows {
        sum += square[(i, i)] * turned[(0, i)];
    }
    sum
}

#[gradient]
fn from_the_end(m: &Matrix, x: f64) -> f64 {
    m[0] * m[1] * x + m[(0, 0)].powi(2)
}

#[gradient]
fn scaled(m: &Matrix, by: f64) -> f64 {
    let mut m = m.clone();
    m.scale_row(0, by);
    m.scale_row(m.rows - 1, by);
    // Of one name with a variable in the body of `index`.
    let row = &m;
    row[(0, 0)] * row[(m.rows - 1, 0)]
}

fn matrix(rows: usize, p: &[f64]) -> Matrix {
    Matrix {
        rows,
        cols: p.len() / rows,
        data: p.to_vec(),
    }
}

#[test]
fn matrices() {
    let at: [&[f64]; 3] = [
        &[0.3, -0.7, 1.1, 0.4],
        &[2.0, 0.0, -0.0, 0.5],
        &[-1.0, 0.25, 0.5, 3.0],
    ];
    check(
        |p| trace_of_square(&matrix(2, p)),
        |p| {
            let (value, gradient) = trace_of_square_grad(&matrix(2, p));
            (value, gradient.data)
        },
        &at,
    );
    check(
        |p| from_the_end(&matrix(2, &p[1..]), p[0]),
        |p| {
            let (value, (m, x)) = from_the_end_grad(&matrix(2, &p[1..]), p[0]);
            (value, [vec![x], m.data].concat())
        },
        &[&[0.5, 0.3, -0.7, 1.1, 0.4], &[2.0, 0.25, 3.0, -1.0, 0.0]],
    );
    check(
        |p| scaled(&matrix(2, &p[1..]), p[0]),
        |p| {
            let (value, (m, x)) = scaled_grad(&matrix(2, &p[1..]), p[0]);
            (value, [vec![x], m.data].concat())
        },
        &[
            &[0.5, 0.3, -0.7, 1.1, 0.4],
            &[2.0, 0.25, 3.0, -1.0, 0.0, 1.5, 0.125],
        ],
    );
}

#[test]
fn panics_are_those_of_the_function() {
    let m = matrix(1, &[1.0, 2.0]);
    let empty = matrix(1, &[]);
    let of_function = panic_message(|| {
        from_the_end(&empty, 1.0);
    });
    let of_gradient = panic_message(|| {
        from_the_end_grad(&empty, 1.0);
    });
    assert_eq!(of_function, "no element 0");
    assert_eq!(of_gradient, "no element 0");
    let by_grad = panic_message(|| {
        beyond_grad(
            V3 {
                x: 1.0,
                y: 2.0,
                z: 3.0,
            },
            3,
        );
    });
    assert_eq!(by_grad, "index 3 out of range");
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct V3 {
    x: f64,
    y: f64,
    z: f64,
}

impl ::std::ops::Index<usize> for V3 {
    type Output = f64;

    fn index(&self, index: usize) -> &f64 {
        match index {
            0 => &self.x,
            1 => &self.y,
            2 => &self.z,
            _ => panic!("index {} out of range", index),
        }
    }
}

impl ::std::ops::IndexMut<usize> for V3 {
    fn index_mut(&mut self, index: usize) -> &mut f64 {
        match index {
            0 => &mut self.x,
            1 => &mut self.y,
            2 => &mut self.z,
            _ => panic!("index {} out of range", index),
        }
    }
}

#[gradient]
fn beyond(v: V3, i: usize) -> f64 {
    v[i] * v[0]
}

#[gradient]
fn squared_length(v: &V3) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        sum += v[i] * v[i].sin();
    }
    sum + v[2] * -v[1]
}

#[gradient]
fn turned(v: V3, by: f64) -> V3 {
    let mut result = v;
    let mut next = 0;
    for i in 0..3 {
        // What is assigned is evaluated first.
        result[{
            next += 1;
            next % 3
        }] = by * v[next] + v[i];
    }
    result[0] *= result[1];
    result[next - 1] -= by;
    let old = std::mem::replace(&mut result[0], v[1]);
    result[2] += old;
    let last = &mut result[1];
    *last *= 3.0;
    result
}

#[gradient]
fn turned_length(v: V3, by: f64) -> f64 {
    let w = turned(v, by);
    let parts = vec![w[0], 2.0 * w[1], w[2]];
    squared_length(&w) + parts[0] * parts[1] * parts[2]
}

#[test]
fn points() {
    let at: [&[f64]; 3] = [
        &[0.3, -0.7, 1.1, 0.4],
        &[2.0, 0.0, -0.0, 0.5],
        &[-1.0, 0.25, 0.5, 3.0],
    ];
    let v = |p: &[f64]| V3 {
        x: p[0],
        y: p[1],
        z: p[2],
    };
    check(
        |p| squared_length(&v(p)),
        |p| {
            let (value, d) = squared_length_grad(&v(p));
            (value, vec![d.x, d.y, d.z])
        },
        &at.map(|p| &p[..3]),
    );
    check(
        |p| turned_length(v(p), p[3]),
        |p| {
            let (value, (d, by)) = turned_length_grad(v(p), p[3]);
            (value, vec![d.x, d.y, d.z, by])
        },
        &at,
    );
    for i in 0..3 {
        check(
            |p| beyond(v(p), i),
            |p| {
                let (value, d) = beyond_grad(v(p), i);
                (value, vec![d.x, d.y, d.z])
            },
            &at.map(|p| &p[..3]),
        );
    }
}

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

#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Path(Vec<V3>);

impl Index<usize> for Path {
    type Output = V3;

    fn index(&self, i: usize) -> &V3 {
        self.0.get(i).expect("a point")
    }
}

impl IndexMut<usize> for Path {
    fn index_mut(&mut self, i: usize) -> &mut V3 {
        self.0.get_mut(i).expect("a point")
    }
}

#[gradient]
fn along(path: &Path, by: f64) -> f64 {
    let mut moved = path.clone();
    for i in 1..moved.0.len() {
        moved[i].x += by * path[i - 1].y;
        let before = moved[i - 1];
        moved[i].z = before.x * before.y;
    }
    let end = &moved[path.0.len() - 1];
    end.x * end.z + squared_length(&moved[0])
}

#[test]
fn elements_that_are_structs() {
    let path = |p: &[f64]| {
        let points = p.chunks(3).map(|p| V3 {
            x: p[0],
            y: p[1],
            z: p[2],
        });
        Path(points.collect())
    };
    check(
        |p| along(&path(&p[1..]), p[0]),
        |p| {
            let (value, (d, by)) = along_grad(&path(&p[1..]), p[0]);
            (value, [vec![by], d.to_flat()].concat())
        },
        &[
            &[0.5, 0.3, -0.7, 1.1, 0.4, 0.2, 0.9],
            &[-1.0, 0.3, 2.0, 1.5, 0.4, 0.0, 0.9, 1.0, 0.25, 0.5],
        ],
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

/// One name for two things: what is indexed last is a vector.
#[gradient]
fn shadowed(v: V3) -> f64 {
    let sum = {
        let v = vec![v.z, v.y, v.x];
        v[0] * v[1]
    };
    sum * v.x
}

#[test]
fn a_name_that_is_declared_twice() {
    check(
        |p| {
            shadowed(V3 {
                x: p[0],
                y: p[1],
                z: p[2],
            })
        },
        |p| {
            let v = V3 {
                x: p[0],
                y: p[1],
                z: p[2],
            };
            let (value, d) = shadowed_grad(v);
            (value, vec![d.x, d.y, d.z])
        },
        &[&[0.3, -0.7, 1.1], &[2.0, 0.5, -1.0]],
    );
}

/// The place by a method of the type, and a constant of the module.
#[derive(Clone, Debug, PartialEq, Differentiable, Record)]
struct Banded {
    n: usize,
    data: Vec<f64>,
}

const SHIFT: usize = 1;

fn wrapped(i: usize, n: usize) -> usize {
    i % n
}

#[gradient]
impl Banded {
    fn offset(&self, i: usize, j: usize) -> usize {
        (i + 2 * j + SHIFT) % self.data.len()
    }

    fn first(&self, by: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.n {
            sum += self[(i, i)] * by * self[(0, i)];
        }
        sum * self[(wrapped(5, self.n), 0)]
    }
}

impl Index<(usize, usize)> for Banded {
    type Output = f64;

    fn index(&self, at: (usize, usize)) -> &f64 {
        &self.data[wrapped(self.offset(at.0, at.1), self.data.len())]
    }
}

/// A method of the name that takes what a `&mut Banded` is.
trait Other {
    fn offset(&mut self, i: usize, j: usize) -> usize;
}

impl Other for Banded {
    fn offset(&mut self, _: usize, _: usize) -> usize {
        0
    }
}

#[gradient]
fn of_band(b: &Banded, by: f64) -> f64 {
    let mut b = b.clone();
    b.data[0] *= by;
    let c = &mut b;
    c[(1, 0)] * c[(1, 1)] + c.first(by)
}

#[test]
fn places_by_methods_and_constants() {
    let band = |p: &[f64]| Banded {
        n: 2,
        data: p.to_vec(),
    };
    check(
        |p| of_band(&band(&p[1..]), p[0]),
        |p| {
            let (value, (d, by)) = of_band_grad(&band(&p[1..]), p[0]);
            (value, [vec![by], d.data].concat())
        },
        &[&[0.5, 0.3, -0.7, 1.1], &[-1.5, 2.0, 0.5, 1.0, 0.25]],
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

/// Elements behind references.
#[gradient]
fn mixed(v: &V3, w: &mut V3) -> f64 {
    let mut copy = *v;
    copy[0] += (*w)[1] * (*v)[2];
    (*w)[2] = copy[0] * (*v)[1];
    w[2] * w[0]
}

#[gradient]
fn behind_references(v: &V3, w: &V3) -> f64 {
    let mut w = *w;
    mixed(v, &mut w) * w.z
}

#[test]
fn elements_behind_references() {
    let vectors = |p: &[f64]| {
        let of = |p: &[f64]| V3 {
            x: p[0],
            y: p[1],
            z: p[2],
        };
        (of(p), of(&p[3..]))
    };
    check(
        |p| {
            let (v, w) = vectors(p);
            behind_references(&v, &w)
        },
        |p| {
            let (v, w) = vectors(p);
            let (value, (dv, dw)) = behind_references_grad(&v, &w);
            (value, [dv.to_flat(), dw.to_flat()].concat())
        },
        &[
            &[0.3, -0.7, 1.1, 0.4, 0.2, 0.9],
            &[2.0, 0.5, -1.0, 1.5, -0.25, 3.0],
        ],
    );
}
