//! Iterations that leave records while they run forward, and take them back in reverse at once; what they keep
//! outside of the loop, each has for itself.

use retrograde::Tape;

use crate::{SIZES, check, numbers, twins};

#[retrograde::gradient]
pub(crate) fn squares(v: Vec<f64>) -> f64 {
    let mut sum = 0.0;
    for i in 0..v.len() {
        sum += v[i] * v[i];
    }
    sum
}

#[retrograde::gradient]
pub(crate) fn powers(x: f64, n: usize) -> Vec<f64> {
    let mut v = vec![1.0; n];
    for k in 1..n {
        v[k] = v[k - 1] * x;
    }
    v
}

twins! {
    /// The adjoint of its terms is known behind them.
    ///
    /// not applied `fuse`
    pub(crate) fn log_sum_exp(x: &[f64]) -> f64 {
        let mut largest = x[0];
        for i in 1..x.len() {
            if x[i] > largest {
                largest = x[i];
            }
        }
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += (x[i] - largest).exp();
        }
        largest + sum.ln()
    }

    /// The vectors of an iteration stand outside of the loop, and a function takes one of them.
    ///
    /// applied `fuse`
    pub(crate) fn mixture(means: &[f64], entries: &[f64], x: &[f64]) -> f64 {
        let d = 3;
        let k = means.len() / d;
        let mut total = 0.0;
        let mut centred = vec![0.0; d];
        let mut scaled = vec![0.0; d];
        let mut terms = vec![0.0; k];
        for p in 0..x.len() / d {
            for c in 0..k {
                for i in 0..d {
                    centred[i] = x[p * d + i] - means[c * d + i];
                    scaled[i] = centred[i] * 0.5;
                }
                for i in 0..d {
                    for j in i + 1..d {
                        scaled[j] += entries[(i + j) % entries.len()] * centred[i];
                    }
                }
                let mut square = 0.0;
                for i in 0..d {
                    square += scaled[i] * scaled[i];
                }
                terms[c] = 0.1 - square;
            }
            let mut largest = -1e300;
            for c in 0..k {
                if terms[c] > largest {
                    largest = terms[c];
                }
            }
            let mut sum = 0.0;
            for c in 0..k {
                sum += (terms[c] - largest).exp();
            }
            total += (1.0 + sum).ln();
        }
        total
    }

    /// applied `fuse`
    pub(crate) fn points(x: &[f64], n: usize) -> f64 {
        let m = x.len() / n;
        let mut row = vec![0.0; m];
        let mut total = 0.0;
        for p in 0..n {
            for j in 0..m {
                row[j] = (x[p * m + j] * 0.7).sin();
            }
            total += log_sum_exp(&row);
        }
        total * 0.5
    }

    /// Functions take vectors, and yield them, by value.
    ///
    /// applied `fuse`
    pub(crate) fn by_value(x: &[f64], y: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 0..x.len() {
            let (v, last) = (powers(x[i], 3), y.len() - 1);
            let w = v.clone();
            total += w[2] * v[1] * y[last] + squares(v);
            let u = powers(y[0] * w[1], 2);
            total += squares(u) * w[1];
        }
        total
    }

    /// What is filled is added to.
    ///
    /// applied `fuse`
    pub(crate) fn bins(x: &[f64], y: &[f64]) -> f64 {
        let mut bins = [0.0; 4];
        let mut total = 0.0;
        for i in 0..x.len() {
            bins.fill(0.1);
            for j in 0..y.len() {
                bins[j % 4] += (x[i] * y[j]).sin();
            }
            for b in 0..4 {
                total += bins[b].ln() * bins[3 - b];
            }
        }
        total
    }

    /// A scalar outside that each iteration writes first, and an array of numbers without derivative.
    ///
    /// applied `fuse`
    pub(crate) fn outside(x: &[f64], y: &[f64]) -> f64 {
        let mut product = 3.0;
        let mut order = vec![7usize; 2];
        let mut total = 0.0;
        for i in 0..x.len() {
            product = x[i];
            order[0] = i % 2;
            order[1] = (i + 1) % 2;
            for j in 0..y.len() {
                product *= 1.0 + 0.1 * y[j] * x[i];
            }
            total += product.sqrt() * y[order[1]] + y[order[0]].sqrt();
        }
        total
    }

    /// An inner loop that ends when the data say so, and arms with loops.
    ///
    /// applied `fuse`
    pub(crate) fn until(x: &[f64], y: &[f64]) -> f64 {
        let mut total = 0.0;
        for i in 0..x.len() {
            let mut t = x[i];
            let mut k = 0;
            while t > 0.3 && k < y.len() {
                t *= 0.6 + 0.2 * y[k];
                k += 1;
            }
            if k % 2 == 0 {
                for j in 0..y.len() {
                    t = (t * y[j]).cos();
                }
            } else {
                t = t.exp();
            }
            total += t * t;
        }
        total
    }

    /// The text does not show that both have one length.
    ///
    /// not applied `fuse`
    pub(crate) fn iterators(x: &[f64], y: &[f64]) -> f64 {
        let mut row = vec![0.0; y.len()];
        let mut total = 0.0;
        for i in 0..x.len() {
            for (r, y) in row.iter_mut().zip(y) {
                *r = (x[i] * y).sin();
            }
            total += row.iter().map(|v| v.exp() * v).sum::<f64>();
        }
        total
    }

    /// applied `fuse`
    pub(crate) fn copied(x: &[f64], y: &[f64]) -> f64 {
        let m = y.len();
        let mut row = vec![0.0; m];
        let mut total = 0.0;
        for p in 0..x.len() / m {
            row.copy_from_slice(&x[p * m..(p + 1) * m]);
            for j in 1..m {
                row[j] = (row[j - 1] * y[j]).sin() + row[j];
            }
            total += row[m - 1] * row[m - 1];
        }
        total
    }

    /// Each iteration measures the inner vector that it has written.
    ///
    /// applied `fuse`
    pub(crate) fn as_long_as_written(x: &[f64], y: &[f64]) -> f64 {
        let mut rows = vec![vec![1usize]; 2];
        let mut total = 0.0;
        for i in 0..x.len() {
            rows[0] = vec![i % y.len(); i % 7 + 2];
            let mut t = x[i] * (rows[0].len() as f64 + 1.0) * 0.1;
            for j in 0..rows[0].len() {
                t = (t * y[rows[0][j]]).sin() + t * 0.5;
            }
            total += t;
        }
        total
    }
}

#[test]
fn records_last_for_one_iteration() {
    use crate::records::{off, on};
    for n in SIZES {
        check!(
            mixture,
            mixture_grad_into,
            mixture_adjoint,
            [3 * (n % 5), 2, 3 * n]
        );
        check!(
            points,
            points_grad_into,
            points_adjoint,
            [n.max(1) * 6],
            n.max(1)
        );
        check!(bins, bins_grad_into, bins_adjoint, [n, 6]);
        check!(outside, outside_grad_into, outside_adjoint, [n, 5]);
        check!(by_value, by_value_grad_into, by_value_adjoint, [n, 2]);
        check!(iterators, iterators_grad_into, iterators_adjoint, [n, 6]);
        check!(copied, copied_grad_into, copied_adjoint, [n * 6, 6]);
        check!(until, until_grad_into, until_adjoint, [n, 6]);
        check!(
            as_long_as_written,
            as_long_as_written_grad_into,
            as_long_as_written_adjoint,
            [n, 6]
        );
    }
}

/// However many iterations there are, the tape holds the records of one.
#[test]
fn the_tape_does_not_grow_with_the_iterations() {
    let mut peaks = Vec::new();
    for n in [40, 4000] {
        let (x, mut bar) = (numbers(n * 6, 1), vec![0.0; n * 6]);
        let mut tape = Tape::new();
        on::points_grad_into(&mut tape, &x, &mut bar, n);
        peaks.push(tape.stats().high_water);
    }
    assert_eq!(peaks[0], peaks[1]);
}
