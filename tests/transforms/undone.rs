//! Overwrites that are undone instead of saved: changes of a sign, and numbers added to integers. What is undone is
//! overwritten while the reverse needs it, which the report says of each.

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, numbers, twins};

twins! {
    /// not applied `bulk`: the reverse of the body reads earlier values of `sign`
    pub(super) fn alternating(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        let mut sign = 1.0;
        for i in 0..n {
            s += sign * x[i] * y[i];
            if y[i] > -0.5 {
                sign = -sign;
            }
        }
        s * sign
    }

    /// not applied `bulk`: the reverse of the body reads earlier values of `k`
    pub(super) fn in_steps(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        let mut k = 0;
        while k < n {
            s += x[k] * x[k];
            k += 1;
            s *= y[k / 2];
            k += 2;
        }
        s + k as f64
    }

    /// not applied `bulk`: the reverse of the body reads earlier values of `k`
    pub(super) fn downwards(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 1.0;
        let mut k = n;
        loop {
            if k == 0 {
                break;
            }
            k -= 1;
            s += x[k] * y[k] * s;
            if s > 9.0 {
                break;
            }
        }
        s
    }

    /// The sign carries a derivative.
    ///
    /// not applied `bulk`: the reverse of the body reads earlier values of `v`
    pub(super) fn active(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        let mut v = y.len() as f64 * x[0];
        for i in 0..n {
            s += v * v * x[i] + v;
            v = -v;
        }
        s
    }

    /// What is undone was set to something else afterwards.
    ///
    /// not applied `bulk`: the reverse of the body reads earlier values of `sign`
    pub(super) fn set_again(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        let mut sign = 1.0;
        for i in 0..n {
            s += sign * x[i] * y[i];
            sign = -sign;
            s += sign * x[i] * x[i];
            sign = 1.0 + y[i].floor();
            s *= sign;
        }
        s
    }

    /// not applied `bulk`: the reverse of the body reads earlier values of `t.1`
    pub(super) fn of_a_field(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = (1_u8, 1.0);
        let mut s = 0.0;
        for i in 0..n {
            s += t.1 * x[i] * y[i] * f64::from(t.0);
            t.1 = -t.1;
            t.0 = t.0 + 5;
        }
        s
    }

    /// Floats are saved: a sum rounds.
    ///
    /// not applied `bulk`: the reverse of the body reads earlier values of `t`
    pub(super) fn rounded(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = 0.1;
        let mut s = 0.0;
        for i in 0..n {
            s += t * x[i] * y[i];
            t += 0.7;
        }
        s
    }
}

macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [0, 1, 2, 7, 26, 40, 60] {
                let (x, y) = (numbers(n + 3, 3), numbers(n + 3, 5));
                both!($f, $g, (&x, &y, n));
                both!($f, $g, (&x[..n / 2 + 1], &y, n));
            }
            let all = numbers(18, 7);
            let (_, (dx, dy)) = on::$g(&all[..9], &all[9..], 7);
            let want = differences(|p| on::$f(&p[..9], &p[9..], 7), &all);
            assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
        }
    )* };
}

compared! {
    alternating alternating_grad
    in_steps in_steps_grad
    downwards downwards_grad
    active active_grad
    set_again set_again_grad
    of_a_field of_a_field_grad
    rounded rounded_grad
}
