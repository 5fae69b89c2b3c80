//! Counters that loops add to: in nests and triangles, backwards, twice in an iteration, read behind the loop; and
//! those that stay as they are.

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, numbers, same_writes, twins};

twins! {
    /// applied `induction`, `jam`, `terms`
    pub(super) fn matrix(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = 0;
        for i in 0..n {
            let mut sum = -0.0;
            for j in 0..m {
                sum += x[at] * y[j];
                at += 1;
            }
            s += sum * sum;
        }
        s * (at as f64 + 1.0)
    }

    /// applied `induction`, `reslice`
    pub(super) fn lower(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = m;
        for i in 0..n {
            for j in 0..i {
                s += x[at] * y[j] * y[i];
                at += 1;
            }
        }
        s
    }

    /// applied `induction`, `reslice`
    pub(super) fn lower_with_diagonal(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = m;
        for i in 2..n {
            for j in 0..=i {
                s += x[at].sin() * y[j];
                at += 1;
            }
            s *= x[at];
        }
        s
    }

    /// The packed triangle of a mixture of Gaussians, column by column.
    ///
    /// applied `induction`, `reslice`
    pub(super) fn upper(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut scaled = y.to_vec();
        for _ in 0..m {
            let mut at = n;
            for i in 0..n {
                for j in i + 1..n {
                    scaled[j] += 0.1 * x[at] * y[i];
                    at += 1;
                }
                scaled[i] *= x[at];
            }
        }
        let mut s = 0.0;
        for i in 0..scaled.len() {
            s += scaled[i] * scaled[i];
        }
        s
    }

    /// applied `induction`
    pub(super) fn backwards(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 1.0;
        let mut at = 2 * n + n * m;
        for i in (0..n).rev() {
            at -= 2;
            for j in (1..=m).rev() {
                s += x[at] * y[j];
                at -= 1;
            }
            s *= x[at] * y[i] + 0.5;
        }
        s
    }

    /// applied `induction`
    pub(super) fn twice(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = 1;
        for i in m..n {
            s += x[at] * y[i];
            at += 1;
            s += x[at].cos();
            at += m;
            s -= x[at] * s;
        }
        s + x[at]
    }

    /// applied `induction`
    pub(super) fn written_out(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = m;
        for i in 0..n {
            for k in 0..3 {
                s += x[at] * y[i + k];
                at += 1;
            }
        }
        s
    }

    /// It begins anew, and is known again.
    ///
    /// applied `induction`
    pub(super) fn reset(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = m;
        for i in 0..n {
            s += x[at] * x[at];
            at = i + m;
            for j in 0..m {
                s += x[at] * y[j];
                at += 2;
            }
        }
        s + x[at]
    }

    /// What the counter is in front of the inner loop depends on a condition.
    ///
    /// applied `induction`
    pub(super) fn after_a_condition(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = m;
        for i in 0..n {
            if y[i] > 0.0 {
                at += 1;
            }
            for j in 0..m {
                s += x[at] * y[j] * s;
                at += 1;
            }
        }
        s + x[at]
    }

    /// not applied `induction`
    pub(super) fn under_a_condition(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = m;
        for i in 0..n {
            if y[i] > 0.0 {
                s += x[at] * y[i];
                at += 1;
            }
        }
        s
    }

    /// not applied `induction`
    pub(super) fn skipped(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = m;
        for i in 0..n {
            if y[i] > 0.5 {
                continue;
            }
            s += x[at] * y[i];
            at += 1;
        }
        s
    }

    /// not applied `induction`
    pub(super) fn left_early(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = m;
        for i in 0..n {
            if y[i] > 0.9 {
                break;
            }
            at += 1;
            s += x[at] * y[i];
        }
        s * x[at]
    }

    /// not applied `induction`
    pub(super) fn grows(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let (mut at, mut by) = (m, 1);
        for i in 0..n {
            s += x[at] * y[i];
            at += by;
            by = 3 - by;
        }
        s
    }

    /// not applied `induction`
    pub(super) fn up_and_down(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = m;
        for i in 0..n {
            at += 2;
            s += x[at] * y[i];
            at -= 1;
        }
        s
    }

    /// not applied `induction`
    pub(super) fn narrow(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut weight: u8 = 1;
        for i in 0..n {
            s += x[i] * f64::from(weight);
            weight += 2;
        }
        s + m as f64
    }

    /// not applied `induction`
    pub(super) fn in_strides(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = m;
        for i in (0..n).step_by(2) {
            s += x[at] * y[i];
            at += 3;
        }
        s
    }

    /// The counter of an inner loop that may begin above its end.
    ///
    /// applied `induction`
    pub(super) fn empty_inner(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = 0;
        for i in 0..n {
            for j in i + m..n {
                s += x[at] * y[j];
                at += 1;
            }
        }
        s + x[at]
    }

    /// applied `induction`
    pub(super) fn in_a_closure(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut at = m;
        for i in 0..n {
            s += (0..2).map(|k| x[at + k] * y[i]).sum::<f64>();
            at += 1;
            s += half_of(x, at);
        }
        s
    }
}

#[retrograde::gradient]
fn half_of(x: &[f64], at: usize) -> f64 {
    0.5 * x[at] * x[at + 1]
}

macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [0, 1, 2, 3, 7, 17, 40] {
                for m in [0, 1, 2, 5] {
                    let (x, y) = (numbers(900 + n * m, 3), numbers(n + m + 3, 5));
                    both!($f, $g, (&x, &y, n, m));
                    // Too short, so that an index panics.
                    both!($f, $g, (&x[..(n * m / 2).min(x.len())], &y, n, m));
                }
            }
            let (n, m) = (5, 2);
            let all = numbers(60 + n + m + 3, 7);
            let (_, (dx, dy)) = on::$g(&all[..60], &all[60..], n, m);
            let want = differences(|p| on::$f(&p[..60], &p[60..], n, m), &all);
            assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
        }
    )* };
}

compared! {
    matrix matrix_grad
    lower lower_grad
    lower_with_diagonal lower_with_diagonal_grad
    upper upper_grad
    backwards backwards_grad
    twice twice_grad
    written_out written_out_grad
    reset reset_grad
    after_a_condition after_a_condition_grad
    under_a_condition under_a_condition_grad
    skipped skipped_grad
    left_early left_early_grad
    grows grows_grad
    up_and_down up_and_down_grad
    in_strides in_strides_grad
    empty_inner empty_inner_grad
    in_a_closure in_a_closure_grad
}

#[test]
fn narrow() {
    for n in [0, 1, 5, 100, 127, 128, 200] {
        let (x, y) = (numbers(n, 3), numbers(n, 5));
        both!(narrow, narrow_grad, (&x, &y, n, 2));
    }
}

mod writing {
    use super::*;

    twins! {
        /// The counter overflows in the end, where that is checked.
        ///
        /// applied `induction`
        pub(super) fn to_the_last_word(out: &mut [f64], from: usize, by: usize) {
            let mut at = from;
            for i in 0..out.len() {
                out[i] *= at as f64;
                at += by;
                out[i] += 1.0;
            }
        }

        /// applied `induction`
        pub(super) fn below_zero(out: &mut [f64], from: usize, by: usize) {
            let mut at = from;
            for i in 0..out.len() {
                at -= by;
                out[i] *= at as f64;
            }
        }

        /// applied `induction`
        pub(super) fn as_it_goes(out: &mut [f64], from: usize, by: usize) {
            let mut at = from;
            for i in 0..8 {
                for j in 0..by {
                    out[at] *= 0.5;
                    at += 1;
                }
                out[at] += out[i];
            }
        }
    }

    #[test]
    fn panics_come_after_the_same_writes() {
        let from = numbers(12, 1);
        for start in [0, 3, 11, usize::MAX - 11, usize::MAX - 5, usize::MAX] {
            for by in [0, 1, 2, 3, usize::MAX] {
                same_writes(
                    &from,
                    |out| on::to_the_last_word(out, start, by),
                    |tape, out, bar| on::to_the_last_word_adjoint(tape, out, bar, start, by, ()),
                    |tape, out, bar| off::to_the_last_word_adjoint(tape, out, bar, start, by, ()),
                    &format!("up from {start} by {by}"),
                );
                same_writes(
                    &from,
                    |out| on::below_zero(out, start, by),
                    |tape, out, bar| on::below_zero_adjoint(tape, out, bar, start, by, ()),
                    |tape, out, bar| off::below_zero_adjoint(tape, out, bar, start, by, ()),
                    &format!("down from {start} by {by}"),
                );
                if by < 100 {
                    same_writes(
                        &from,
                        |out| on::as_it_goes(out, start, by),
                        |tape, out, bar| on::as_it_goes_adjoint(tape, out, bar, start, by, ()),
                        |tape, out, bar| off::as_it_goes_adjoint(tape, out, bar, start, by, ()),
                        &format!("from {start} on, {by} at a time"),
                    );
                }
            }
        }
    }
}
