//! Where products are added as they come: each function violates one condition, or is close to it.

use crate::transformed::numbers;
use crate::{MATRICES, both, small, twins};

twins! {
    /// The matrix changes from step to step.
    ///
    /// not applied `defer`
    pub(super) fn descent(w0: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut w = w0.to_vec();
        let mut total = 0.0;
        let mut h = vec![0.0; n];
        for t in 0..steps {
            for i in 0..n {
                let mut s = -0.5;
                for j in 0..m {
                    s += w[i * m + j] * x[j];
                }
                h[i] = s;
            }
            for i in 0..n {
                for j in 0..m {
                    w[i * m + j] -= 0.01 * h[i] * x[j];
                }
            }
            for i in 0..n {
                total += h[i] * h[i];
            }
        }
        total
    }

    /// One element of it does, in the last step.
    ///
    /// not applied `defer`
    pub(super) fn one_element(w0: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut w = w0.to_vec();
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = -0.5;
                for j in 0..m {
                    s += w[i * m + j] * x[j + t];
                }
                total += s * s;
            }
            if t + 2 == steps {
                w[3] = total * 0.001;
            }
        }
        total
    }

    /// Each step has a matrix of its own.
    ///
    /// not applied `defer`
    pub(super) fn matrices(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.0;
                for j in 0..m {
                    s += w[(t * n + i) * m + j] * x[j];
                }
                total += s * s;
            }
        }
        total
    }

    /// Which matrix it is, is read.
    ///
    /// applied `defer`
    pub(super) fn experts(w: &[f64], x: &[f64], which: &[usize], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..which.len() {
            let first = which[t];
            for i in 0..n {
                let mut s = 0.0;
                for j in 0..m {
                    s += w[first + i * m + j] * x[j];
                }
                total += s * s;
            }
        }
        total
    }

    /// Rows and columns differ from step to step.
    ///
    /// applied `defer`
    pub(super) fn shapes(w: &[f64], x: &[f64], rows: &[usize], columns: &[usize], m: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..rows.len() {
            let (n, c) = (rows[t], columns[t]);
            for i in 0..n {
                let mut s = 0.0;
                for j in 0..c {
                    s += w[i * m + j] * x[j + t];
                }
                total += s.sin();
            }
        }
        total
    }

    /// What is added is no product of a row's factor and a column's.
    ///
    /// not applied `defer`
    pub(super) fn no_product(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.1;
                for j in 0..m {
                    s += (w[i * m + j] * x[j + t]).sin();
                }
                total += s * s;
            }
        }
        total
    }

    /// Sums of rows alone.
    ///
    /// not applied `defer`
    pub(super) fn no_columns(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = x[t];
                for j in 0..m {
                    s += w[i * m + j];
                }
                total += s * s * x[i];
            }
        }
        total
    }

    /// One loop over the matrix, and none around it.
    ///
    /// not applied `defer`
    pub(super) fn once(w: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let mut s = 0.1;
            for j in 0..m {
                s += w[i * m + j] * x[j];
            }
            total += s * s;
        }
        total
    }

    /// A callee adds to the matrix's adjoint as well.
    ///
    /// not applied `defer`
    pub(super) fn layer(w: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let mut s = 0.3;
            for j in 0..m {
                s += w[i * m + j] * x[j];
            }
            total += s.cos();
        }
        total
    }
    /// not applied `defer`
    pub(super) fn calls(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.1;
                for j in 0..m {
                    s += w[i * m + j] * x[j + t];
                }
                total += s * s;
            }
            total += layer(w, x, n, m);
        }
        total
    }

    /// The matrix multiplies one of its own rows.
    ///
    /// not applied `defer`
    pub(super) fn itself(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = x[t];
                for j in 0..m {
                    s += w[i * m + j] * w[j];
                }
                total += s.sin();
            }
        }
        total
    }

    /// Rows that are vectors of their own, and rows that meet.
    ///
    /// not applied `defer`
    pub(super) fn vectors(w: &[Vec<f64>], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.1;
                for j in 0..m {
                    s += w[i][j] * x[j + t];
                }
                total += s * s;
            }
        }
        total
    }
    /// applied `defer`
    pub(super) fn meeting(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.1;
                for j in 0..m {
                    s += w[i * 3 + j] * x[j + t];
                }
                total += s * s;
            }
        }
        total
    }

    /// More is added to its elements in the same loop, which is no reason.
    ///
    /// applied `defer`
    pub(super) fn with_penalty(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.1;
                for j in 0..m {
                    s += w[i * m + j] * x[j + t];
                }
                total += s * s;
            }
            for k in 0..n * m {
                total += 0.01 * w[k] * w[k] * x[t];
            }
            total += w[n * m - 1] * x[t];
        }
        total
    }

    /// The adjoint is read between the steps of an outer loop, not between those of an inner one.
    ///
    /// applied `defer`
    pub(super) fn rounds(w0: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut w = w0.to_vec();
        let mut total = 0.0;
        for e in 0..3 {
            for t in 0..steps {
                for i in 0..n {
                    let mut s = -0.5;
                    for j in 0..m {
                        s += w[i * m + j] * x[j + t];
                    }
                    total += s * s;
                }
            }
            for k in 0..n * m {
                w[k] = w[k] * 0.5 + total * 1e-6;
            }
        }
        total
    }

    /// A matrix that each iteration of the outer loop declares.
    ///
    /// applied `defer`
    pub(super) fn declared(w0: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for e in 0..2 {
            let mut w = vec![0.0; n * m];
            for k in 0..n * m {
                w[k] = w0[k] * (e as f64 + 0.5);
            }
            for t in 0..steps {
                for i in 0..n {
                    let mut s = -0.5;
                    for j in 0..m {
                        s += w[i * m + j] * x[j + t];
                    }
                    total += s * s;
                }
            }
        }
        total
    }
}

const STEPS: [usize; 4] = [0, 1, 5, 36];

#[test]
fn conditions() {
    for (n, m) in MATRICES.into_iter().filter(|(n, m)| n * m > 8) {
        for steps in STEPS {
            let (w, x) = (small(n * m, 1, m), numbers(n.max(m) + 40, 4));
            both!(descent, descent_grad, &w, &x, n, m, steps);
            both!(one_element, one_element_grad, &w, &x, n, m, steps);
            both!(no_product, no_product_grad, &w, &x, n, m, steps);
            both!(no_columns, no_columns_grad, &w, &x, n, m, steps);
            both!(calls, calls_grad, &w, &x, n, m, steps);
            both!(itself, itself_grad, &w, &x, n, m, steps);
            both!(meeting, meeting_grad, &w, &x, n.min(m / 4), m / 4, steps);
            both!(with_penalty, with_penalty_grad, &w, &x, n, m, steps);
            both!(rounds, rounds_grad, &w, &x, n, m, steps);
            both!(declared, declared_grad, &w, &x, n, m, steps);
            let rows: Vec<Vec<f64>> = w.chunks(m).map(<[f64]>::to_vec).collect();
            both!(vectors, vectors_grad, &rows, &x, n, m, steps);
            let many = small(n * m * steps, 2, m);
            both!(matrices, matrices_grad, &many, &x, n, m, steps);
        }
        let (w, x) = (small(n * m, 1, m), numbers(m, 4));
        both!(once, once_grad, &w, &x, n, m);
    }
}

#[test]
fn what_is_found_when_the_loop_runs() {
    let (n, m) = (64, 64);
    let (w, x) = (small(3 * n * m, 1, m), numbers(m + 20, 4));
    let all = n * m;
    for which in [
        vec![0, 0, 0, 0, all, all, all, 0, 2 * all, 0, 0, 0],
        vec![0, 7, 7, 7, 7, 1, 1, 1],
        vec![2 * all + 1, 2 * all, 0],
    ] {
        both!(experts, experts_grad, &w, &x, &which, n, m);
    }
    for (rows, columns) in [
        (vec![64; 8], vec![64, 64, 64, 64, 63, 63, 63, 63]),
        (vec![64, 64, 64, 65, 65, 65, 66, 66, 66], vec![64; 9]),
        (
            vec![0, 64, 64, 0, 64, 64, 64],
            vec![64, 64, 64, 64, 0, 64, 64],
        ),
        (vec![64, 64, 64, 193, 64], vec![64; 5]),
    ] {
        both!(shapes, shapes_grad, &w, &x, &rows, &columns, m);
    }
}
