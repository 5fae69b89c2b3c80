//! Reverse loops that run on the numbers of several iterations at once, in registers.

use crate::twins::{SIZES, agree, both, numbers, same_writes, twins};

const STIFF: f64 = 1.5;

/// More around the lengths of registers.
fn sizes() -> impl Iterator<Item = usize> {
    SIZES.into_iter().chain([4, 6, 8, 9, 15, 16, 32, 97])
}

twins! {
    /// Springs to a node so many further on: elements that are added to meet, as it happens.
    ///
    /// applied `wide`
    pub(super) fn springs(x: &[f64], y: &[f64], k: usize) -> f64 {
        let n = x.len() - k;
        let mut f = vec![0.0; n];
        let mut g = vec![0.0; n];
        for i in 0..n {
            let (dx, dy) = (x[i + k] - x[i], y[i + k] - y[i]);
            let l = (dx * dx + dy * dy).sqrt();
            let w = STIFF * (l - 1.0) / l;
            f[i] = w * dx;
            g[i] = w * dy;
        }
        let mut e = 0.0;
        for i in 0..n {
            e += f[i] * g[i] + f[i];
        }
        e
    }

    /// Numbers that all iterations add to, and elements of which one is added to by all.
    ///
    /// applied `wide`
    pub(super) fn coefficients(x: &[f64], c: &[f64], a: f64, at: usize) -> f64 {
        let n = x.len() / 2;
        let mut z = vec![1.0; n];
        for i in 0..n {
            z[i] = -x[i] * c[0] + a * x[i + n] / (c[1] * c[1] + 2.0) - c[2] * x[i] * x[at];
        }
        let mut s = 0.0;
        for i in 0..n {
            s += z[i] * z[i];
        }
        s
    }

    /// The same arrays in every step, with other values.
    ///
    /// applied `wide`
    pub(super) fn steps(x0: &[f64], steps: usize, #[constant] h: f64) -> f64 {
        let n = x0.len() / 2;
        let mut x = x0.to_vec();
        let mut v = vec![0.0; 2 * n];
        for _ in 0..steps {
            for i in 0..n {
                let d = x[i + n] - x[i];
                let w = 1.0 / (1.0 + d * d).sqrt();
                v[i] += w * d;
                v[i + n] -= w * d * d;
            }
            for i in 0..2 * n {
                x[i] += h * v[i];
            }
        }
        let mut e = 0.0;
        for i in 0..2 * n {
            e += x[i] * v[i];
        }
        e
    }

    /// Nine neighbours, in rows that meet where they are short, and factors that all iterations add to.
    ///
    /// applied `wide`
    ///
    /// applied `gather`
    pub(super) fn nine(x: &[f64], w: &[f64], width: usize) -> f64 {
        let n = x.len().saturating_sub(2 * width + 2);
        let mut y = vec![0.5; n];
        for i in 0..n {
            let mut sum = w[9];
            for a in 0..3 {
                for b in 0..3 {
                    sum += w[3 * a + b] * x[i + a * width + b];
                }
            }
            y[i] = sum;
        }
        let mut s = 0.0;
        for i in 0..n {
            s += y[i] * y[i] * x[i];
        }
        s
    }

    /// Neighbours up to as far as one sum reaches, out of order, with both signs.
    ///
    /// applied `gather`
    pub(super) fn scattered(x: &[f64], c: f64) -> f64 {
        let n = x.len().saturating_sub(8);
        let mut y = vec![0.5; n];
        for i in 0..n {
            let d = x[i + 3] - x[i + 7] * x[i];
            y[i] = c * d * x[i + 8] - d / (1.5 + x[i + 1] * x[i + 1]) + x[i + 4] * x[i + 2] * c;
        }
        let mut s = 0.0;
        for i in 0..n {
            s += y[i] * y[i];
        }
        s
    }

    /// applied `wide`
    pub(super) fn writes(x: &[f64], n: usize, far: usize, out: &mut [f64]) {
        for i in 0..n {
            let d = x[i] - x[i + far];
            out[i] = d * d * x[i] / (1.0 + x[i + far] * x[i + far]).sqrt();
        }
    }

    /// What is added to elements that hold something: a number, its negative, a quotient, and what a variable holds.
    ///
    /// applied `wide`
    pub(super) fn written_once(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut z = vec![0.0; n];
        for i in 0..n {
            z[i] = x[i] * x[i + n] + y[i];
        }
        for i in 0..n {
            z[i] += z[i] * (x[i] * x[i + n] - y[i]);
        }
        for i in 0..n {
            z[i] = z[i] * (y[i] / (1.5 + x[i] * x[i + n] * x[i] * x[i + n]));
        }
        for i in 0..n {
            let q = 1.5 + x[i] * x[i] + x[i + n] * x[i + n];
            z[i] = z[i] + y[i] / (q * q.sqrt());
        }
        let mut s = 0.0;
        for i in 0..n {
            s += z[i] * y[i];
        }
        s
    }

    /// What keeps loops from it.
    ///
    /// not applied `wide`
    pub(super) fn refused(x: &[f64], c: f64) -> f64 {
        let n = x.len() / 2;
        let mut z = vec![0.0; n];
        for i in 0..n {
            z[i] += (x[i] * x[i + n]).exp() * c;
        }
        for i in 0..n {
            z[i] += x[i] * x[i + n] * (i as f64);
        }
        for i in 0..n {
            z[i] += if x[i] > 0.1 { x[i] * x[i + n] } else { c * x[i + n] };
        }
        let mut s = 0.0;
        for i in 0..n {
            s += z[i];
        }
        s
    }
}

#[test]
fn elements_that_are_added_to_may_meet() {
    for n in sizes() {
        for k in [0, 1, 2, 3, 4, 5, 8, 40] {
            let (x, y) = (&numbers(n + k, 1), &numbers(n + k, 2));
            both!(springs, springs_grad, (x, y, k));
        }
    }
}

/// Nodes that coincide have no direction: where nothing depends on that, nothing becomes of it.
#[test]
fn dead_seeds_stay_zero() {
    for n in sizes() {
        let mut x = numbers(n + 2, 1);
        for i in (2..n + 2).step_by(3) {
            x[i] = x[i - 2];
        }
        let flat = vec![0.5; n + 2];
        both!(springs, springs_grad, (&x, &x, 2));
        both!(springs, springs_grad, (&flat, &flat, 2));
        let huge: Vec<f64> = x.iter().map(|x| x * 1e300).collect();
        both!(springs, springs_grad, (&huge, &x, 2));
    }
}

#[test]
fn numbers_get_what_all_iterations_add() {
    for n in sizes() {
        let x = &numbers(2 * n + 1, 1);
        for at in [0, n, 2 * n] {
            both!(
                coefficients,
                coefficients_grad,
                (x, &[0.5, -2.0, 3.0], 0.7, at)
            );
        }
        let short = &[0.5, -2.0];
        both!(coefficients, coefficients_grad, (x, short, 0.7, 0));
    }
}

#[test]
fn in_a_time_loop() {
    for n in sizes() {
        for steps in [0, 1, 2, 5] {
            both!(steps, steps_grad, (&numbers(2 * n, 3), steps, 0.1));
        }
    }
}

#[test]
fn elements_that_hold_something() {
    for n in sizes() {
        let (x, y) = (&numbers(2 * n, 4), &numbers(n, 5));
        both!(written_once, written_once_grad, (x, y, n));
    }
}

#[test]
fn neighbours_are_one_sum() {
    let w = numbers(10, 4);
    for n in sizes() {
        for width in [0, 1, 2, 3, 4, 5, 11] {
            both!(nine, nine_grad, (&numbers(n + 2 * width + 2, 1), &w, width));
        }
        both!(scattered, scattered_grad, (&numbers(n + 8, 2), 0.7));
    }
}

/// Against derivatives by hand, in numbers of which a register has more.
#[test]
fn neighbours_of_half_the_size() {
    #[retrograde::gradient]
    fn products(x: &[f32], c: &[f32], z: &mut [f32]) {
        for i in 0..z.len() {
            z[i] = c[0] * x[i] * x[i + 1] - c[1] * x[i + 6] * x[i + 3] + c[2] * x[i + 8];
        }
    }
    let c = [0.5_f32, -2.0, 3.0];
    for n in sizes() {
        let x: Vec<f32> = numbers(n + 8, 1).iter().map(|x| *x as f32).collect();
        let seed: Vec<f32> = numbers(n, 2).iter().map(|x| *x as f32).collect();
        let (mut dx, mut dc) = (vec![0.25; n + 8], [0.5; 3]);
        let (mut z, mut dz) = (vec![0.0; n], seed.clone());
        let tape = &mut retrograde::Tape::new();
        products_adjoint(tape, &x, &mut dx, &c, &mut dc, &mut z, &mut dz, ());
        let (mut expected, mut factors) = (vec![0.25; n + 8], [0.5; 3]);
        for (i, s) in seed.iter().enumerate() {
            let ends = [(0, c[0] * x[i + 1]), (1, c[0] * x[i])];
            let middle = [(3, -c[1] * x[i + 6]), (6, -c[1] * x[i + 3]), (8, c[2])];
            for (shift, factor) in ends.into_iter().chain(middle) {
                expected[i + shift] += s * factor;
            }
            let of = [x[i] * x[i + 1], -x[i + 6] * x[i + 3], x[i + 8]];
            factors.iter_mut().zip(of).for_each(|(f, of)| *f += s * of);
        }
        let close = |(a, b): (&f32, &f32)| (a - b).abs() <= 2e-5 * (1.0 + b.abs());
        assert!(dx.iter().zip(&expected).all(close), "{n}");
        assert!(
            dc.iter().zip(&factors).all(close),
            "{n}: {dc:?} {factors:?}"
        );
        assert_eq!(dz, vec![0.0; n]);
    }
}

#[test]
fn other_loops_stay_as_they_are() {
    for n in sizes() {
        both!(refused, refused_grad, (&numbers(2 * n, 3), 0.3));
    }
}

/// Where an index does not exist the function panics in the middle, and so do both sweeps, after the same writes.
#[test]
fn a_panic_leaves_the_same() {
    for n in sizes() {
        let x = numbers(2 * n, 1);
        for (far, len) in [(n, n), (n + 1, n), (n, n.saturating_sub(1)), (n / 2, n / 2)] {
            let done = same_writes(
                &vec![0.25; len],
                |o| on::writes(&x, n, far, o),
                |t, o, b| on::writes_adjoint(t, &x, &mut vec![0.0; 2 * n], n, far, o, b, ()),
                |t, o, b| off::writes_adjoint(t, &x, &mut vec![0.0; 2 * n], n, far, o, b, ()),
                &format!("{n} {far} {len}"),
            );
            assert_eq!(done, n == 0 || far <= n && len >= n);
        }
    }
}

/// Against derivatives by hand.
#[test]
fn products_of_far_neighbours() {
    #[retrograde::gradient]
    fn products(x: &[f64], n: usize, z: &mut [f64]) {
        for i in 0..n {
            z[i] = x[i] * x[i + n] - 2.0 * x[i + 2 * n];
        }
    }
    for n in sizes() {
        let (x, seed) = (numbers(3 * n, 1), numbers(n, 2));
        let (mut dx, mut z, mut dz) = (numbers(3 * n, 5), vec![0.0; n], seed.clone());
        let before = dx.clone();
        let tape = &mut retrograde::Tape::new();
        products_adjoint(tape, &x, &mut dx, n, &mut z, &mut dz, ());
        assert_eq!(dz, vec![0.0; n]);
        for i in 0..n {
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-15 * (1.0 + b.abs());
            assert_eq!(
                z[i].to_bits(),
                (x[i] * x[i + n] - 2.0 * x[i + 2 * n]).to_bits()
            );
            assert!(close(dx[i], before[i] + seed[i] * x[i + n]));
            assert!(close(dx[i + n], before[i + n] + seed[i] * x[i]));
            assert!(close(dx[i + 2 * n], before[i + 2 * n] - 2.0 * seed[i]));
        }
    }
}

#[test]
fn numbers_of_half_the_size() {
    #[retrograde::gradient]
    fn distances(x: &[f32], n: usize, c: f32, z: &mut [f32]) {
        for i in 0..n {
            let d = x[i] - x[i + n];
            z[i] = c * (d * d + 0.5).sqrt();
        }
    }
    for n in sizes() {
        let x: Vec<f32> = numbers(2 * n, 1).iter().map(|x| *x as f32).collect();
        let seed: Vec<f32> = numbers(n, 2).iter().map(|x| *x as f32).collect();
        let (mut dx, mut z, mut dz, mut dc) = (vec![0.0; 2 * n], vec![0.0; n], seed.clone(), 0.0);
        let tape = &mut retrograde::Tape::new();
        let (_, dc) = {
            let c = distances_adjoint(tape, &x, &mut dx, n, 1.5, &mut dc, &mut z, &mut dz, ());
            (c, dc)
        };
        let mut want = 0.0_f64;
        for i in 0..n {
            let d = x[i] - x[i + n];
            let l = (d * d + 0.5).sqrt();
            let slope = 1.5 * seed[i] * d / l;
            let close = |a: f32, b: f32| (a - b).abs() <= 1e-5 * (1.0 + b.abs());
            assert_eq!(z[i].to_bits(), (1.5 * l).to_bits());
            assert!(close(dx[i], slope) && close(dx[i + n], -slope), "{n} {i}");
            want += f64::from(seed[i] * l);
        }
        assert!((f64::from(dc) - want).abs() <= 1e-4, "{n} {dc} {want}");
    }
}
