//! Vectors of which the reverse sweep needs no more than how long they are: they are not on the tape. And vectors that
//! change their lengths, whose adjoints do, too.

use retrograde::Tape;

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, numbers, twins};

twins! {
    /// applied `reslice`
    pub(super) fn steps(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut u = x.to_vec();
        for _ in 0..m {
            let mut next = vec![0.0; u.len()];
            for i in 1..n {
                next[i] = u[i] + 0.25 * (u[i - 1] - u[i]) * u[i];
            }
            u = next;
        }
        u.iter().zip(y).map(|(u, y)| u * u * y).sum()
    }

    /// applied `preallocate`
    pub(super) fn stages(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut state = y.to_vec();
        for _ in 0..m {
            let first = slope(&state, x);
            let middle: Vec<f64> = state.iter().zip(&first).map(|(s, k)| s + 0.125 * k).collect();
            let second = slope(&middle, x);
            for i in 0..state.len() {
                state[i] += 0.25 * second[i];
            }
        }
        state.iter().map(|s| s * s).sum::<f64>() + n as f64
    }

    /// Other lengths in each iteration.
    ///
    /// applied `forward_order`
    pub(super) fn of_many_lengths(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let part = doubled(&x[i / 2..n]);
            let copy = part.clone();
            for j in 0..copy.len() {
                s += copy[j] * y[0] * (j as f64 - m as f64);
            }
        }
        s
    }

    /// not applied `preallocate`
    pub(super) fn resized(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let mut list = doubled(&x[..n]);
            list.truncate(i + m);
            list.push(y[0] * x[i]);
            let all: f64 = list.iter().sum();
            s += all * all;
            if i % 3 == 1 {
                list.clear();
            } else {
                list.push(s * 0.125);
            }
            s += list.iter().map(|v| 0.0625 * v * v).sum::<f64>();
        }
        s
    }

    /// applied `forward_order`
    pub(super) fn replaced(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut longest = vec![0.5; 2];
        for i in 0..n {
            let other = doubled(&x[..i.min(m) + 2]);
            if other[0] + i as f64 > longest[1] {
                longest = other;
            }
            longest[1] *= y[0];
        }
        longest.iter().map(|v| v * v).sum()
    }

    /// Under a condition, and in a region.
    ///
    /// not applied `strips`
    pub(super) fn in_arms(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = y[0];
        for i in 0..n {
            if i % 2 == m % 2 {
                let list = doubled(&x[i..n]);
                s += list.iter().sum::<f64>() * 0.125;
            } else {
                #[checkpoint]
                {
                    let list = doubled(&x[..n - i]);
                    s *= 1.0 + 0.0625 * list[0];
                }
            }
        }
        s
    }
}

#[retrograde::gradient]
fn doubled(x: &[f64]) -> Vec<f64> {
    x.iter().map(|v| 2.0 * v).collect()
}

#[retrograde::gradient]
fn slope(state: &[f64], x: &[f64]) -> Vec<f64> {
    let n = state.len();
    let mut slope = vec![0.0; n];
    for i in 0..n {
        slope[i] = x[0] * state[(i + 1) % n] * state[i] - x[1] * state[i];
    }
    slope
}

macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [0, 1, 2, 3, 7, 17, 40] {
                for m in [0, 1, 2, 5] {
                    let (x, y) = (numbers(n + 9, 3), numbers(n + 3, 5));
                    both!($f, $g, (&x, &y, n, m));
                    both!($f, $g, (&x[..n / 2], &y, n, m));
                }
            }
            let (n, m) = (5, 2);
            let all = numbers(24, 7);
            let (_, (dx, dy)) = on::$g(&all[..14], &all[14..], n, m);
            let want = differences(|p| on::$f(&p[..14], &p[14..], n, m), &all);
            assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
        }
    )* };
}

compared! {
    steps steps_grad
    stages stages_grad
    of_many_lengths of_many_lengths_grad
    resized resized_grad
    replaced replaced_grad
    in_arms in_arms_grad
}

/// Bytes on the tape for the gradient with so many steps.
fn recorded(m: usize) -> usize {
    let (x, y) = (numbers(500, 1), numbers(500, 2));
    let (mut dx, mut dy) = (vec![0.0; 500], vec![0.0; 500]);
    let mut tape = Tape::builder().slab_bytes(4096).build().unwrap();
    on::steps_grad_into(&mut tape, &x, &mut dx, &y, &mut dy, 500, m);
    tape.stats().high_water
}

#[test]
fn one_array_is_recorded_for_each_step() {
    // Both sweeps need what a step begins with; of what it makes, the length is known.
    let bytes = recorded(60) - recorded(20);
    assert!((39 * 4000..41 * 4100).contains(&bytes), "{bytes}");
}

/// A result whose adjoint is asked for without a seed, and with one of another length.
#[test]
fn results_know_their_lengths() {
    let mut tape = Tape::new();
    let x = [1.0, 2.0, 3.0];
    let mut dx = [0.0; 3];
    let value = doubled_adjoint(&mut tape, &x, &mut dx, vec![1.0, 10.0, 100.0]);
    assert_eq!((value, dx), (vec![2.0, 4.0, 6.0], [2.0, 20.0, 200.0]));
    let other = std::panic::catch_unwind(|| {
        doubled_adjoint(&mut Tape::new(), &[1.0, 2.0], &mut [0.0; 2], vec![1.0])
    });
    let message = *other.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("the result of `doubled`"), "{message}");
}
