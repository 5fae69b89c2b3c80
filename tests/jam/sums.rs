//! Products of matrices and vectors against formulas, into buffers that hold something before.

use retrograde::{Tape, gradient};

use crate::twins::{near, numbers};
use crate::{INNER, OUTER};

/// Each contribution of the reverse sweep is the first of its array in one mode, and one more in the others.
#[gradient]
fn affine(w: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let (n, m) = (b.len(), x.len());
    let mut total = 0.0;
    for i in 0..n {
        let mut s = b[i];
        for j in 0..m {
            s += w[i * m + j] * x[j];
        }
        total += s * s;
    }
    total
}

/// The same with an array of results, and a record of each.
#[gradient]
fn squashed(w: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let (n, m) = (b.len(), x.len());
    let mut y = vec![0.0; n];
    for i in 0..n {
        let mut s = b[i];
        for j in 0..m {
            s += w[i * m + j] * x[j];
        }
        let t = s.tanh();
        y[i] = t;
    }
    let mut total = 0.0;
    for i in 0..n {
        total += y[i] * y[i];
    }
    total
}

/// The columns in the outer loop: all its iterations add to the same sums.
#[gradient]
fn by_columns(w: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let (n, m) = (b.len(), x.len());
    let mut y = b.to_vec();
    for j in 0..m {
        for i in 0..n {
            y[i] += w[i + j * n] * x[j];
        }
    }
    let mut total = 0.0;
    for i in 0..n {
        total += y[i] * y[i];
    }
    total
}

/// Calls what has jams of its own, twice with the same vector, so that its gradients add up.
#[gradient]
fn called_twice(w: &[f64], x: &[f64], b: &[f64]) -> f64 {
    affine(w, x, b) + 0.5 * affine(w, x, b) + squashed(w, x, b)
}

struct Case {
    w: Vec<f64>,
    x: Vec<f64>,
    b: Vec<f64>,
    s: Vec<f64>,
}

impl Case {
    /// `stride`: from one sum to the next, and from one product to the next.
    fn new(n: usize, m: usize, at: impl Fn(usize, usize) -> usize) -> Self {
        let (w, x, b) = (numbers(n * m, 1), numbers(m, 2), numbers(n, 3));
        let scale = 1.0 / (m as f64 + 1.0);
        let b: Vec<f64> = b.iter().map(|b| b * scale).collect();
        let w: Vec<f64> = w.iter().map(|w| w * scale).collect();
        let s = (0..n)
            .map(|i| b[i] + (0..m).map(|j| w[at(i, j)] * x[j]).sum::<f64>())
            .collect();
        Self { w, x, b, s }
    }

    fn want(&self, s_bar: &[f64], at: impl Fn(usize, usize) -> usize) -> [Vec<f64>; 3] {
        let (n, m) = (self.b.len(), self.x.len());
        let mut out = [vec![0.0; n * m], vec![0.0; m], s_bar.to_vec()];
        for i in 0..n {
            for j in 0..m {
                out[0][at(i, j)] += s_bar[i] * self.x[j];
                out[1][j] += s_bar[i] * self.w[at(i, j)];
            }
        }
        out
    }
}

macro_rules! against {
    ($case:ident, $want:expr, $f:ident, $into:ident, $adjoint:ident) => {
        let (case, want) = (&$case, $want);
        let primal = $f(&case.w, &case.x, &case.b);
        let filled = |v: f64| want.each_ref().map(|w| vec![v; w.len()]);
        let mut tape = Tape::new();
        let [mut dw, mut dx, mut db] = filled(f64::NAN);
        let value = $into(
            &mut tape, &case.w, &mut dw, &case.x, &mut dx, &case.b, &mut db,
        );
        assert_eq!(value.to_bits(), primal.to_bits());
        [dw, dx, db].iter().zip(&want).for_each(|(a, b)| near(a, b));
        let [mut dw, mut dx, mut db] = filled(0.75);
        let value = $adjoint(
            &mut tape, &case.w, &mut dw, &case.x, &mut dx, &case.b, &mut db, 2.0,
        );
        assert_eq!(value.to_bits(), primal.to_bits());
        for (got, want) in [dw, dx, db].iter().zip(&want) {
            let want: Vec<f64> = want.iter().map(|w| 2.0 * w + 0.75).collect();
            near(got, &want);
        }
    };
}

#[test]
fn gradients_of_matrix_vector_and_bias() {
    for n in OUTER {
        for m in INNER {
            let rows = |i: usize, j: usize| i * m + j;
            let case = Case::new(n, m, rows);
            let square: Vec<f64> = case.s.iter().map(|s| 2.0 * s).collect();
            let tanh = |s: &f64| 2.0 * s.tanh() * (1.0 - s.tanh() * s.tanh());
            let tanh: Vec<f64> = case.s.iter().map(tanh).collect();
            let mix: Vec<f64> = square.iter().zip(&tanh).map(|(a, b)| 1.5 * a + b).collect();
            against!(
                case,
                case.want(&square, rows),
                affine,
                affine_grad_into,
                affine_adjoint
            );
            against!(
                case,
                case.want(&tanh, rows),
                squashed,
                squashed_grad_into,
                squashed_adjoint
            );
            against!(
                case,
                case.want(&mix, rows),
                called_twice,
                called_twice_grad_into,
                called_twice_adjoint
            );
            let columns = |i: usize, j: usize| i + j * n;
            let case = Case::new(n, m, columns);
            let square: Vec<f64> = case.s.iter().map(|s| 2.0 * s).collect();
            against!(
                case,
                case.want(&square, columns),
                by_columns,
                by_columns_grad_into,
                by_columns_adjoint
            );
        }
    }
}

/// One array for two parameters: they are read only, and each has its own adjoint.
#[test]
fn the_same_array_twice() {
    let n = 64;
    let x = numbers(n, 4);
    let w = numbers(n * n, 5);
    let (value, (_, dx, db)) = affine_grad(&w, &x, &x);
    let copy = x.clone();
    let (apart, (_, dx_apart, db_apart)) = affine_grad(&w, &x, &copy);
    assert_eq!(value.to_bits(), apart.to_bits());
    assert_eq!((dx, db), (dx_apart, db_apart));
}
