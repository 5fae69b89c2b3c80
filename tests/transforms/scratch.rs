//! Arrays that are used again and again: overwritten all of them, or only in part, before something is added to them.

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, numbers, twins};

twins! {
    /// applied `reslice`
    pub(super) fn filled(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut t = vec![0.5; n];
        let mut s = 0.0;
        for p in 0..m {
            t.fill(x[p]);
            for i in 0..n {
                t[i] *= y[i];
            }
            for i in 0..n {
                s += t[i] * t[i];
            }
        }
        s
    }

    /// not applied `recompute`
    pub(super) fn copied(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut t = y.to_vec();
        let mut s = 0.0;
        for p in 0..m {
            t.copy_from_slice(y);
            for i in 0..y.len() {
                t[i] *= x[p] * t[i];
            }
            for i in 0..y.len() {
                s += t[i] * t[i] * s;
            }
        }
        s + n as f64
    }

    /// applied `bulk`
    pub(super) fn backwards(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut t = vec![0.5; n];
        let mut s = 1.0;
        for p in 0..m {
            for i in (0..n).rev() {
                t[i] = x[i + p] * y[i];
            }
            for q in 0..2 {
                for i in q..n {
                    t[i] += x[p] * y[i - q];
                }
            }
            for i in 0..n {
                s += t[i] * t[i];
            }
        }
        s
    }

    /// applied `bulk`
    pub(super) fn all_but_the_first(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut t = vec![0.5; n];
        let mut s = 1.0;
        for p in 0..m {
            for i in 1..n {
                t[i] = x[i + p] * y[i];
            }
            for i in 0..n {
                t[i] += x[p] * y[i];
            }
            for i in 0..n {
                s += t[i] * t[i];
            }
        }
        s
    }

    /// The vector is longer than what is overwritten.
    ///
    /// applied `bulk`
    pub(super) fn longer(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut t = vec![0.5; n];
        t.push(x[0]);
        let mut s = 1.0;
        for p in 0..m {
            for i in 0..n {
                t[i] = x[i + p] * y[i];
            }
            for i in 0..t.len() {
                t[i] += x[p] * y[0];
            }
            for i in 0..t.len() {
                s += t[i] * t[i];
            }
        }
        s
    }

    /// applied `reslice`
    pub(super) fn in_some_iterations(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut t = vec![0.5; n];
        let mut s = 1.0;
        for p in 0..m {
            if x[p] > 0.0 {
                for i in 0..n {
                    t[i] = x[i + p] * y[i];
                }
            }
            for i in 0..n {
                t[i] += x[p] * y[i];
            }
            for i in 0..n {
                s += t[i] * t[i];
            }
        }
        s
    }

    /// applied `bulk`
    pub(super) fn left_early(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut t = vec![0.5; n];
        let mut s = 1.0;
        for p in 0..m {
            for i in 0..n {
                if x[i] > 0.9 {
                    break;
                }
                t[i] = x[i + p] * y[i];
            }
            for i in 0..n {
                t[i] += x[p] * y[i];
            }
            for i in 0..n {
                s += t[i] * t[i];
            }
        }
        s
    }

    /// The reverse of the loop that overwrites reads the array.
    ///
    /// applied `reslice`
    pub(super) fn read_as_it_goes(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut t = vec![0.5; n];
        let mut s = 1.0;
        for p in 0..m {
            for i in 0..n {
                t[i] = x[i + p] * y[i];
                s += t[i] * t[i] * 0.5;
            }
            for i in 0..n {
                t[i] += x[p] * y[i];
            }
            for i in 0..n {
                s += t[i] * t[i] * t[i];
            }
        }
        s
    }

    /// Of an argument, the caller's values come back.
    ///
    /// applied `bulk`
    pub(super) fn of_the_caller(x: &mut [f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 1.0;
        for p in 0..m {
            for i in 0..x.len() {
                x[i] = y[p] * y[i % y.len()];
            }
            for i in 0..x.len() {
                x[i] += y[0];
            }
            for i in 0..x.len() {
                s += x[i] * x[i];
            }
        }
        s + n as f64
    }
}

macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [0, 1, 2, 7, 26, 40] {
                for m in [0, 1, 2, 5] {
                    let (x, y) = (numbers(n + m + 1, 3), numbers(n + m, 5));
                    both!($f, $g, (&x, &y, n, m));
                }
            }
            let (n, m) = (5, 3);
            let all = numbers(9 + n + m, 7);
            let (_, (dx, dy)) = on::$g(&all[..9], &all[9..], n, m);
            let want = differences(|p| on::$f(&p[..9], &p[9..], n, m), &all);
            assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
        }
    )* };
}

compared! {
    filled filled_grad
    copied copied_grad
    backwards backwards_grad
    all_but_the_first all_but_the_first_grad
    longer longer_grad
    in_some_iterations in_some_iterations_grad
    left_early left_early_grad
    read_as_it_goes read_as_it_goes_grad
}

#[test]
fn of_the_caller() {
    use retrograde::Tape;
    for n in [0, 1, 7, 30] {
        for m in [0, 1, 3] {
            let (x, y) = (numbers(n, 3), numbers(m + 2, 5));
            let run = |f: &dyn Fn(&mut Tape, &mut [f64], &mut [f64], &mut [f64]) -> f64| {
                let (mut x, mut dx, mut dy) = (x.clone(), numbers(n, 9), vec![0.0; y.len()]);
                let value = f(&mut Tape::new(), &mut x, &mut dx, &mut dy);
                (value, x, dx, dy)
            };
            let with =
                run(&|tape, x, dx, dy| on::of_the_caller_adjoint(tape, x, dx, &y, dy, n, m, 1.5));
            let without =
                run(&|tape, x, dx, dy| off::of_the_caller_adjoint(tape, x, dx, &y, dy, n, m, 1.5));
            assert_eq!(with.0.to_bits(), without.0.to_bits());
            assert_eq!(with.1, without.1);
            crate::twins::near(&with.2, &without.2);
            crate::twins::near(&with.3, &without.3);
        }
    }
}
