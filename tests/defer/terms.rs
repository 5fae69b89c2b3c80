//! What is added: signs, factors, several products, numbers of other types, fields, lengths that types give.

use crate::support::{assert_close, differences};
use crate::transformed::numbers;
use crate::{MATRICES, both, small, twins};

twins! {
    /// Products with signs and constants, of elements that arithmetic changes.
    ///
    /// applied `defer`
    pub(super) fn factors(w: &[f64], x: &[f64], #[constant] d: &[f64], #[constant] c: f64, n: usize, m: usize,
        steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.1;
                for j in 0..m {
                    s -= w[i * m + j] * (c - 2.0 * x[j + t]) * d[i];
                }
                total += s.sin();
            }
        }
        total
    }

    /// Names inside the inner loop, and arithmetic on the column.
    ///
    /// applied `defer`
    pub(super) fn named(w: &[f64], x: &[f64], #[constant] d: &[f64], #[constant] c: f64, n: usize, m: usize,
        steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.1;
                for j in 0..m {
                    let y = -x[j + t];
                    let z = y * y * c;
                    s += w[i * m + j] * (z + y) * d[i];
                }
                total += s.sin();
            }
        }
        total
    }

    /// Factors that all have gradients: they are added as they come.
    ///
    /// not applied `defer`
    pub(super) fn active_factors(w: &[f64], x: &[f64], d: &[f64], c: f64, n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.1;
                for j in 0..m {
                    s -= 2.0 * w[i * m + j] * x[j + t] * d[i] * c;
                }
                total += s.sin();
            }
        }
        total
    }

    /// A function of the column, in which an iteration has a record.
    ///
    /// not applied `defer`
    pub(super) fn function(w: &[f64], x: &[f64], d: &[f64], c: f64, n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.1;
                for j in 0..m {
                    let y = -x[j + t];
                    let z = y * y * c;
                    s += w[i * m + j] * (z.cos() + y) * d[i];
                }
                total += s.sin();
            }
        }
        total
    }

    /// Two matrices in one loop, and two products for one of them.
    ///
    /// applied `defer`
    pub(super) fn two(w: &[f64], u: &[f64], x: &[f64], y: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let (mut s, mut r) = (0.1, 0.2);
                for j in 0..m {
                    s += w[i * m + j] * x[j + t];
                    r += w[i * m + j] * y[j] - u[i * m + j] * y[j];
                }
                total += s.sin() * r;
            }
        }
        total
    }

    /// A product, and something else for the same rows.
    ///
    /// not applied `defer`
    pub(super) fn square(w: &[f64], x: &[f64], d: &[f64], #[constant] c: f64, n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.1;
                for j in 0..m {
                    s += w[i * m + j] * x[j + t] + c * w[i * m + j] * w[i * m + j];
                }
                total += s.sin() * d[i];
            }
        }
        total
    }

    /// Single precision.
    ///
    /// applied `defer`
    pub(super) fn single(w: &[f32], x: &[f32], n: usize, m: usize, steps: usize) -> f32 {
        let mut h = x.to_vec();
        let mut y = vec![0.0f32; n];
        for t in 0..steps {
            for i in 0..n {
                let mut s = 0.1f32;
                for j in 0..m {
                    s += w[i * m + j] * h[j];
                }
                y[i] = s.tanh();
            }
            for j in 0..m {
                h[j] = h[j] * 0.5 + y[j % n];
            }
        }
        let mut total = 0.0;
        for i in 0..n {
            total += y[i];
        }
        total
    }

    /// Inclusive ranges that begin behind the first elements, and rows with a gap between them.
    ///
    /// applied `defer`
    pub(super) fn ranges(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..=steps {
            for i in 1..=n {
                let mut s = 0.1;
                for j in 2..=m {
                    s += w[i * (m + 3) + j] * x[j - 2];
                }
                total += (s * (t as f64 + 0.5)).sin();
            }
        }
        total
    }

    /// Rows in the other order, and a matrix that is multiplied from the other side.
    ///
    /// not applied `defer`
    pub(super) fn transposed(w: &[f64], x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut total = 0.0;
        for t in 0..steps {
            let mut y = vec![0.0; m];
            for i in 0..n {
                let a = x[i + t];
                for j in 0..m {
                    y[j] += w[(n - 1 - i) * m + j] * a;
                }
            }
            for j in 0..m {
                total += y[j].sin();
            }
        }
        total
    }

    /// Lengths that the type gives.
    ///
    /// applied `defer`
    pub(super) fn array(w: &[f64; 64 * 48], x: &[f64; 48], steps: usize) -> f64 {
        let mut h = *x;
        let mut y = [0.0; 64];
        for t in 0..steps {
            for i in 0..64 {
                let mut s = 0.1;
                for j in 0..48 {
                    s += w[i * 48 + j] * h[j];
                }
                y[i] = s.tanh();
            }
            for j in 0..48 {
                h[j] = h[j] * 0.5 + y[j];
            }
        }
        h[3] + y[63]
    }

    /// An array of arrays.
    ///
    /// not applied `defer`
    pub(super) fn arrays(w: &[[f64; 48]; 64], x: &[f64; 48], steps: usize) -> f64 {
        let mut h = *x;
        let mut y = [0.0; 64];
        for t in 0..steps {
            for i in 0..64 {
                let mut s = 0.1;
                for j in 0..48 {
                    s += w[i][j] * h[j];
                }
                y[i] = s.tanh();
            }
            for j in 0..48 {
                h[j] = h[j] * 0.5 + y[j];
            }
        }
        h[3] + y[63]
    }

    /// Parts of a tuple.
    ///
    /// not applied `defer`
    pub(super) fn tuple(p: &(Vec<f64>, Vec<f64>, f64), x: &[f64], n: usize, m: usize, steps: usize) -> f64 {
        let mut h = x.to_vec();
        let mut y = vec![0.0; n];
        for t in 0..steps {
            for i in 0..n {
                let mut s = p.1[i] * p.2;
                for j in 0..m {
                    s += p.0[i * m + j] * h[j];
                }
                y[i] = s.tanh();
            }
            for j in 0..m {
                h[j] = h[j] * 0.5 + y[j % n];
            }
        }
        h[0] + y[n - 1]
    }
}

const STEPS: [usize; 4] = [0, 3, 5, 36];

#[test]
fn products_of_all_kinds() {
    for (n, m) in MATRICES.into_iter() {
        for steps in STEPS {
            let (w, u) = (small(n * m, 1, m), small(n * m, 2, m));
            let (x, d) = (numbers(n.max(m) + 40, 4), numbers(n, 5));
            both!(factors, factors_grad, &w, &x, &d, 0.7, n, m, steps);
            both!(named, named_grad, &w, &x, &d, 0.7, n, m, steps);
            both!(
                active_factors,
                active_factors_grad,
                &w,
                &x,
                &d,
                0.7,
                n,
                m,
                steps
            );
            both!(function, function_grad, &w, &x, &d, 0.7, n, m, steps);
            both!(square, square_grad, &w, &x, &d, 0.7, n, m, steps);
            both!(two, two_grad, &w, &u, &x, &d, n, n.min(m), steps);
            both!(transposed, transposed_grad, &w, &x, n, m, steps);
            let wide = small((n + 1) * (m + 3), 3, m);
            both!(ranges, ranges_grad, &wide, &x, n, m, steps);
            if n * m > 0 {
                let p = (w.clone(), d.clone(), 0.3);
                both!(tuple, tuple_grad, &p, &x[..m], n, m, steps);
            }
        }
    }
}

#[test]
fn lengths_of_types() {
    let (w, x) = (small(64 * 48, 1, 48), numbers(48, 2));
    let (w, x): ([f64; 64 * 48], [f64; 48]) = (w.try_into().unwrap(), x.try_into().unwrap());
    for steps in STEPS {
        both!(array, array_grad, &w, &x, steps);
        let rows: Vec<[f64; 48]> = w.as_chunks::<48>().0.to_vec();
        let rows: [[f64; 48]; 64] = rows.try_into().unwrap();
        both!(arrays, arrays_grad, &rows, &x, steps);
    }
}

#[test]
fn single_precision() {
    for (n, m) in [(3, 5), (64, 64), (65, 50), (200, 170)] {
        for steps in STEPS {
            let of = |x: Vec<f64>| -> Vec<f32> { x.into_iter().map(|x| x as f32).collect() };
            let (w, x) = (of(small(n * m, 1, m)), of(numbers(m, 2)));
            let (value, (dw, dx)) = on::single_grad(&w, &x, n, m, steps);
            assert_eq!(value.to_bits(), on::single(&w, &x, n, m, steps).to_bits());
            let (_, (want, wanted)) = off::single_grad(&w, &x, n, m, steps);
            for (a, b) in dw.iter().zip(&want).chain(dx.iter().zip(&wanted)) {
                assert!((a - b).abs() <= 1e-4 * b.abs().max(1.0), "{a} {b}");
            }
        }
    }
}

#[test]
fn against_differences() {
    let (n, m, steps) = (20, 17, 4);
    let (w, u) = (small(n * m, 1, m), small(n * m, 2, m));
    let (x, d) = (numbers(n + 40, 4), numbers(n, 5));
    let (_, (dw, ..)) = on::named_grad(&w, &x, &d, 0.7, n, m, steps);
    let want = differences(|w| on::named(w, &x, &d, 0.7, n, m, steps), &w);
    assert_close(&dw, &want, 1e-6, &[]);
    let (_, (dw, du, ..)) = on::two_grad(&w, &u, &x, &d, n, m, steps);
    let want = differences(|w| on::two(w, &u, &x, &d, n, m, steps), &w);
    assert_close(&dw, &want, 1e-6, &[]);
    let want = differences(|u| on::two(&w, u, &x, &d, n, m, steps), &u);
    assert_close(&du, &want, 1e-6, &[]);
}
