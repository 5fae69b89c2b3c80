//! Indices that go down while the counter goes up, `x[n - 1 - i]` and `x[i - k]`: convolutions, recurrences of series,
//! palindromes, exchanges; and elements of parts of arrays.

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, numbers, twins};

twins! {
    /// applied `reslice`
    pub(super) fn dot(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = m as f64;
        for i in 0..n {
            s += x[i] * y[n - 1 - i] * x[i];
        }
        s
    }

    /// applied `reslice`
    pub(super) fn convolution(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut e = 0.0;
        for i in m..n {
            let mut s = 0.0;
            for k in 0..=m {
                s += y[k] * x[i - k];
            }
            e += s * s;
        }
        e
    }

    /// From the other end, and two neighbours that are both added to.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn neighbours(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += x[n + 1 - i] * x[n - i] * y[i].sin() - x[n - i] * m as f64;
        }
        s
    }

    /// Added to from both ends, so that iterations meet in the middle.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn both_ends(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let d = x[i] - x[n + m - i];
            s += d * d * y[i];
        }
        s
    }

    /// Sums in neighbouring elements that one pass adds, beside one from the other end.
    ///
    /// applied `reslice`, `lanes`, `gather`
    pub(super) fn gathered(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let d = x[i] + 0.5 * x[i + 1] - 0.25 * x[i + 2] + x[n + m - i] * y[i];
            s += d * d;
        }
        s
    }

    /// A list is turned round within itself: each iteration writes what no other one touches, up to the middle.
    ///
    /// applied `reslice`
    pub(super) fn reversed(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = x[..n].to_vec();
        for i in 0..n / 2 {
            let first = list[i];
            list[i] = list[n - 1 - i] * y[i];
            list[n - 1 - i] = first;
        }
        let mut s = m as f64;
        for i in 0..n {
            s += list[i] * y[i];
        }
        s
    }

    /// Beyond the middle, an iteration reads what another one wrote.
    ///
    /// not applied `forward_order`: each iteration restores `list`
    pub(super) fn folded(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = x[..n].to_vec();
        for i in 0..n {
            list[i] += 0.5 * list[n - 1 - i] * y[i];
        }
        let mut s = m as f64;
        for v in &list {
            s += v * v;
        }
        s
    }

    /// Writes to neighbours from the end: the later one stays.
    ///
    /// not applied `reslice`: forward: `list` is written at an element that another iteration reads or writes
    pub(super) fn overwritten(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut list = vec![1.0; n + 1];
        for i in 0..n {
            list[n - i] = x[i];
            list[n - 1 - i] = y[i] * x[i];
        }
        let mut s = m as f64;
        for v in &list {
            s += v * v;
        }
        s
    }

    /// The powers of a series, each from all before.
    ///
    /// applied `reslice`
    pub(super) fn series(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut e = vec![0.0; n + 1];
        e[0] = y[0];
        for i in 1..=n {
            let mut s = 0.0;
            for k in 1..=i {
                s += k as f64 * x[k - 1] * e[i - k];
            }
            e[i] = s / i as f64;
        }
        e[n] + e[m.min(n)]
    }

    /// applied `reslice`
    pub(super) fn largest(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let (mut best, mut at) = (f64::NEG_INFINITY, 0);
        for i in 0..n {
            if x[n - 1 - i] > best {
                best = x[n - 1 - i];
                at = i;
            }
        }
        if n > 0 { best * best + at as f64 * y[0] } else { m as f64 }
    }

    /// Parts that lie end to end, one from each end.
    ///
    /// applied `reslice`
    pub(super) fn halves(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let (a, b) = x.split_at(n);
        let mut s = 0.0;
        for i in 0..n {
            s += a[i] * a[i] * y[i] + m as f64;
        }
        for i in 0..b.len().min(n) {
            s += a[n - 1 - i] * b[i].sin();
        }
        s
    }

    /// Parts that overlap, and parts of parts.
    ///
    /// applied `reslice`
    pub(super) fn parts(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let (a, b) = (&x[m..m + n], &x[1..]);
        let inner = &a[..n - n / 2];
        let mut s = 0.0;
        for i in 0..n / 2 {
            s += a[i] * b[n - i] + inner[i] * y[i];
        }
        s
    }

    /// Of a part of a part, the bounds are not those of an index of the whole.
    ///
    /// applied `reslice`
    pub(super) fn bounds_of_a_part(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let inner = &x[m..][1..n + 1];
        let tail = &x[n + 1..];
        let mut s = 0.0;
        for i in 0..n.min(2 + m) {
            s += inner[i] * y[i] + tail[i] * x[1 + i];
        }
        s
    }

    /// Records of each iteration, in strips.
    ///
    /// applied `reslice`, `strips`
    pub(super) fn recorded(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut out = vec![0.0; n];
        for i in 0..n {
            let e = (x[n - i] * y[i]).exp();
            out[n - 1 - i] = e * e + m as f64;
        }
        out.iter().map(|v| v.sin()).sum()
    }

    /// More iterations than a block of contributions has, with fields of elements.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn pairs(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let list: Vec<(f64, f64)> = (0..n).map(|i| (x[i], y[i])).collect();
        let mut s = m as f64;
        for i in 0..n {
            s += list[i].0 * list[n - 1 - i].1.sin() + list[n - 1 - i].0 * list[i].1;
        }
        s
    }
}

macro_rules! compared {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            for n in [0, 1, 2, 3, 7, 17, 40, 130] {
                for m in [0, 1, 2, 5, 20] {
                    let (x, y) = (numbers(n + m + 2, 3), numbers(n + m + 3, 5));
                    both!($f, $g, (&x, &y, n, m));
                    // Too short, so that an index panics.
                    both!($f, $g, (&x[..n / 2], &y, n, m));
                    both!($f, $g, (&x, &y[..m], n, m));
                }
            }
            let (n, m) = (20, 3);
            let all = numbers(50, 7);
            let (_, (dx, dy)) = on::$g(&all[..26], &all[26..], n, m);
            let want = differences(|p| on::$f(&p[..26], &p[26..], n, m), &all);
            assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
        }
    )* };
}

compared! {
    dot dot_grad
    convolution convolution_grad
    neighbours neighbours_grad
    both_ends both_ends_grad
    gathered gathered_grad
    reversed reversed_grad
    folded folded_grad
    overwritten overwritten_grad
    series series_grad
    largest largest_grad
    halves halves_grad
    parts parts_grad
    bounds_of_a_part bounds_of_a_part_grad
    recorded recorded_grad
    pairs pairs_grad
}
