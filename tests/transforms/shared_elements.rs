//! Elements that all iterations share, of arrays that the loop changes elsewhere.

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, numbers, same_writes, twins};

twins! {
    /// applied `reslice`: forward: on slices of what it touches from 12 iterations on
    /// applied `reslice`: reverse: on slices of what it touches from 6 iterations on
    pub(super) fn factored(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a: Vec<Vec<f64>> = (0..n).map(|i| x[i * n..(i + 1) * n].to_vec()).collect();
        for k in 0..n {
            for i in k + 1..n {
                a[i][k] /= 3.0 + a[k][k] * a[k][k];
                for j in k + 1..n {
                    a[i][j] -= a[i][k] * a[k][j];
                }
            }
        }
        let mut s = 0.0;
        for k in 0..n {
            s += a[k][k] * y[k];
        }
        s
    }

    /// applied `reslice`: forward: on slices of what it touches from 12 iterations on
    pub(super) fn flat(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a = x.to_vec();
        for k in 0..n {
            for i in k + 1..n {
                a[i * n + k] /= 3.0 + a[k * n + k] * a[k * n + k];
                for j in k + 1..n {
                    a[i * n + j] -= a[i * n + k] * a[k * n + j];
                }
            }
        }
        let mut s = 0.0;
        for k in 0..n {
            s += a[k * n + k] * y[k];
        }
        s
    }

    /// The element is among those that change: the loop runs as it stands.
    ///
    /// applied `reslice`
    pub(super) fn among(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut d: Vec<Vec<f64>> = (0..n).map(|i| x[i * n..(i + 1) * n].to_vec()).collect();
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    d[i][j] = 0.5 * d[i][j] + 0.1 * d[i][k] * d[k][j];
                }
            }
        }
        let mut s = 0.0;
        for i in 0..n {
            s += d[i][i] * y[i];
        }
        s
    }

    /// In front of the slice or behind it, at its ends or in it.
    ///
    /// applied `reslice`: forward: on slices of what it touches from 12 iterations on
    /// applied `reslice`: reverse: on slices of what it touches from 6 iterations on
    pub(super) fn anywhere(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for at in 0..x.len() {
            let mut a = x.to_vec();
            for j in 2..n {
                a[j] += a[at] * y[j];
            }
            for j in 0..a.len() {
                s += a[j] * a[j];
            }
        }
        s
    }

    /// Two elements, one of them under a condition.
    ///
    /// applied `reslice`
    pub(super) fn two(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a = x.to_vec();
        let last = a.len() - 1;
        for j in 1..n {
            let by = if y[j] > 0.0 { a[0] * y[j] } else { a[last] };
            a[j] = a[j] * 0.5 + by - a[last] * a[j];
        }
        let mut s = 0.0;
        for j in 0..a.len() {
            s += a[j] * a[j];
        }
        s
    }

    /// It is changed as well.
    ///
    /// not applied `reslice`: forward: `a` is written at an element that all iterations share
    pub(super) fn changed(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a = x.to_vec();
        for j in 1..n {
            a[j] += a[0] * y[j];
            a[0] = 0.5 * a[0] + a[j] * 0.1;
        }
        a.iter().map(|v| v * v).sum()
    }

    /// The adjoint of one is added to that of the other, and they may be one.
    ///
    /// not applied `reslice`: reverse: `a_bar` is written at an element that all iterations share
    pub(super) fn carried(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for (p, q) in [(0, 1), (1, 1), (1, 0)] {
            let mut a = x.to_vec();
            for j in 2..n {
                a[j] *= 0.5;
                a[p] += a[q] * 0.1;
            }
            for j in 0..a.len() {
                s += a[j] * a[j] * y[0];
            }
        }
        s
    }

    /// The element is a pair.
    ///
    /// not applied `reslice`: forward: elements of `a` are no numbers
    pub(super) fn pairs(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut a = vec![(0.0, 0.0); x.len()];
        for j in 0..x.len() {
            a[j] = (x[j], y[j % y.len()]);
        }
        for j in 1..n {
            a[j].0 += a[0].1 * y[j] + a[0].0;
        }
        let mut s = 0.0;
        for j in 0..a.len() {
            s += a[j].0 * a[j].1;
        }
        s
    }
}

macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [1, 2, 3, 5, 13, 20, 37] {
                let (mut x, y) = (numbers(n * n, 3), numbers(n, 5));
                both!($f, $g, (&x, &y, n));
                both!($f, $g, (&x[..x.len() - 1], &y, n));
                both!($f, $g, (&x, &y[1..], n));
                x[n * n / 2] = f64::NAN;
                both!($f, $g, (&x, &y, n));
            }
            // So few numbers that products over all of them stay near one, and enough for slices.
            for n in [5, 16] {
                let m = n * n;
                let all: Vec<f64> = numbers(m + n, 7).iter().map(|v| v * 0.3).collect();
                let (value, (dx, dy)) = on::$g(&all[..m], &all[m..], n);
                assert_eq!(value.to_bits(), on::$f(&all[..m], &all[m..], n).to_bits());
                let want = differences(|p| on::$f(&p[..m], &p[m..], n), &all);
                assert_close(&[dx, dy].concat(), &want, 1e-5, &[]);
            }
        }
    )* };
}

compared! {
    factored factored_grad
    flat flat_grad
    among among_grad
    anywhere anywhere_grad
    two two_grad
    changed changed_grad
    carried carried_grad
    pairs pairs_grad
}

/// In an argument, also where an element is not there.
mod cut {
    use super::*;

    twins! {
        /// applied `reslice`: forward: on slices of what it touches from 12 iterations on
        pub(super) fn into(y: &[f64], at: usize, lo: usize, hi: usize, a: &mut [f64]) {
            for j in lo..hi {
                a[j] -= a[at] * y[j];
            }
        }
    }

    #[test]
    fn an_element_that_is_not_there() {
        let y = &numbers(40, 2);
        for len in [0, 1, 20, 40] {
            let start = &numbers(len, 3);
            for at in [0, 1, 5, 19, 20, 39, 40] {
                for (lo, hi) in [(0, 0), (1, 20), (0, 20), (2, 39), (20, 40), (3, 60)] {
                    let run =
                        |g: fn(&mut _, &[f64], &mut [f64], _, _, _, &mut [f64], &mut [f64], ())| {
                            move |tape: &mut retrograde::Tape, a: &mut [f64], bar: &mut [f64]| {
                                g(tape, y, &mut vec![0.0; 40], at, lo, hi, a, bar, ());
                            }
                        };
                    let what = format!("{len} {at} {lo}..{hi}");
                    same_writes(
                        start,
                        |a| on::into(y, at, lo, hi, a),
                        run(on::into_adjoint),
                        run(off::into_adjoint),
                        &what,
                    );
                }
            }
        }
    }

    /// With a loss behind it.
    #[test]
    fn adjoints_are_those_of_differences() {
        let all = numbers(80, 9);
        for (at, lo, hi) in [
            (0, 1, 40),
            (39, 2, 39),
            (20, 3, 40),
            (3, 3, 33),
            (32, 3, 33),
        ] {
            let loss = |p: &[f64]| {
                let mut a = p[..40].to_vec();
                on::into(&p[40..], at, lo, hi, &mut a);
                a.iter().enumerate().map(|(k, v)| v * (k + 1) as f64).sum()
            };
            let mut bar: Vec<f64> = (0..40).map(|k| (k + 1) as f64).collect();
            let (mut a, mut dy) = (all[..40].to_vec(), vec![0.0; 40]);
            let tape = &mut retrograde::Tape::new();
            on::into_adjoint(tape, &all[40..], &mut dy, at, lo, hi, &mut a, &mut bar, ());
            let want = differences(loss, &all);
            assert_close(&[bar, dy].concat(), &want, 1e-6, &[]);
        }
    }
}
