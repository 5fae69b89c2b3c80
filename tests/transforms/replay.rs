//! Scalars that loops carry and that run again in the reverse sweep: powers, abscissas, random numbers, flags and
//! indices that follow from them; and those that are recorded.

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, numbers, twins};

twins! {
    /// The residual of a polynomial at each point.
    ///
    /// applied `replay`, `jam`
    pub(super) fn polynomials(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..y.len() {
            let t = 0.9 - i as f64 * 0.1;
            let mut missed = y[i];
            let mut power = 1.0;
            for j in 0..n {
                missed -= x[j] * power;
                power *= t;
            }
            s += missed * missed;
        }
        s
    }

    /// Read before the update and behind it, and behind the loop.
    ///
    /// applied `replay`
    pub(super) fn abscissas(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = y[0];
        let h = 1.0 / (n as f64 + 1.0);
        let mut t = 0.1;
        for i in 0..n {
            s += x[i] * x[i] * t;
            t += h;
            s += y[i] * t * t;
        }
        s * t
    }

    /// Two that depend on each other, one of them on the counter.
    ///
    /// applied `replay`
    pub(super) fn two(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut p, mut q) = (0.3, -0.2);
        let mut s = 0.0;
        for i in 0..n {
            s += x[i] * y[i] * p;
            p = 0.5 * p - q;
            s += x[i] * q;
            q = 0.9 * p + i as f64 * 0.01;
            s -= y[i] * q * p;
        }
        s * s
    }

    /// Random numbers choose elements and sides.
    ///
    /// applied `replay`
    pub(super) fn random(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut seed = 12345_u32;
        let mut s = 0.0;
        for i in 0..n {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let side = seed & 65536 != 0;
            if side {
                s += x[i] * y[i];
            } else {
                s -= x[i] * x[i] * y[i];
            }
        }
        s
    }

    /// applied `replay`
    pub(super) fn picked(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut at = 1_usize;
        let mut s = 0.0;
        for i in 0..n {
            s += x[at] * y[i] * y[i];
            at = (at * 5 + 3) % (n + 2);
        }
        s
    }

    /// What it starts from carries a derivative, and so does each value.
    ///
    /// applied `replay`
    pub(super) fn active(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut t = x[0] * y[0];
        let mut s = 0.0;
        for i in 0..n {
            s += t * t * x[i];
            t += 0.25;
        }
        s + t
    }

    /// It goes on in the next iteration of the outer loop.
    ///
    /// applied `replay`
    pub(super) fn goes_on(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut w = 1.0;
        let mut s = 0.0;
        for k in 0..3 {
            for i in 0..n {
                s += w * x[i] * x[i] * y[k];
                w *= 0.97;
            }
            s *= w + y[k];
        }
        s
    }

    /// Set again in front of each run, once to a parameter.
    ///
    /// applied `replay`
    pub(super) fn set_again(x: &[f64], y: &[f64], n: usize, #[constant] h: f64) -> f64 {
        let mut w = 0.5;
        let mut s = 0.0;
        for k in 0..5 {
            if y[k] > 0.0 {
                w = h;
            }
            for i in (0..n).rev() {
                s += w * x[i] * y[i];
                w *= 0.9;
            }
            w = 1.0;
        }
        s * s
    }

    /// applied `replay`
    pub(super) fn in_steps(x: &[f64], y: &[f64], n: usize) -> f64 {
        let (mut sign, mut w) = (1.0, 1.0);
        let mut s = 0.0;
        for i in (0..n).step_by(3) {
            s += sign * w * x[i] * y[i];
            sign = -sign;
            w = w * 0.5 + sign;
        }
        s
    }

    /// Factors that adjoints could take for theirs: what runs again keeps its bits.
    ///
    /// applied `replay`
    pub(super) fn halves(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut w = 1e-3;
        let mut s = 0.0;
        for i in 0..n {
            if w > 0.6e-3 {
                s += x[i] * y[i] * w;
            } else {
                s -= x[i] * w * w;
            }
            w = -(0.5 * w - 2.0 * (w * 0.25)) + (1.0 - 0.5 * w) * 1e-3;
        }
        s
    }
}

macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [0, 1, 2, 7, 26, 40, 65] {
                let (x, y) = (numbers(n + 5, 3), numbers(n + 5, 5));
                both!($f, $g, (&x, &y, n));
                both!($f, $g, (&x[..n / 2 + 1], &y, n));
            }
            let all = numbers(24, 7);
            let (_, (dx, dy)) = on::$g(&all[..12], &all[12..], 7);
            let want = differences(|p| on::$f(&p[..12], &p[12..], 7), &all);
            assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
        }
    )* };
}
use compared;

mod refused {
    use super::*;

    twins! {
        /// applied `strips`
        /// not applied `replay`, `forward_order`
        pub(super) fn horner(x: &[f64], y: &[f64], n: usize) -> f64 {
            let (mut s, mut t) = (y[0], 0.5);
            for i in 0..n {
                s = s * t + x[i];
                t = 0.1 + 0.7 * t;
            }
            s * s
        }

        /// not applied `replay`
        pub(super) fn under_a_condition(x: &[f64], y: &[f64], n: usize) -> f64 {
            let (mut s, mut t) = (0.0, 0.5);
            for i in 0..n {
                s += x[i] * y[i] * t;
                if y[i] > 0.0 {
                    t *= 0.7;
                }
            }
            s
        }

        /// not applied `replay`: `t` is written under a condition, or more than once in an iteration
        pub(super) fn twice(x: &[f64], y: &[f64], n: usize) -> f64 {
            let (mut s, mut t) = (0.0, 0.5);
            for i in 0..n {
                s += x[i] * y[i] * t;
                t *= 0.7;
                t += 0.2;
            }
            s
        }

        /// not applied `replay`
        pub(super) fn of_elements(x: &[f64], y: &[f64], n: usize) -> f64 {
            let (mut s, mut t) = (0.0, 0.5);
            for i in 0..n {
                s += x[i] * y[i] * t;
                t = 0.5 * t + y[i].floor();
            }
            s
        }

        /// not applied `replay`
        pub(super) fn left_early(x: &[f64], y: &[f64], n: usize) -> f64 {
            let (mut s, mut t) = (0.0, 0.5);
            for i in 0..n {
                s += x[i] * y[i] * t;
                t *= 0.7;
                if t < 0.01 {
                    break;
                }
            }
            s
        }

        /// not applied `replay`: `exp` is more than a little arithmetic on scalars
        pub(super) fn beside_records(x: &[f64], y: &[f64], n: usize) -> f64 {
            let (mut s, mut t) = (0.0, 0.5);
            for i in 0..n {
                s += (x[i] * y[i] * t).exp();
                t *= 0.7;
            }
            s
        }

        /// applied `replay`: `t.0` is computed again, in the order of the loop
        pub(super) fn part_of_a_pair(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut s = 0.0;
            let mut t = (0.5, 1.0);
            for i in 0..n {
                s += x[i] * y[i] * t.0;
                t.0 *= 0.7;
            }
            s * t.1
        }
    }

    compared! {
        horner horner_grad
        under_a_condition under_a_condition_grad
        twice twice_grad
        of_elements of_elements_grad
        left_early left_early_grad
        beside_records beside_records_grad
        part_of_a_pair part_of_a_pair_grad
    }
}

compared! {
    polynomials polynomials_grad
    abscissas abscissas_grad
    two two_grad
    random random_grad
    picked picked_grad
    active active_grad
    goes_on goes_on_grad
    in_steps in_steps_grad
    halves halves_grad
}

#[test]
fn set_again() {
    for n in [0, 1, 9, 40] {
        let (x, y) = (numbers(n + 5, 3), numbers(n + 5, 5));
        for h in [0.0, -0.7, f64::NAN, f64::INFINITY] {
            both!(set_again, set_again_grad, (&x, &y, n, h));
        }
    }
    let (all, h) = (numbers(24, 7), 0.4);
    let (_, (dx, dy)) = on::set_again_grad(&all[..12], &all[12..24], 7, h);
    let want = differences(|p| on::set_again(&p[..12], &p[12..24], 7, h), &all);
    assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
}

/// A reverse sweep undoes what lies in front of the loop, too, and the memory of the tape is that of the outer loop.
#[test]
fn nothing_is_recorded_in_each_iteration() {
    let (x, y) = (numbers(400, 3), numbers(5, 5));
    let mut tape = retrograde::Tape::new();
    let (mut dx, mut dy) = (vec![0.0; 400], vec![0.0; 5]);
    on::polynomials_grad_into(&mut tape, &x, &mut dx, &y, &mut dy, 400);
    assert!(tape.stats().high_water < 1000, "{:?}", tape.stats());
}
