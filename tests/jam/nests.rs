//! Iterations that go through several loops at once.

use crate::twins::{numbers, twins};
use crate::{OUTER, both};

/// A length that the compiler does not see.
const K: usize = 3;

twins! {
    /// A filter over rows.
    ///
    /// applied `jam`
    pub(super) fn filter(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let width = n + 4;
        let mut out = vec![0.5; m * n];
        for r in 0..m {
            for c in 0..n {
                let mut sum = x[r];
                for i in 0..K {
                    for j in 0..K {
                        sum += x[i * K + j] * a[(r + i) * width + c + j];
                    }
                }
                out[r * n + c] = sum;
            }
        }
        let mut total = 0.0;
        for k in 0..out.len() {
            total += out[k] * out[k];
        }
        total
    }

    /// Two loops behind one another, and sums over all columns that have an order.
    ///
    /// applied `jam`
    pub(super) fn two_loops(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.25;
        for c in 0..n {
            let (mut s, mut t) = (x[0], 0.0);
            for j in 0..m {
                s += a[j * n + c] * x[j];
            }
            let scale = s * 0.125;
            for k in 0..m {
                t += a[k * n + c] * scale - x[k];
            }
            total = total * 0.5 + (s + t) * scale;
        }
        total
    }

    /// Numbers of both kinds, flags, a branch in the loops, ranges that depend on one another, and what is behind the
    /// loops under a condition.
    ///
    /// applied `jam`
    pub(super) fn flags(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut least = 10.0;
        for c in 0..n {
            let mut s = 0.0;
            let mut p: f32 = 0.5;
            let mut hit = false;
            for i in (0..m).rev() {
                for j in (i..m).step_by(2) {
                    let row = (i + j) / 2;
                    let base = row * n;
                    let t = a[base + c] * x[j];
                    if a[base + c] > 0.25 {
                        s += t;
                        hit = true;
                    } else {
                        p += t as f32 * 0.5;
                    }
                }
            }
            if hit && s < least {
                least = s * p as f64;
            }
        }
        least
    }

    /// The loops have records.
    ///
    /// not applied `jam`
    pub(super) fn branches(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut least = 10.0;
        for c in 0..n {
            let mut s = 0.0;
            let mut p: f32 = 0.5;
            let mut hit = false;
            let own = a[c];
            for i in (0..m).rev() {
                for j in (i..m).step_by(2) {
                    let row = (i + j) / 2;
                    let base = row * n;
                    let t = a[base + c] * x[j];
                    if t > own {
                        s += t * own;
                        hit = true;
                    } else if hit {
                        p += t as f32 * 0.5;
                    }
                }
                s *= 0.5;
            }
            if hit && s < least {
                least = s * p as f64;
            }
        }
        least
    }

    /// An index of the column, and one that is there under a condition alone.
    ///
    /// applied `jam`
    pub(super) fn neighbours(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for c in 0..n {
            let right = c + 1;
            let mut s = 0.0;
            for i in 0..m {
                for j in 0..K {
                    let at = (i + j) * (n + 4);
                    s += a[at + right] * x[j];
                    if i > 0 {
                        s -= a[at - (n + 4) + right] * x[j];
                    }
                }
            }
            total += s * s * (c as f64 + 1.0);
        }
        total
    }

    /// What is behind the loops has records.
    ///
    /// applied `jam`
    pub(super) fn records(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for c in 0..n {
            let mut s = 0.0;
            for i in 0..m {
                for j in 0..K {
                    s += a[(i * K + j) * n + c] * x[j];
                }
            }
            total += s.tanh() * s;
        }
        total
    }

    /// Integers in front of the loops, between them and behind them, which what follows them uses.
    ///
    /// applied `jam`
    pub(super) fn integers(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.5;
        for c in 0..n {
            let first = m / 2;
            let mut s = x[first];
            for i in 0..m {
                s += a[i * n + c] * x[i];
            }
            let second = first + 1;
            for i in 0..m {
                s -= a[i * n + c] * x[second];
            }
            let third = second + c;
            total = total * 0.75 + s * x[first] * a[third] * x[second];
        }
        total
    }

    /// Rows of their own, and an element in front of the loops.
    ///
    /// applied `jam`
    pub(super) fn rows(a: &[Vec<f64>], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for c in 0..n {
            let mut s = x[c];
            for i in 0..m {
                for j in 0..K {
                    s += a[i][c + j] * x[j];
                }
            }
            total += s * s;
        }
        total
    }

    /// Rows that are there behind `&&` and `||` alone, in the loops and in front of them.
    ///
    /// not applied `jam`
    pub(super) fn guarded(a: &[f64], rows: &[Vec<f64>], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for c in 0..n {
            let first = m > 9 && rows[m][c] > 0.0;
            let mut s = if first { 1.0 } else { 0.5 };
            for i in 0..m {
                for j in 0..K {
                    let q = i + j;
                    let none = q >= rows.len() || rows[q][c] < -2.0;
                    if i > 0 && rows[i - 1][c] > 0.0 || !none {
                        s += a[(i * K + j) * n + c];
                    }
                }
            }
            total += s * s;
        }
        total
    }

    /// An element of the iteration's own row, of which one may be short.
    ///
    /// not applied `jam`
    pub(super) fn third(a: &[f64], rows: &[Vec<f64>], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for c in 0..n {
            let mut s = 0.25;
            for i in 0..m {
                for j in 0..K {
                    s += a[(i * K + j) * n + c] * rows[c][2];
                }
            }
            total += s * s;
        }
        total
    }

    /// Elements at distances that a list has.
    ///
    /// applied `jam`
    pub(super) fn bands(a: &[f64], x: &[f64], #[constant] offsets: &[usize], n: usize, m: usize) -> f64 {
        let mut total = 0.5;
        for c in 0..n {
            let mut s = 0.0;
            for i in 0..m {
                for k in 0..offsets.len() {
                    let away = offsets[k];
                    s += a[i + k] * x[c + away];
                }
            }
            total = total * 0.75 + s;
        }
        total
    }

    /// A sum of the iteration before.
    ///
    /// not applied `jam`
    pub(super) fn handed_on(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut last = 0.25;
        for c in 0..n {
            let mut s = last;
            for i in 0..m {
                for j in 0..K {
                    s += a[(i * K + j) * n + c] * x[j];
                }
            }
            last = (s * 0.1).sin();
        }
        last
    }

    /// An array that later iterations read in the loops.
    ///
    /// not applied `jam`
    pub(super) fn read_inside(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut out = x.to_vec();
        out.resize(n + m * K + 1, 0.5);
        for c in 0..n {
            let mut s = 0.0;
            for i in 0..m {
                for j in 0..K {
                    s += a[(i * K + j) * n + c] * out[c + i];
                }
            }
            out[c + 1] = s * 0.25;
        }
        out[n] * out[n / 2]
    }

    /// A sum that all iterations add to in the loops.
    ///
    /// not applied `jam`
    pub(super) fn one_sum(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for c in 0..n {
            for i in 0..m {
                for j in 0..K {
                    total = total * 0.99 + a[(i * K + j) * n + c] * x[j];
                }
            }
        }
        total
    }

    /// A range that changes with the outer loop.
    ///
    /// not applied `jam`
    pub(super) fn triangle(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for c in 0..n {
            let mut s = 0.0;
            for i in 0..m {
                for j in 0..(c % K) {
                    s += a[(i * K + j) * n + c] * x[j];
                }
            }
            total += s * s;
        }
        total
    }

    /// An element for each iteration that is somewhere.
    ///
    /// not applied `jam`
    pub(super) fn gathered(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for c in 0..n {
            let mut s = 0.0;
            for i in 0..m {
                for j in 0..K {
                    s += a[(i * K + j) * n + (c + i) % n] * x[j];
                }
            }
            total += s * s;
        }
        total
    }

    /// What is left early.
    ///
    /// not applied `jam`
    pub(super) fn left_early(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for c in 0..n {
            let mut s = 0.0;
            for i in 0..m {
                for j in 0..K {
                    s += a[(i * K + j) * n + c] * x[j];
                    if s > 0.5 {
                        break;
                    }
                }
            }
            total += s * s;
        }
        total
    }
}

/// Rows of the inner loops: none, one, and some.
const ROWS: [usize; 4] = [0, 1, 2, 5];

#[test]
fn through_loops() {
    for n in OUTER {
        for m in ROWS {
            let (a, x) = (
                numbers((m + K) * K * (n + 4), 1),
                numbers(m.max(K * K) + K, 2),
            );
            both!(filter, filter_grad, &a, &x, n, m);
            both!(two_loops, two_loops_grad, &a, &x, n, m);
            both!(flags, flags_grad, &a, &x, n, m);
            both!(branches, branches_grad, &a, &x, n, m);
            both!(neighbours, neighbours_grad, &a, &x, n, m);
            both!(integers, integers_grad, &a, &x, n, m);
            both!(records, records_grad, &a, &x, n, m);
            both!(handed_on, handed_on_grad, &a, &x, n, m);
            both!(read_inside, read_inside_grad, &a, &x, n, m);
            both!(one_sum, one_sum_grad, &a, &x, n, m);
            both!(triangle, triangle_grad, &a, &x, n, m);
            both!(gathered, gathered_grad, &a, &x, n, m);
            both!(left_early, left_early_grad, &a, &x, n, m);
        }
    }
}

/// Gradients by differences, with a whole block and a part of one.
#[test]
fn differences_agree() {
    let (n, m) = (11, 2);
    let (a, x) = (numbers((m + K) * (n + 4), 3), numbers(K * K + m, 4));
    let all = [&a[..], &x[..]].concat();
    type Function = fn(&[f64], &[f64], usize, usize) -> f64;
    type Gradient = fn(&[f64], &[f64], usize, usize) -> (f64, (Vec<f64>, Vec<f64>));
    let pairs: [(Function, Gradient); 3] = [
        (on::filter, on::filter_grad),
        (on::two_loops, on::two_loops_grad),
        (on::neighbours, on::neighbours_grad),
    ];
    for (f, grad) in pairs {
        let at = a.len();
        crate::support::check(
            |p| f(&p[..at], &p[at..], n, m),
            |p| grad(&p[..at], &p[at..], n, m),
            &[&all],
        );
    }
}

#[test]
fn what_may_not_be_there() {
    for n in OUTER {
        for m in ROWS {
            let (a, x) = (numbers(m * K * n, 1), numbers(n + 9, 2));
            let rows: Vec<Vec<f64>> = (0..m + 1).map(|i| numbers(n, i as u32)).collect();
            both!(guarded, guarded_grad, &a, &rows, n, m);
            let mut own: Vec<Vec<f64>> = (0..n).map(|i| numbers(3, i as u32)).collect();
            both!(third, third_grad, &a, &own, n, m);
            own.iter_mut()
                .skip(5)
                .step_by(7)
                .for_each(|row| row.truncate(2));
            both!(third, third_grad, &a, &own, n, m);
            for offsets in [&[][..], &[0, 3, 1], &[2, 8], &[0, 9], &[0, usize::MAX]] {
                let a = numbers(m + 4, 3);
                both!(bands, bands_grad, &a, &x, offsets, n, m);
            }
        }
    }
}

/// A row that is missing, or too short for the last columns.
#[test]
fn rows_that_end() {
    for n in OUTER {
        for m in ROWS {
            let x = numbers(n.max(K), 2);
            let whole: Vec<Vec<f64>> = (0..m).map(|i| numbers(n + K, i as u32)).collect();
            both!(rows, rows_grad, &whole, &x, n, m);
            for i in 0..m {
                let mut short = whole.clone();
                short[i].truncate(n + 1);
                both!(rows, rows_grad, &short, &x, n, m);
                short.pop();
                both!(rows, rows_grad, &short, &x, n, m);
            }
        }
    }
}
