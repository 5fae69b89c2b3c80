//! Elements of flat arrays taken in groups: points of three numbers, complex numbers, pixels.

use crate::twins::{SIZES, agree, both, near, numbers, outcome, twins};

twins! {
    /// Each point under one camera: elements by group, and elements that all points share.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn points(c: &[f64], p: &[f64], seen: &[f64]) -> f64 {
        let n = p.len() / 3;
        let mut e = 0.0;
        for k in 0..c.len() / 4 {
            for i in 0..n {
                let x = p[3 * i] - c[4 * k];
                let y = p[3 * i + 1] - c[4 * k + 1];
                let z = p[3 * i + 2] * c[4 * k + 2] + 4.0;
                let u = x / z - seen[2 * (k * n + i)];
                let v = y / z - seen[2 * (k * n + i) + 1] * c[4 * k + 3];
                e += u * u + v * v;
            }
        }
        e
    }

    /// Complex numbers, written in one loop and read in the next.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn complex(a: &[f64], b: &[f64], n: usize) -> f64 {
        let mut y = vec![0.5; 2 * n];
        for i in 0..n {
            y[2 * i] = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
            y[2 * i + 1] += a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
        }
        let mut s = 0.0;
        for i in 0..n {
            let p = y[2 * i] * y[2 * i] + y[2 * i + 1] * y[2 * i + 1];
            s += p * p;
        }
        s
    }

    /// An element that all iterations use, behind the last whole group.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn behind_all(x: &[f64], n: usize) -> f64 {
        let q = x.len() / 3;
        let mut s = 0.0;
        for i in 0..n {
            let c = (i as f64 + 0.5).sqrt();
            s += c * x[3 * i] - c * c * x[3 * q] + c / (1.0 + c * c) * x[3 * i + 1];
        }
        s * s
    }

    /// An element that only some iterations would use, if at all.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn seldom(x: &[f64], y: &[f64], n: usize, m: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            let c = (i as f64 + 0.5).sqrt();
            if c > 5.0 {
                s += c * y[m - 1];
            }
            s += c / (1.0 + c * c) * x[i];
        }
        s * s
    }

    /// Neighbours, an index with a name, and one behind it; the loop does not begin at zero.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn springs(x: &[f64], n: usize) -> f64 {
        let mut e = 0.0;
        for i in 1..n {
            let at = 3 * i;
            let dx = x[at] - x[3 * (i - 1)];
            let dy = x[at + 1] - x[at - 2];
            let dz = x[3 * i + 2] - x[3 * i - 1];
            e += (dx * dx + dy * dy + dz * dz + 0.3).sqrt();
        }
        e
    }

    /// Elements more than a group ahead, and a group that all iterations share.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn ahead(x: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..n {
            s += x[2 * i] * x[2 * i + 5] * x[1] - x[2 * i + 3] * x[0];
        }
        s
    }

    /// A row of pixels in each iteration of the outer loop.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn pixels(x: &[f64], w: usize, h: usize) -> f64 {
        let mut s = 0.0;
        for r in 0..h {
            let row = r * w;
            for c in 0..w {
                let p = 3 * (row + c);
                let gray = 0.3 * x[p] + 0.6 * x[p + 1] + 0.1 * x[p + 2];
                s += gray * gray * x[(r * w + c) * 3];
            }
        }
        s
    }

    /// Elements that all iterations share, under indices of a loop that is written out.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn shared(pose: &[f64; 6], p: &[[f64; 3]], q: &[f64]) -> f64 {
        let mut e = 0.0;
        for i in 0..p.len() {
            let mut d = 0.2;
            for a in 0..3 {
                let mut v = pose[3 + a] - q[3 * i + a];
                for b in 0..3 {
                    v += pose[b] * p[i][b];
                }
                d += v * v;
            }
            e += d / (1.0 + d);
        }
        e
    }

    /// No groups: two sizes, an index that is no multiple, an array of which one index is none, a counter that cancels
    /// out.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn others(x: &[f64], n: usize, k: usize) -> f64 {
        let mut y = vec![0.0; 3 * n + k];
        let mut s = 0.0;
        for i in 0..n {
            s += x[2 * i] * x[3 * i];
        }
        for i in 0..n {
            s += x[2 * i + k] * x[2 * i + k];
        }
        for i in 0..n {
            y[2 * i] = x[2 * i] * x[2 * i + 1];
            y[2 * i + 1] += y[k] * x[2 * i];
        }
        for i in 0..n {
            s += x[2 * i + k - i] * y[2 * i];
        }
        s
    }

    /// applied `reslice`, `lanes`
    pub(super) fn single(x: &[f32], n: usize) -> f64 {
        let mut s = 0.0_f32;
        for i in 0..n {
            s += x[2 * i] * x[2 * i + 1] * x[2 * i + 1];
        }
        f64::from(s)
    }

    /// Writes into what the caller owns.
    ///
    /// applied `reslice`
    pub(super) fn into(x: &[f64], n: usize, y: &mut [f64]) {
        for i in 0..n {
            y[2 * i + 1] = x[2 * i] * x[2 * i + 1];
            y[2 * i] *= x[2 * i + 1];
        }
    }
}

#[test]
fn groups_of_all_lengths() {
    for n in SIZES {
        for more in 0..3 {
            let (x, y) = (numbers(3 * n + more, 1), numbers(2 * n + more, 2));
            both!(complex, complex_grad, (&x, &y, n));
            both!(springs, springs_grad, (&x, n));
            both!(ahead, ahead_grad, (&x, n));
            both!(others, others_grad, (&x, n, more));
            for k in [0, 1, 3] {
                let (c, seen) = (numbers(4 * k, 3), numbers(2 * k * n + more, 4));
                both!(points, points_grad, (&c, &x, &seen));
                both!(pixels, pixels_grad, (&x, n / k.max(1), k));
            }
            let points: Vec<[f64; 3]> = x.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
            let pose = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
            both!(shared, shared_grad, (&pose, &points, &x));
            let z: Vec<f32> = y.iter().map(|v| *v as f32).collect();
            let (value, on) = on::single_grad(&z, n);
            assert_eq!(value.to_bits(), on::single(&z, n).to_bits());
            for (on, off) in on.iter().zip(off::single_grad(&z, n).1) {
                assert!((on - off).abs() <= 1e-5, "{on} for {off}");
            }
        }
    }
}

/// Against differences of the function.
#[test]
fn elements_that_no_iteration_reaches() {
    for n in SIZES {
        for more in 0..3 {
            both!(behind_all, behind_all_grad, (&numbers(3 * n + more, 1), n));
        }
        for (m, len) in [(0, 3), (1, 3), (3, 3), (4, 3), (1, 0)] {
            let (x, y) = (numbers(n, 1), numbers(len, 2));
            both!(seldom, seldom_grad, (&x, &y, n, m));
        }
    }
}

#[test]
fn the_slope_of_the_function() {
    fn slopes(f: &dyn Fn(&[f64]) -> f64, x: &[f64], gradient: &[f64]) {
        for i in 0..x.len() {
            let at = |h: f64| {
                let mut moved = x.to_vec();
                moved[i] += h;
                f(&moved)
            };
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            let entry = gradient[i];
            assert!(
                (slope - entry).abs() <= 1e-7 * slope.abs().max(1.0),
                "{i}: {entry} for {slope}"
            );
        }
    }
    let n = 37;
    let (x, y) = (numbers(3 * n, 1), numbers(2 * n, 2));
    slopes(&|x| on::springs(x, n), &x, &on::springs_grad(&x, n).1);
    slopes(&|x| on::ahead(x, n), &x, &on::ahead_grad(&x, n).1);
    slopes(
        &|x| on::complex(x, &y, n),
        &x,
        &on::complex_grad(&x, &y, n).1.0,
    );
    let (c, seen) = (numbers(8, 3), numbers(4 * n, 4));
    let (dc, dx, _) = on::points_grad(&c, &x, &seen).1;
    slopes(&|x| on::points(&c, x, &seen), &x, &dx);
    slopes(&|c| on::points(c, &x, &seen), &c, &dc);
}

/// An array ends in the middle of a group, and before the loop does: the function panics after it has written all
/// before.
#[test]
fn an_array_that_ends_too_early() {
    for n in [1, 2, 8, 9, 33] {
        for (more, len) in [
            (0, 2 * n),
            (0, 2 * n - 1),
            (1, 2 * n + 1),
            (0, n),
            (5, 2 * n - 2),
        ] {
            let (x, start) = (
                numbers(2 * n + more - usize::from(more == 5) * 6, 1),
                numbers(len, 2),
            );
            let mut want = start.clone();
            let done = outcome(|| on::into(&x, n, &mut want)).is_some();
            let run = |on: bool| {
                let (mut y, mut dy, mut dx) = (start.clone(), vec![0.5; len], vec![0.0; x.len()]);
                let mut tape = retrograde::Tape::new();
                let done = outcome(|| {
                    if on {
                        on::into_adjoint(&mut tape, &x, &mut dx, n, &mut y, &mut dy, ())
                    } else {
                        off::into_adjoint(&mut tape, &x, &mut dx, n, &mut y, &mut dy, ())
                    }
                });
                (done.is_some(), y, dx)
            };
            let (with, without) = (run(true), run(false));
            assert_eq!((with.0, &with.1), (done, &want), "{n} {more} {len}");
            assert_eq!((without.0, &without.1), (done, &want), "{n} {more} {len}");
            if done {
                near(&with.2, &without.2);
            }
        }
    }
}

/// The index overflows where the debug build looks for it, and wraps where not: as in the function.
#[test]
fn an_index_that_overflows() {
    twins! {
        /// applied `reslice`, `lanes`
        pub(super) fn far(x: &[f64], n: usize, from: usize) -> f64 {
            let mut s = 0.0;
            for i in 0..n {
                let k = from + i;
                s += x[2 * k] * x[2 * k + 1];
            }
            s
        }
    }
    for n in [0, 1, 9, 33] {
        let x = numbers(2 * n, 3);
        for from in [0, 1, usize::MAX / 2 + 1, usize::MAX - 3] {
            both!(far, far_grad, (&x, n, from));
        }
    }
}
