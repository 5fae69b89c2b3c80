//! Loops around a sum, several iterations of which run together.

use crate::twins::{SIZES, agree, numbers, twins};

twins! {
    /// applied `jam`
    pub(super) fn deferred(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let t;
            let mut s = 0.0;
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            t = s * 2.0;
            total += t * s;
        }
        total
    }

    /// not applied `jam`
    pub(super) fn bound_from_a_mutable(a: &[f64], x: &[f64], sizes: &[usize], n: usize) -> f64 {
        let mut total = 0.0;
        let mut m = 3;
        for i in 0..n {
            let mut s = 0.0;
            m = sizes[i];
            for j in 0..m {
                s += a[j] * x[j];
            }
            total += s * s;
        }
        total
    }

    /// not applied `jam`
    pub(super) fn carried(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut before = 0.5;
        let mut after = 0.3;
        let mut flips = 0.0;
        for i in 0..n {
            before = before * 0.9 + a[i];
            let up = a[i] > 0.0;
            let mut s = 0.0;
            for j in 0..m {
                if up {
                    s += a[i * m + j] * x[j];
                } else {
                    s -= x[j] * x[j];
                }
            }
            if up {
                after = after * s + s.sin();
            } else {
                after -= s;
            }
            flips += if up { s * s } else { s };
        }
        before * after + flips
    }

    /// A flag, numbers of both kinds and a counter live across the inner loop; sums go on before and after it.
    ///
    /// applied `jam`
    pub(super) fn kept(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut before = 0.5;
        let mut after = -0.0;
        let mut small: f32 = 0.0;
        for i in 0..n {
            before += a[i] * a[i];
            let up = a[i] > 0.0;
            let third: f32 = i as f32 / 3.0;
            let mut s = a[i];
            let mut q: f32 = third;
            for j in 0..m {
                if up {
                    s += a[i * m + j] * x[j];
                } else {
                    s -= x[j] * j as f64 * i as f64;
                }
                q += third;
            }
            if up {
                after -= s;
            } else {
                after += s * 0.5;
            }
            small += q * third;
        }
        before * after + small as f64
    }

    /// What an iteration of a jammed loop leaves on the tape.
    ///
    /// applied `jam`, `terms`
    pub(super) fn recorded(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let scale = (a[i] * 0.3).exp();
            let mut s = 0.0;
            let mut q = 0.1;
            for j in 0..m {
                s += a[i * m + j] * x[j];
                q += x[j] * scale;
            }
            total += s.tanh() * scale * q.sin();
        }
        total
    }

    /// Records under an inclusive range that begins late.
    ///
    /// not applied `jam`
    pub(super) fn recorded_late(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 1..=n {
            let row = (i - 1) * m;
            let mut s = -0.0;
            for j in 1..=m {
                let k = row + j;
                s += a[k - 1] * x[j - 1];
            }
            total = total * 0.5 + s.exp();
        }
        total
    }

    /// An inclusive range of rows, and columns that begin late.
    ///
    /// applied `jam`, `terms`
    pub(super) fn late(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 1..=n {
            let mut s = -0.0;
            for j in 1..=m {
                s += a[i * m + j - (m + 1)] * x[j - 1];
            }
            total = total * 0.5 + s.exp();
        }
        total
    }

    /// A bias before, a neighbour after, and the same element read and written.
    ///
    /// applied `jam`, `terms`
    pub(super) fn dense(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut y = a[..n].to_vec();
        let mut last = 0.0;
        for i in 0..n {
            y[i] = y[i] * y[i];
            let mut s = y[i];
            for j in 0..m {
                s += a[i * m + j] * x[j] * y[i];
            }
            y[i] = s * a[i];
            last = s;
        }
        let mut t = last;
        for i in 0..n {
            t += y[i] * y[i];
        }
        t
    }

    /// not applied `jam`
    pub(super) fn trouble(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut c = 1.0;
        for i in 0..n {
            let old = c;
            c = c * a[i] + 0.5;
            let mut s = c;
            for j in 0..m {
                s += a[i * m + j] * x[j] * old;
            }
            c = c + 0.1 * s;
        }
        c
    }

    /// applied `jam`, `terms`
    pub(super) fn product_record(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut p = 1.0;
        for i in 0..n {
            let mut s = 0.5;
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            p *= s;
        }
        p
    }

    /// applied `jam`, `terms`
    pub(super) fn scaled_product(a: &[f64], x: &[f64], n: usize, m: usize) -> f64 {
        let mut p = 1.0;
        let mut total = 0.0;
        for i in 0..n {
            p *= a[i];
            let mut s = 0.5;
            for j in 0..m {
                s += a[i * m + j] * x[j];
            }
            total += s.exp();
        }
        p * total
    }
}

#[test]
fn carried_and_kept_variables() {
    for n in SIZES {
        for m in [0, 1, 2, 3, 7, 16, 17] {
            let (a, x) = (numbers(n * m.max(1), 1), numbers(m, 2));
            macro_rules! both {
                ($f:ident, $g:ident) => {
                    agree(
                        || on::$f(&a, &x, n, m),
                        || on::$g(&a, &x, n, m),
                        || off::$g(&a, &x, n, m),
                    );
                    if n > 3 {
                        let n = n + 1;
                        agree(
                            || on::$f(&a, &x, n, m),
                            || on::$g(&a, &x, n, m),
                            || off::$g(&a, &x, n, m),
                        );
                    }
                };
            }
            both!(deferred, deferred_grad);
            both!(kept, kept_grad);
            both!(recorded, recorded_grad);
            both!(recorded_late, recorded_late_grad);
            both!(late, late_grad);
            both!(dense, dense_grad);
            both!(carried, carried_grad);
            both!(trouble, trouble_grad);
            both!(product_record, product_record_grad);
            both!(scaled_product, scaled_product_grad);
        }
        let (a, x) = (numbers(20, 1), numbers(20, 2));
        let sizes: Vec<usize> = (0..n).map(|i| (i * 7) % 20).collect();
        agree(
            || on::bound_from_a_mutable(&a, &x, &sizes, n),
            || on::bound_from_a_mutable_grad(&a, &x, &sizes, n),
            || off::bound_from_a_mutable_grad(&a, &x, &sizes, n),
        );
    }
}
