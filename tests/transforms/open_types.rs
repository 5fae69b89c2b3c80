//! Numbers of which only the uses say the type: it is the same in the reverse sweep, which has other uses.

use retrograde::no_gradient;

use crate::support::assert_close;
use crate::twins::{agree, both, numbers, twins};

fn single(a: f32) -> f64 {
    f64::from(a)
}

fn small(k: u8) -> f64 {
    f64::from(k)
}

/// What is left of a third of a tenth, as singles round it, beside doubles.
const THIRD: f64 = 0.1 / 3.0;

twins! {
    /// A float that a function without derivative takes.
    ///
    /// applied `reslice`, `fuse`
    pub(super) fn float(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let a = 0.1;
            s += x[i] * no_gradient(single(a));
            s += y[i] * (((a / 3.0) as f64) - THIRD) * 1e9;
        }
        s
    }

    /// One of a pair.
    ///
    /// not applied `scalars`
    /// applied `fuse`
    pub(super) fn pair(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let a = [2.0, 0.1];
            s += x[i] * no_gradient(single(a[0]));
            s += y[i] * (((a[1] / 3.0) as f64) - THIRD) * 1e9;
        }
        s
    }

    /// The counter of a loop.
    ///
    /// applied `fuse`
    pub(super) fn counter(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            for k in 0..6 {
                s += x[i] * no_gradient(small(k)) * y[i];
                s += x[i] * x[i] * (!k as f64);
            }
        }
        s
    }

    /// In a loop on slices, and of one that is written out.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn jammed(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let mut t = 0.0;
            for j in 0..n {
                let a = 0.1;
                t += x[j] * y[i] * (((a / 3.0) as f64) - THIRD) * 1e9 * no_gradient(single(a));
            }
            for k in 0..3 {
                t += x[i] * no_gradient(small(k)) * (!k as f64) * 1e-3;
            }
            s += t * t;
        }
        s
    }

    /// Both sweeps apart.
    ///
    /// not applied `fuse`
    pub(super) fn called(x: &[f64], y: &[f64], n: usize) -> f64 {
        0.5 * float(x, y, n) + pair(x, y, n) + 2.0 * counter(x, y, n)
    }
}

macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [0, 1, 2, 3, 7, 17, 40] {
                let (x, y) = (numbers(n, 3), numbers(n, 5));
                both!($f, $g, (&x, &y, n));
                // By the function itself, at two steps: it is at most quadratic but for `jammed`.
                let (_, (dx, dy)) = on::$g(&x, &y, n);
                let f = |p: &[f64]| on::$f(&p[..n], &p[n..], n);
                let all = [x, y].concat();
                let want: Vec<f64> = (0..2 * n)
                    .map(|k| {
                        let moved = |by: f64| {
                            let mut p = all.clone();
                            p[k] += by;
                            f(&p)
                        };
                        (8.0 * (moved(1e-3) - moved(-1e-3)) - (moved(2e-3) - moved(-2e-3))) / 12e-3
                    })
                    .collect();
                assert_close(&[dx, dy].concat(), &want, 1e-7, &[]);
            }
        }
    )* };
}

compared! {
    float float_grad
    pair pair_grad
    counter counter_grad
    jammed jammed_grad
    called called_grad
}
