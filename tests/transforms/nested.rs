//! Rows of matrices that are lists of lists: several rows of one matrix are windows side by side where they are
//! different ones.

use crate::support::{assert_close, differences};
use crate::twins::{agree, bits, both, numbers, outcome, twins};

twins! {
    /// applied `reslice`
    pub(super) fn gauss(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a: Vec<Vec<f64>> = (0..n).map(|i| x[i * n..(i + 1) * n].to_vec()).collect();
        let mut b = y.to_vec();
        for k in 0..n {
            for i in k + 1..n {
                let f = a[i][k] / (3.0 + a[k][k] * a[k][k]);
                for j in k..n {
                    a[i][j] -= f * a[k][j];
                }
                b[i] -= f * b[k];
            }
        }
        let mut s = 0.0;
        for i in 0..n {
            s += b[i] / a[i][i];
        }
        s
    }

    /// The row itself is among the others: there, the loop runs as it stands.
    ///
    /// applied `reslice`
    pub(super) fn itself(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a: Vec<Vec<f64>> = (0..n).map(|i| x[i * n..(i + 1) * n].to_vec()).collect();
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    a[i][j] += y[k] * a[k][j];
                }
            }
        }
        let mut s = 0.0;
        for row in &a {
            for v in row {
                s += v * v;
            }
        }
        s
    }

    /// Adjoints of two rows are added to where they belong.
    ///
    /// applied `reslice`
    /// not applied `lanes`
    pub(super) fn pairs(x: &[f64], y: &[f64], n: usize) -> f64 {
        let p: Vec<Vec<f64>> = (0..n).map(|i| x[i * n..(i + 1) * n].to_vec()).collect();
        let mut t = 0.0;
        for i in 0..n {
            for j in 0..=i {
                let mut s = 0.0;
                for k in 0..n {
                    let d = p[i][k] - p[j][k];
                    s += d * d * y[k];
                }
                t += (-s).exp();
            }
        }
        t
    }

    /// Neighbours in three rows: those in one row are one sum.
    ///
    /// applied `reslice`, `wide`, `gather`
    pub(super) fn neighbours(x: &[f64], y: &[f64], n: usize) -> f64 {
        let u: Vec<Vec<f64>> = (0..n).map(|i| x[i * n..(i + 1) * n].to_vec()).collect();
        let mut v = vec![vec![0.0; n]; n];
        for i in 1..n - 1 {
            for j in 1..n - 1 {
                v[i][j] = u[i][j] * y[j] + u[i - 1][j] + u[i + 1][j] * u[i][j - 1] + u[i][j + 1];
            }
        }
        let mut s = 0.0;
        for i in 0..n {
            for j in 0..n {
                s += v[i][j] * v[i][j];
            }
        }
        s
    }

    /// Arrays of arrays, and two windows in one of the rows.
    ///
    /// applied `reslice`
    pub(super) fn arrays(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a = [[0.5; 40]; 3];
        let (m, half) = (n.min(20), 20);
        for i in 0..3 {
            for j in 0..m {
                a[i][j] = x[j * 3 + i];
                a[i][j + 20] = y[j];
            }
        }
        for i in 0..2 {
            for j in 0..m {
                a[i][j] += a[i + 1][j] * a[i][j + half];
                a[i + 1][j] *= 1.0 - a[i][j + half];
            }
        }
        let mut s = 0.0;
        for i in 0..3 {
            for j in 0..40 {
                s += a[i][j] * a[i][j];
            }
        }
        s
    }

    /// Lists in fields of elements.
    ///
    /// applied `reslice`
    pub(super) fn columns(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut layers: Vec<(Vec<f64>, f64)> = (0..n).map(|i| (x[i * n..(i + 1) * n].to_vec(), y[i])).collect();
        for k in 1..n {
            for j in 0..n {
                layers[k].0[j] += layers[k - 1].0[j] * y[j];
            }
        }
        let mut s = 0.0;
        for j in 0..n {
            s += layers[n - 1].0[j] * layers[n - 1].0[j];
        }
        s
    }

    /// From the end.
    ///
    /// applied `reslice`
    pub(super) fn reversed(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a: Vec<Vec<f64>> = (0..n).map(|i| x[i * n..(i + 1) * n].to_vec()).collect();
        for k in 0..n / 2 {
            for j in 0..n {
                a[k][n - 1 - j] += a[n - 1 - k][n - 1 - j] * y[j];
            }
        }
        let mut s = 0.0;
        for i in 0..n {
            for j in 0..n {
                s += a[i][j] * a[i][j] * y[i];
            }
        }
        s
    }
}

macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [1, 2, 3, 4, 5, 8, 13, 20, 37] {
                let (mut x, mut y) = (numbers(n * n, 3), numbers(n, 5));
                both!($f, $g, (&x, &y, n));
                both!($f, $g, (&x[..x.len() - 1], &y, n));
                both!($f, $g, (&x, &y[1..], n));
                x[n * n / 2] = f64::NAN;
                both!($f, $g, (&x, &y, n));
            }
            // Small numbers, so that products over all rows stay near one.
            for n in [5, 26] {
                let m = n * n;
                let all: Vec<f64> = numbers(m + n, 7).iter().map(|v| v * 0.3).collect();
                let (value, (dx, dy)) = on::$g(&all[..m], &all[m..], n);
                let off = off::$g(&all[..m], &all[m..], n);
                assert_eq!(value.to_bits(), off.0.to_bits());
                if n == 5 {
                    let want = differences(|p| on::$f(&p[..m], &p[m..], n), &all);
                    assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
                }
            }
        }
    )* };
}

compared! {
    gauss gauss_grad
    itself itself_grad
    pairs pairs_grad
    neighbours neighbours_grad
    arrays arrays_grad
    columns columns_grad
    reversed reversed_grad
}

/// Rows that are too short, or are not there: what was written until then is what the function wrote.
mod ragged {
    use super::*;

    twins! {
        /// applied `reslice`
        pub(super) fn eliminated(a: &mut [Vec<f64>], k: usize, i: usize, n: usize) {
            for j in 0..n {
                a[i][j] -= 0.5 * a[k][j];
            }
        }

        /// The index of a row may be below zero.
        ///
        /// applied `reslice`
        pub(super) fn before(a: &mut [Vec<f64>], k: usize, by: usize, n: usize) {
            for j in 0..n {
                a[k][j] += a[k - by][j];
            }
        }
    }

    fn rows(lens: [usize; 3]) -> Vec<Vec<f64>> {
        lens.iter().map(|len| numbers(*len, 3)).collect()
    }

    fn left(f: impl FnOnce(&mut [Vec<f64>]), mut a: Vec<Vec<f64>>) -> (bool, Vec<Vec<u64>>) {
        let done = outcome(|| f(&mut a)).is_some();
        (done, a.iter().map(|row| bits(row)).collect())
    }

    type Gradient =
        fn(&mut retrograde::Tape, &mut [Vec<f64>], &mut [Vec<f64>], usize, usize, usize, ());

    fn compare(f: fn(&mut [Vec<f64>], usize, usize, usize), gradients: [Gradient; 2]) {
        for lens in [[40; 3], [40, 31, 17], [0, 40, 40]] {
            for (k, i) in [
                (0, 1),
                (1, 0),
                (2, 1),
                (1, 1),
                (2, 2),
                (0, 3),
                (3, 0),
                (1, 2),
            ] {
                for n in [0, 1, 17, 30, 40] {
                    let a = rows(lens);
                    let want = left(|a| f(a, k, i, n), a.clone());
                    for g in gradients {
                        let mut bars: Vec<Vec<f64>> =
                            a.iter().map(|row| vec![1.0; row.len()]).collect();
                        let got = left(
                            |a| g(&mut retrograde::Tape::new(), a, &mut bars, k, i, n, ()),
                            a.clone(),
                        );
                        assert_eq!(got, want, "{lens:?} {k} {i} {n}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_elimination() {
        compare(
            on::eliminated,
            [on::eliminated_adjoint, off::eliminated_adjoint],
        );
    }

    #[test]
    fn a_row_before() {
        compare(on::before, [on::before_adjoint, off::before_adjoint]);
    }
}

/// What no single index tells apart.
mod refused {
    use super::*;

    twins! {
        /// Two indices differ.
        ///
        /// not applied `reslice`: forward: several arrays in `a` are written that no index tells apart
        pub(super) fn deeper(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut a = [[[0.5; 20]; 2]; 3];
            let m = n.min(20);
            for j in 0..m {
                a[0][1][j] = x[j];
            }
            for i in 1..3 {
                for j in 0..m {
                    a[i][0][j] += a[i - 1][1][j] * y[j];
                    a[i][1][j] *= x[j] + a[i][0][j];
                }
            }
            let mut s = 0.0;
            for j in 0..m {
                s += a[2][1][j] * a[2][0][j];
            }
            s
        }

        /// An element of the row that all iterations share, and that one of them changes: where they run on slices is
        /// decided in front of the loop, and they do not.
        ///
        /// applied `reslice`: forward: on slices of what it touches from 12 iterations on
        pub(super) fn shared(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut d: Vec<Vec<f64>> = (0..n).map(|i| x[i * n..(i + 1) * n].to_vec()).collect();
            for k in 0..n {
                for i in 0..n {
                    for j in 0..n {
                        d[i][j] += d[i][k] * d[k][j];
                    }
                }
            }
            let mut s = 0.0;
            for i in 0..n {
                s += d[i][i] * y[i];
            }
            s
        }
    }

    compared! {
        deeper deeper_grad
        shared shared_grad
    }
}
