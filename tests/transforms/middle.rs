//! Loops in whose middle conditions on the counter are known: neighbours on a ring, at walls and under conditions;
//! first and last iterations; and conditions that come out both ways in the middle.

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, numbers, twins};

/// How many there are on a ring.
const LENGTH: usize = 37;

twins! {
    /// applied `reslice`
    pub(super) fn ring(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut u = x[..n].to_vec();
        let mut next = vec![0.0; n];
        for _ in 0..m {
            for i in 0..n {
                next[i] = u[i] + y[i] * (u[(i + n - 1) % n] - 2.0 * u[i] + u[(i + 1) % n]);
            }
            std::mem::swap(&mut u, &mut next);
        }
        u.iter().map(|v| v * v).sum()
    }

    /// Of a length that is a constant, and of one that is a number.
    ///
    /// applied `reslice`
    pub(super) fn constant(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut u = [0.5; LENGTH];
        let mut s = m as f64;
        for i in 0..n.min(LENGTH) {
            u[i] = x[i];
        }
        for i in 0..LENGTH {
            s += u[(i + LENGTH - 1) % LENGTH] * u[(i + 2) % LENGTH] * u[i];
        }
        for i in 0..24 {
            s += u[(i + 22) % 24] * u[i] * u[(i + 1) % 24];
        }
        s * y[0]
    }

    /// By a variable.
    ///
    /// applied `reslice`
    pub(super) fn shifted(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += x[(i + m) % n] * y[i] * x[(i + n - m) % n];
        }
        s
    }

    /// A number of iterations that is no divisor of the length, and one beyond it.
    ///
    /// applied `reslice`
    pub(super) fn other_length(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in m..n + m + 2 {
            s += x[(i + 1) % n] * y[i % (n + 1)];
        }
        s
    }

    /// applied `reslice`
    pub(super) fn walls(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let left = x[i.saturating_sub(1)];
            let right = x[(i + 1).min(n - 1)];
            let far = x[i.max(m) - m];
            s += (left - 2.0 * x[i] + right) * y[i] + far * far;
        }
        s
    }

    /// Records of each iteration, in strips.
    ///
    /// applied `reslice`, `strips`
    pub(super) fn guards(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut u = x[..n].to_vec();
        for _ in 0..m {
            let mut next = vec![0.0; n];
            for i in 0..n {
                let mut flux = 0.0;
                if i > 0 {
                    flux += (u[i - 1] - u[i]).sin();
                }
                if i + 1 < n {
                    flux += u[i + 1] - u[i];
                }
                next[i] = u[i] + y[i] * flux * flux;
            }
            u = next;
        }
        u.iter().map(|v| v * v).sum()
    }

    /// applied `reslice`
    pub(super) fn ends(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = m as f64;
        for i in 0..n {
            let w = if i == 0 || i == n - 1 { 0.5 } else { 1.0 };
            s += w * x[i] * x[i] * y[i];
        }
        s
    }

    /// applied `reslice`
    pub(super) fn simpson(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in m..=n {
            if i != m && i < n {
                s += 4.0 * x[i] * y[i - 1];
            } else {
                s -= x[i] * x[i];
            }
        }
        s
    }

    /// What the last iteration alone does.
    ///
    /// applied `reslice`
    pub(super) fn last(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut total = [0.0, m as f64];
        let mut s = 0.0;
        for i in 0..n {
            let next = if i + 1 < n { x[i + 1] } else { 0.5 };
            if i == n - 1 {
                total[0] += x[i] * y[i];
            }
            s += x[i] * next;
        }
        s * total[0] + total[1]
    }

    /// Chosen words, which are recorded.
    ///
    /// applied `reslice`, `strips`
    pub(super) fn chosen(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut u = x[..n].to_vec();
        for _ in 0..m {
            let mut next = vec![0.0; n];
            for i in 0..n {
                let left = if i == 0 { n - 1 } else { i - 1 };
                let right = if i == n - 1 { 0 } else { i + 1 };
                next[i] = u[i] + y[i] * (u[left] - 2.0 * u[i] + u[right]) * u[left];
            }
            u = next;
        }
        u.iter().map(|v| v * v).sum()
    }

    /// What is chosen depends on a variable that changes, or on numbers that are no words.
    ///
    /// not applied `reslice`: forward: `x`: its index is not the counter plus something fixed
    pub(super) fn chosen_otherwise(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        let mut shift = 1;
        for i in 0..n {
            let next = if i + shift < n { i + shift } else { 0 };
            let near = if x[i] > 0.0 { i } else { 0 };
            s += (x[next] * y[near]).sin();
            if i % 4 == 1 && shift < m {
                shift += 1;
            }
        }
        s
    }

    /// The middle is where the condition holds at all.
    ///
    /// applied `reslice`
    pub(super) fn causal(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut e = 0.0;
        for i in 0..n {
            let mut s = 0.0;
            for k in 0..=m {
                if i >= k {
                    s += y[k] * x[i - k];
                }
            }
            e += s * s;
        }
        e
    }

    /// From the other side.
    ///
    /// applied `reslice`
    pub(super) fn anticausal(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut e = 0.0;
        for i in 0..n {
            for k in 0..=m {
                if i + k >= m && i + k - m < n {
                    e += y[k] * x[i + k - m] * x[i];
                }
            }
        }
        e
    }

    /// Chosen in the middle: either half is as good.
    ///
    /// applied `reslice`
    pub(super) fn halves(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            if i < m {
                s += x[i] * y[i];
            } else {
                s -= x[i] * x[i];
            }
        }
        s
    }

    /// The index goes down, on a ring.
    ///
    /// applied `reslice`
    pub(super) fn circular(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut e = 0.0;
        for i in 0..n {
            let mut s = m as f64;
            for k in 0..n {
                s += y[k] * x[(i + n - k) % n];
            }
            e += s * s;
        }
        e
    }

    /// Assigned in both arms; written at the neighbour; the last value goes on.
    ///
    /// not applied `reslice`: forward: a branch of the body records values
    pub(super) fn carried(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut out = vec![1.0; n];
        let mut t = m as f64;
        for i in 0..n {
            if i > 0 {
                out[i - 1] += x[i] * t;
                t = out[i - 1] * 0.5;
            } else {
                t *= y[0];
            }
            out[i] += t * y[i];
        }
        t + out.iter().map(|v| v * v).sum::<f64>()
    }

    /// Panics in iterations of the middle, and at both ends.
    ///
    /// applied `reslice`
    pub(super) fn failing(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let far = if i + 2 < n { x[i + m] } else { x[i - 1] };
            s += far * y[(i + n + 1) % (n + 1)] * y[i + m - 2];
        }
        s
    }

    /// Sums overflow before they are compared.
    ///
    /// applied `reslice`
    pub(super) fn overflowing(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let big = usize::MAX - m;
        let mut s = 0.0;
        for i in 0..n {
            if i < 1 || i + big < n {
                s += x[i] * y[i];
            } else {
                s += x[(i + 1) % n];
            }
        }
        s
    }

    /// applied `reslice`, `lanes`
    pub(super) fn rows(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let w = n / (m + 1);
        let mut s = 0.0;
        for j in 0..=m {
            let up = (j + m) % (m + 1);
            for i in 0..w {
                let d = x[j * w + (i + 1) % w] - x[up * w + i] * y[i] + x[j * w + (i + w - 1) % w];
                s += d * d * y[0];
            }
        }
        s
    }

    /// Iterations forward and in reverse at once, of whole blocks in the middle.
    ///
    /// applied `fuse`, `reslice`
    pub(super) fn both_at_once(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = m as f64;
        for i in 0..n {
            let d = x[i] * y[i] - x[(i + 1) % n];
            s += d * d;
        }
        s
    }
}

macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [0, 1, 2, 3, 4, 5, 7, 17, 40, 67, 130] {
                for m in [0, 1, 2, 3, 5, 20] {
                    let (x, y) = (numbers(n + m + 2, 3), numbers(n + m + 3, 5));
                    both!($f, $g, (&x, &y, n, m));
                    // Too short, so that an index panics.
                    both!($f, $g, (&x[..n / 2], &y, n, m));
                    both!($f, $g, (&x[..n], &y[..n - n.min(1)], n, m));
                    both!($f, $g, (&x, &y[..m], n, m));
                }
            }
            let (n, m) = (20, 3);
            let all: Vec<f64> = numbers(51, 7).iter().map(|v| 0.4 * v + 0.1).collect();
            let (_, (dx, dy)) = on::$g(&all[..25], &all[25..], n, m);
            let want = differences(|p| on::$f(&p[..25], &p[25..], n, m), &all);
            assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
        }
    )* };
}

compared! {
    constant constant_grad
    ring ring_grad
    shifted shifted_grad
    other_length other_length_grad
    walls walls_grad
    guards guards_grad
    ends ends_grad
    simpson simpson_grad
    last last_grad
    chosen chosen_grad
    chosen_otherwise chosen_otherwise_grad
    causal causal_grad
    anticausal anticausal_grad
    halves halves_grad
    circular circular_grad
    carried carried_grad
    rows rows_grad
    both_at_once both_at_once_grad
}

#[test]
fn panics_are_those_of_the_function() {
    for n in 0..24 {
        for m in 0..7 {
            for short in [0, 1, 2, 3, 9] {
                let (x, y) = (numbers(n + m, 3), numbers(n + m + 1, 5));
                let (x, y) = (&x[..x.len() - x.len().min(short)], &y[..]);
                both!(failing, failing_grad, (x, y, n, m));
                both!(overflowing, overflowing_grad, (x, y, n, m));
            }
        }
    }
}
