//! Arrays that loops fill from what they have filled before, and overwrites that have to save what somebody reads.

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, numbers, twins};

twins! {
    /// applied `ahead`
    pub(super) fn chain(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut c = vec![0.5; n + 1];
        for i in 1..n {
            c[i] = (c[i - 1] * x[i] + y[i]).sin();
        }
        c.iter().map(|v| v * v).sum()
    }

    /// Both sweeps of a tridiagonal solver, the second one from the end.
    ///
    /// applied `ahead`
    pub(super) fn tridiagonal(x: &[f64], y: &[f64], n: usize) -> f64 {
        let n = n + 1;
        let (mut p, mut q) = (vec![0.0; n], vec![0.0; n]);
        p[0] = y[0] / 4.0;
        q[0] = x[0] / 4.0;
        for i in 1..n {
            let m = 1.0 / (4.0 - x[i] * p[i - 1]);
            p[i] = y[i] * m;
            q[i] = (x[i] - y[i] * q[i - 1]) * m;
        }
        let mut z = vec![0.0; n];
        z[n - 1] = q[n - 1];
        for i in (0..n - 1).rev() {
            z[i] = q[i] - p[i] * z[i + 1];
        }
        z.iter().map(|v| v * v * v).sum()
    }

    /// In place: what is overwritten is read by its own statement alone, which is a sum.
    ///
    /// applied `ahead`
    pub(super) fn in_place(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = x.to_vec();
        for i in 1..n {
            z[i] -= y[i] * z[i - 1] * z[i - 1];
        }
        z[n / 2] * z[n]
    }

    /// A table of which rows follow from the rows before.
    ///
    /// applied `ahead`
    pub(super) fn table(x: &[f64], y: &[f64], n: usize) -> f64 {
        let m = n / 2 + 1;
        let mut t = vec![1.0; (n + 1) * (m + 1)];
        for i in 1..=n {
            for j in 1..=m {
                let both = t[(i - 1) * (m + 1) + j - 1] * x[i];
                let up = t[(i - 1) * (m + 1) + j].sin();
                let left = t[i * (m + 1) + j - 1] * y[j];
                t[i * (m + 1) + j] = 0.3 * (both * both + up * left) - 0.2 * left * both;
            }
        }
        t[n * (m + 1) + m]
    }

    /// The same as rows.
    ///
    /// applied `ahead`
    pub(super) fn rows(x: &[f64], y: &[f64], n: usize) -> f64 {
        let m = n / 2 + 1;
        let mut t = vec![vec![1.0; m + 1]; n + 1];
        for i in 1..=n {
            for j in 1..=m {
                let left = t[i][j - 1] * y[j];
                t[i][j] = 0.3 * t[i - 1][j - 1] * t[i - 1][j] * x[i] - 0.2 * left * left;
            }
        }
        t[n][m]
    }

    /// Points of a path, of as many numbers as a parameter says.
    ///
    /// applied `ahead`
    pub(super) fn path(x: &[f64], y: &[f64], n: usize) -> f64 {
        let d = y.len().min(3);
        let mut p = vec![0.0; (n + 1) * d];
        for k in 0..d {
            p[k] = y[k];
        }
        for t in 1..=n {
            for k in 0..d {
                p[t * d + k] = p[(t - 1) * d + k] + 0.1 * (p[(t - 1) * d + k] * x[t]).sin();
            }
        }
        let mut s = 0.0;
        for k in 0..d {
            s += p[n * d + k] * p[n * d + k];
        }
        s
    }

    /// Every other element, from what lies between and from the one before.
    ///
    /// applied `ahead`
    pub(super) fn in_pairs(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut c = vec![0.1; 2 * n + 2];
        for i in 0..n {
            c[2 * i + 1] = x[i] * c[2 * i] * c[2 * i];
            c[2 * i + 2] = y[i] * c[2 * i + 1] * c[2 * i];
            c[2 * i + 2] += 0.5;
        }
        c[2 * n] + c[n] * c[n + 1]
    }

    /// applied `ahead`
    pub(super) fn in_steps(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut c = vec![0.4; n + 4];
        for i in (2..n).step_by(3) {
            c[i] = c[i - 2] * c[i - 1] * x[i] + y[i];
            c[i + 1] = c[i] * c[i] * y[i];
        }
        c.iter().map(|v| v * v).sum()
    }

    /// From the end, by an index that goes down.
    ///
    /// applied `ahead`
    pub(super) fn downwards(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut c = vec![0.7; n + 1];
        for i in 0..n {
            let at = n - 1 - i;
            c[at] = c[at + 1] * c[at + 1] * x[at] + y[i];
        }
        c[0] * c[n / 2]
    }

    /// An array of each iteration's own, in a loop that is left early.
    ///
    /// applied `ahead`
    pub(super) fn of_an_iteration(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        let mut k = 0;
        while k < 5 {
            let mut c = [0.2; 6];
            for i in 1..6 {
                if x[k + i] < -0.9 {
                    break;
                }
                c[i] = (c[i - 1] + y[k]) * x[k + i];
            }
            s += c[5] * c[4];
            k += 1;
        }
        s
    }

    /// applied `ahead`
    pub(super) fn under_a_condition(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut c = vec![0.5; n + 1];
        for i in 1..n {
            if x[i] > 0.0 {
                c[i] = c[i - 1] * c[i - 1] * y[i];
            } else {
                c[i] += c[i - 1] * x[i] * c[i - 1];
            }
        }
        c.iter().map(|v| v * v).sum()
    }

    /// Filled twice: what the second loop overwrites was put there by `fill`, which saves.
    ///
    /// applied `ahead`
    pub(super) fn filled_again(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut c = vec![0.5; n + 1];
        for i in 1..n {
            c[i] = c[i - 1] * c[i - 1] * y[i] + x[i];
        }
        let first = c[n / 2];
        c.fill(0.3);
        for i in 1..n {
            c[i] = c[i - 1] * c[i - 1] * x[i] + y[i];
        }
        first * first * c[n / 2]
    }

    /// The neighbour on either side is read again, though the array is overwritten.
    ///
    /// applied `recompute`
    /// recomputes `left` and `right`
    pub(super) fn neighbours(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut u = x[..=n].to_vec();
        for _ in 0..3 {
            for i in 1..n {
                let left = u[i - 1];
                let right = u[i + 1];
                u[i] += 0.2 * (left * left - 2.0 * u[i] * u[i] + right * right) * y[i];
            }
        }
        u.iter().map(|v| v * v).sum()
    }
}

macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [0, 1, 2, 3, 7, 26, 41, 66] {
                let (mut x, mut y) = (numbers(2 * n + 12, 3), numbers(2 * n + 12, 5));
                both!($f, $g, (&x, &y, n));
                both!($f, $g, (&x[..n / 2 + 1], &y, n));
                x[1 + n / 2] = f64::NAN;
                y[n / 3] = -0.0;
                both!($f, $g, (&x, &y, n));
                x[1 + n / 2] = f64::INFINITY;
                both!($f, $g, (&x, &y, n));
            }
            let all = numbers(48, 7);
            let (_, (dx, dy)) = on::$g(&all[..24], &all[24..], 7);
            let want = differences(|p| on::$f(&p[..24], &p[24..], 7), &all);
            assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
        }
    )* };
}
use compared;

compared! {
    chain chain_grad
    tridiagonal tridiagonal_grad
    in_place in_place_grad
    table table_grad
    rows rows_grad
    path path_grad
    in_pairs in_pairs_grad
    in_steps in_steps_grad
    downwards downwards_grad
    of_an_iteration of_an_iteration_grad
    under_a_condition under_a_condition_grad
    filled_again filled_again_grad
    neighbours neighbours_grad
}

/// What is overwritten was read, or may have been.
mod refused {
    use super::*;

    twins! {
        /// not applied `ahead`
        pub(super) fn towards(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut c = x.to_vec();
            for i in 0..n {
                c[i] = c[i + 1] * c[i + 1] * y[i];
            }
            c.iter().map(|v| v * v).sum()
        }

        /// Backwards, the neighbour on the left was not written yet.
        ///
        /// not applied `ahead`
        pub(super) fn away(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut c = x.to_vec();
            for i in (1..n).rev() {
                c[i] = c[i - 1] * c[i - 1] * y[i];
            }
            c.iter().map(|v| v * v).sum()
        }

        /// Nobody reads what the sum overwrites; the square overwrites what is read.
        ///
        /// applied `ahead`
        /// restores `c` in each iteration
        pub(super) fn twice(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut c = vec![0.5; n + 1];
            let mut s = 0.0;
            for i in 0..n {
                c[i] += x[i];
                s += c[i] * c[i] * y[i];
                c[i] = c[i] * c[i];
            }
            s + c[n / 2]
        }

        /// not applied `ahead`
        pub(super) fn each_time(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut c = x[..=n].to_vec();
            for k in 0..n.min(3) {
                for i in 1..n {
                    c[i] = c[i] * 0.5 + c[i - 1] * c[i - 1] * y[k];
                }
            }
            c.iter().map(|v| v * v).sum()
        }

        /// How far apart the elements are, the text does not say: not at all, for instance.
        ///
        /// not applied `ahead`
        pub(super) fn any_distance(x: &[f64], y: &[f64], n: usize) -> f64 {
            let k = n % 3;
            let mut c = vec![0.5; n + 3];
            for i in 0..n {
                c[i + k] = c[i] * c[i] * x[i] + y[i];
            }
            c.iter().map(|v| v * v).sum()
        }

        /// Nor how large a step is.
        ///
        /// not applied `ahead`
        pub(super) fn any_stride(x: &[f64], y: &[f64], n: usize) -> f64 {
            let k = n % 3;
            let mut c = vec![0.5; 2 * n + 3];
            for i in 0..n {
                c[k * i + 1] = c[k * i] * c[k * i + 1] * x[i] + y[i];
            }
            c.iter().map(|v| v * v).sum()
        }

        /// The last element of a row is the first of the next one.
        ///
        /// not applied `ahead`
        pub(super) fn rows_that_meet(x: &[f64], y: &[f64], n: usize) -> f64 {
            let m = n / 2 + 1;
            let mut t = vec![0.6; (n + 2) * (m + 1)];
            for i in 1..=n {
                for j in 0..=m {
                    t[i * m + j] = t[(i - 1) * m + j] * t[(i - 1) * m + j] * x[i] + y[j];
                }
            }
            t[n * m]
        }

        /// not applied `ahead`
        pub(super) fn by_a_list(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut c = vec![0.5; n + 1];
            let list: Vec<usize> = (0..n).map(|i| i * 7 % (n + 1)).collect();
            for i in 1..n {
                c[list[i]] = c[list[i - 1]] * c[list[i - 1]] * x[i] + y[i];
            }
            c.iter().map(|v| v * v).sum()
        }

        /// The loop in front reads what is overwritten.
        ///
        /// not applied `ahead`
        pub(super) fn read_in_front(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut c = x.to_vec();
            let mut s = 0.0;
            for i in 0..n {
                s += c[i] * c[i] * y[i];
            }
            for i in 1..n {
                c[i] = c[i - 1] * c[i - 1] * y[i];
            }
            s + c[n / 2]
        }

        /// All of it is read in each iteration.
        ///
        /// not applied `ahead`
        pub(super) fn read_whole(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut c = x[..=n].to_vec();
            let mut s = 0.0;
            for i in 1..n {
                // Not zero, where `sink` would skip infinite numbers.
                s += c.iter().map(|v| v * v).sum::<f64>() * (y[i] + 2.5);
                c[i] = c[i - 1] * y[i];
            }
            s + c[n / 2]
        }

        /// Which array an element lies in changes.
        ///
        /// not applied `ahead`
        pub(super) fn exchanged(x: &[f64], y: &[f64], n: usize) -> f64 {
            let (mut a, mut b) = (x[..=n].to_vec(), y[..=n].to_vec());
            for i in 1..n {
                a[i] = a[i - 1] * b[i - 1] * a[i - 1] + 0.3;
                std::mem::swap(&mut a, &mut b);
            }
            a.iter().zip(&b).map(|(a, b)| a * b).sum()
        }

        /// An element that is written later is not read again.
        ///
        /// not applied `ahead`
        pub(super) fn the_same_element(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut u = x.to_vec();
            let mut s = 0.0;
            for i in 1..n {
                let (j, k) = (i - 1, i);
                let own = u[j + 1] * y[i];
                u[k] = 0.3 * u[j] * own;
                s += own * own * own;
            }
            s + u[n / 2]
        }
    }

    compared! {
        towards towards_grad
        away away_grad
        twice twice_grad
        each_time each_time_grad
        any_distance any_distance_grad
        any_stride any_stride_grad
        rows_that_meet rows_that_meet_grad
        by_a_list by_a_list_grad
        read_in_front read_in_front_grad
        read_whole read_whole_grad
        exchanged exchanged_grad
        the_same_element the_same_element_grad
    }
}

/// Counters near the largest word: indices wrap around where nobody checks.
mod words {
    use super::*;

    twins! {
        /// not applied `ahead`
        pub(super) fn wraps(x: &[f64], y: &[f64], n: usize) -> f64 {
            let mut c = vec![0.5; n + 4];
            for i in usize::MAX - n..usize::MAX {
                let k = i.wrapping_sub(usize::MAX - n);
                c[k + 1] = c[k] * c[k] * x[k] + y[k];
            }
            c.iter().map(|v| v * v).sum()
        }
    }

    compared! { wraps wraps_grad }
}
