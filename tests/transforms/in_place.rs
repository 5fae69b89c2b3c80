//! Matrices that are factorised, solved with, or inverted in place: what is overwritten was read by nobody, by the
//! bounds of the loops.

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, numbers, twins};

twins! {
    /// applied `ahead`
    /// records nothing
    pub(super) fn lu(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut m = x.to_vec();
        for k in 0..n {
            for i in k + 1..n {
                let f = m[i * n + k] / m[k * n + k];
                m[i * n + k] = f;
                for j in k + 1..n {
                    m[i * n + j] -= f * m[k * n + j];
                }
            }
        }
        let mut s = 0.0;
        for i in 0..n {
            s += m[i * n + i].abs().ln() * y[i];
        }
        s
    }

    /// What is divided holds the quotient, which is all that the reverse reads.
    ///
    /// not applied `strips`
    /// not applied `bulk`
    pub(super) fn normalized(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut p: Vec<f64> = x[..n].iter().map(|v| v * v + 1.0).collect();
        let mut total = 1.0;
        for i in 0..n {
            total += p[i];
        }
        for i in 0..n {
            p[i] /= total;
        }
        let mut s = 0.0;
        for i in 0..n {
            s += p[i] * p[i] * y[i];
        }
        s
    }

    /// What it held before is read, too, by the sum of squares, and so are the sums that take its place.
    ///
    /// applied `bulk`
    pub(super) fn squares(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut p: Vec<f64> = x[..n].iter().map(|v| v * v + 1.0).collect();
        let mut s = 0.0;
        for k in 0..3 {
            let mut total = k as f64;
            for i in 0..n {
                total += p[i] * p[i];
            }
            for i in 0..n {
                p[i] /= total + y[i] * y[i];
            }
            for i in 0..n {
                s += p[i] * p[n - 1 - i];
                p[i] += y[i];
            }
        }
        s
    }

    /// Rows of their own, and what is eliminated is overwritten, too.
    ///
    /// applied `ahead`
    pub(super) fn rows(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut m: Vec<Vec<f64>> = (0..n).map(|i| x[i * n..(i + 1) * n].to_vec()).collect();
        let mut b = y.to_vec();
        for k in 0..n {
            for i in k + 1..n {
                let f = m[i][k] / m[k][k];
                for j in k..n {
                    m[i][j] -= f * m[k][j];
                }
                b[i] -= f * b[k];
            }
        }
        for i in (0..n).rev() {
            let mut s = b[i];
            for j in i + 1..n {
                s -= m[i][j] * b[j];
            }
            b[i] = s / m[i][i];
        }
        b.iter().map(|v| v * v).sum()
    }

    /// The root is not divided by itself: one arm alone reads the diagonal.
    ///
    /// applied `ahead`
    pub(super) fn cholesky(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut l = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let mut t = x[i * n + j];
                for k in 0..j {
                    t -= l[i * n + k] * l[j * n + k];
                }
                if i == j {
                    l[i * n + j] = t.abs().sqrt();
                } else {
                    l[i * n + j] = t / l[j * n + j];
                }
            }
        }
        let mut s = 0.0;
        for i in 0..n {
            s += l[i * n + i] * y[i];
        }
        s
    }

    /// applied `ahead`
    pub(super) fn upper(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = vec![0.0; n];
        for i in (0..n).rev() {
            let mut t = y[i];
            for j in i + 1..n {
                t -= x[i * n + j] * z[j];
            }
            z[i] = t / x[i * n + i];
        }
        z.iter().map(|v| v * v).sum()
    }

    /// The inverse of a triangle, column by column.
    ///
    /// applied `ahead`
    pub(super) fn inverse(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut v = vec![0.0; n * n];
        for j in 0..n {
            v[j * n + j] = 1.0 / x[j * n + j];
            for i in j + 1..n {
                let mut t = 0.0;
                for k in j..i {
                    t += x[i * n + k] * v[k * n + j];
                }
                v[i * n + j] = -t / x[i * n + i];
            }
        }
        let mut s = 0.0;
        for i in 0..n * n {
            s += v[i] * v[i] * y[i % n];
        }
        s
    }

    /// The lower triangle from the right, and a counter that goes down.
    ///
    /// applied `ahead`
    pub(super) fn triangle(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = vec![0.0; n * n];
        for i in 0..n {
            t[i * n] = y[i];
            for j in 1..=i {
                let left = t[i * n + j - 1];
                t[i * n + j] = left * t[(i - 1) * n + j - 1].sin() * x[i * n + j] + y[j];
            }
        }
        let mut s = 0.0;
        for i in 0..n {
            s += t[i * n + i];
        }
        s
    }

    /// The element of the diagonal is overwritten behind what is read of the row below it.
    ///
    /// applied `ahead`
    pub(super) fn conditions(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut c = y.to_vec();
        for i in 0..n {
            let mut t = 0.1;
            for j in 0..n {
                if j < i {
                    t += c[j] * c[j] * x[i * n + j];
                }
            }
            if i > 0 {
                c[i] = t.sin();
            }
        }
        c.iter().map(|v| v * v).sum()
    }

    /// What is kept in the array is read back behind a loop that writes beside it.
    ///
    /// applied `forward_order`
    /// records nothing
    pub(super) fn kept(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut c = y.to_vec();
        for i in 0..n {
            let e = (x[i] * 0.5).exp();
            c[i] = e;
            for j in i + 1..n {
                c[j] += e * e * x[j];
            }
        }
        c.iter().sum()
    }
}

/// A matrix whose diagonal outweighs its rows, and a vector.
fn system(n: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut x, y) = (numbers(n * n, 3), numbers(n, 5));
    for i in 0..n {
        x[i * n + i] += 2.0 + n as f64;
    }
    (x, y)
}

/// `pivot`: an element of the diagonal in some of the runs.
macro_rules! compared {
    ($pivot:literal; $($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [0, 1, 2, 3, 4, 7, 13, 26] {
                let (mut x, mut y) = system(n);
                both!($f, $g, (&x, &y, n));
                both!($f, $g, (&x[..x.len() / 2], &y, n));
                if n > 1 {
                    x[n + 1] = $pivot;
                    both!($f, $g, (&x, &y, n));
                    y[n / 2] = f64::NAN;
                    both!($f, $g, (&x, &y, n));
                }
            }
            let (x, y) = system(5);
            let all = [x, y].concat();
            let (_, (dx, dy)) = on::$g(&all[..25], &all[25..], 5);
            let want = differences(|p| on::$f(&p[..25], &p[25..], 5), &all);
            assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
        }
    )* };
}
use compared;

// The sums over rows are added up in another order, which shows where a pivot all but vanishes.
compared! {
    1.0;
    rows rows_grad
}

compared! {
    0.0;
    lu lu_grad
    normalized normalized_grad
    squares squares_grad
    cholesky cholesky_grad
    upper upper_grad
    inverse inverse_grad
    triangle triangle_grad
    conditions conditions_grad
    kept kept_grad
}

/// What is overwritten was read, or may have been.
mod refused {
    use super::*;

    twins! {
        /// The last of the elements that are read.
        ///
        /// not applied `ahead`
        pub(super) fn inclusive(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut c = y.to_vec();
            for i in 0..n {
                let mut t = 0.1;
                for j in 0..=i {
                    t += c[j] * c[j] * x[i * n + j];
                }
                c[i] = t.sin();
            }
            c.iter().map(|v| v * v).sum()
        }

        /// The other arm.
        ///
        /// not applied `ahead`
        pub(super) fn otherwise(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut c = y.to_vec();
            for i in 0..n {
                let mut t = 0.1;
                for j in 0..n {
                    if j < i {
                        t += x[i * n + j];
                    } else {
                        t += c[j] * c[j] * x[i * n + j];
                    }
                }
                c[i] = t.sin();
            }
            c.iter().map(|v| v * v).sum()
        }

        /// From the end, the others are still to be written.
        ///
        /// not applied `ahead`
        pub(super) fn other_way(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut c = y.to_vec();
            for i in (0..n).rev() {
                let mut t = 0.1;
                for j in 0..i {
                    t += c[j] * c[j] * x[i * n + j];
                }
                c[i] = t.sin();
            }
            c.iter().map(|v| v * v).sum()
        }

        /// Each row in place, and the columns of the rows before.
        ///
        /// not applied `ahead`
        pub(super) fn transposed(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut m = x.to_vec();
            for i in 0..n {
                for j in 0..n {
                    m[i * n + j] = y[i] * m[j * n + i] * m[j * n + i] * 0.01;
                }
            }
            m.iter().sum()
        }

        /// As many columns as a parameter says: more than there are, or fewer.
        ///
        /// not applied `ahead`
        pub(super) fn any_columns(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut m = x.to_vec();
            let columns = y.len().min(2);
            for k in 0..n / 2 {
                for j in k + 1..n / 2 {
                    m[k * columns + j] = 0.1 * m[j * columns + k] * m[j * columns + k] + y[k];
                }
            }
            m.iter().sum()
        }

        /// No iteration shows that the products stay small: all of them may run without one.
        ///
        /// not applied `ahead`
        pub(super) fn without_an_access(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut m = x.to_vec();
            for i in 0..n {
                for j in 0..i {
                    if y[j] > 0.0 {
                        m[i * n + j] = 0.3 * m[j * n + j] * m[j * n + j];
                    }
                }
            }
            m.iter().sum()
        }

        /// The loop in the middle runs no iteration at first, so that the innermost one never begins at one.
        ///
        /// not applied `ahead`
        pub(super) fn empty_at_first(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut m = x.to_vec();
            let columns = y.len();
            let mut s = 0.0;
            for _ in 0..1 {
                for p in 0..columns.min(n) {
                    s += m[p] * m[p] * x[p];
                }
                for a in 1..n {
                    let end = if a == 2 { n } else { 0 };
                    for b in a..end {
                        for j in b..n {
                            m[j * columns] = x[0] * y[1];
                        }
                    }
                }
            }
            s + m.iter().sum::<f64>()
        }

        /// Nothing but the other loop says that the first index is not below zero, a large word.
        ///
        /// not applied `ahead`
        pub(super) fn below_zero(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut m = x.to_vec();
            let mut s = 0.0;
            for _ in 0..1 {
                for p in 0..2 {
                    s += m[p] * m[p] * x[p];
                }
                for i in 1..n {
                    for j in i - 1..=n {
                        m[j + 2] = x[0] * y[0];
                    }
                }
            }
            s + m.iter().sum::<f64>()
        }

        /// A neighbour is overwritten between the store and the last use.
        ///
        /// not applied `jam`
        /// records 8 bytes per iteration
        pub(super) fn lost(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut m = y.to_vec();
            let mut s = 0.0;
            for i in 0..n {
                let e = (x[i] * 0.5).exp();
                m[i] = e;
                for j in 0..=i {
                    m[j] += y[j];
                    s += e * y[j];
                }
            }
            s + m.iter().sum::<f64>()
        }
    }

    compared! {
        0.0;
        inclusive inclusive_grad
        otherwise otherwise_grad
        other_way other_way_grad
        transposed transposed_grad
        any_columns any_columns_grad
        without_an_access without_an_access_grad
        empty_at_first empty_at_first_grad
        below_zero below_zero_grad
        lost lost_grad
    }
}
