//! Vectors that the reverse sweep is done with, for the next block that needs one: what they held must not be seen.

use retrograde::{Tape, gradient, no_gradient};

use crate::support::{assert_close, differences};
use crate::twins::{agree, both, numbers, twins};

#[gradient]
fn smooth(v: &[f64], weight: f64) -> Vec<f64> {
    let mut out = v.to_vec();
    for i in 1..v.len() {
        out[i] = v[i] * weight + (v[i - 1] * 0.5).sin();
    }
    out
}

twins! {
    /// A copy for each step.
    ///
    /// applied `recycle`: its reverse uses vectors of iterations before
    pub(super) fn copies(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut u = x.to_vec();
        for _ in 0..5 {
            let old = u.clone();
            for i in 1..n {
                u[i] = old[i] * old[i - 1] + y[i];
            }
        }
        u.iter().map(|v| v * v).sum()
    }

    /// Vectors of other lengths in each step, of which one comes from a call.
    ///
    /// applied `recycle`: its reverse uses vectors of iterations before
    pub(super) fn shorter(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut e = 0.0;
        for k in 0..5 {
            let part = x[..n - n / 8 * k].to_vec();
            let smoothed = smooth(&part, y[k]);
            let mut scaled = vec![0.5; n];
            for i in 0..smoothed.len() {
                scaled[i] = smoothed[i] * part[i] * y[i];
            }
            e += scaled.iter().map(|v| v * v).sum::<f64>();
        }
        e
    }

    /// Vectors that take turns, are moved, and are replaced under a condition.
    ///
    /// applied `recycle`: its reverse uses vectors of iterations before
    pub(super) fn moved(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut u = x.to_vec();
        for k in 0..5 {
            let mut next = vec![0.0; n + 1];
            for i in 0..n {
                next[i] = u[i] * y[i] + (u[i + 1] * 0.3).cos();
            }
            if next[0] > y[k] {
                u = next;
            } else {
                let kept = u;
                u = kept.iter().map(|v| v * v * 0.5).collect();
            }
        }
        u.iter().sum()
    }

    /// A closure, and a region that is run again.
    ///
    /// applied `recycle`: its reverse uses vectors of iterations before
    pub(super) fn regions(x: &[f64], y: &[f64], n: usize) -> f64 {
        let product = |a: &[f64], b: &[f64]| -> f64 {
            let mut c = a.to_vec();
            for i in 0..a.len() {
                c[i] *= b[i];
            }
            c.iter().map(|v| v.sin()).sum()
        };
        let mut u = x.to_vec();
        let mut e = 0.0;
        for _ in 0..5 {
            #[checkpoint]
            {
                let old = u.clone();
                for i in 1..n {
                    u[i] = old[i] * 0.5 + old[i - 1] * y[i];
                }
            }
            e += product(&u, y);
        }
        e
    }

    /// What is kept of a vector of the function's own is its length, or it is passed on by value.
    ///
    /// applied `recycle`: its reverse uses vectors of iterations before
    pub(super) fn opaque(x: &[f64], y: &[f64], n: usize) -> f64 {
        let mut e = 0.0;
        for k in 0..5 {
            let rounded: Vec<f64> = no_gradient(x.iter().map(|v| v.round()).collect());
            let weights: Vec<f64> = x[..n].iter().map(|v| v * y[k]).collect();
            let count = no_gradient(rounded.into_iter().filter(|v| *v > 0.0).count());
            e += weights.iter().map(|w| w * w * count as f64).sum::<f64>();
        }
        e
    }
}

macro_rules! compared_at_length {
    ($($f:ident $g:ident)*) => { $(
        #[test]
        fn $f() {
            // The lengths of vectors that are kept, and others, in turns: what is taken was another's.
            for n in [0, 5, 8, 127, 128, 129, 300, 5, 1000, 300, 129] {
                for seed in [1, 4] {
                    let (x, mut y) = (numbers(n + 1, seed), numbers(n + 5, seed + 5));
                    both!($f, $g, (&x, &y, n));
                    // Too short, so that an index panics half-way.
                    both!($f, $g, (&x[..n / 2], &y, n));
                    y[n / 2] = f64::NAN;
                    both!($f, $g, (&x, &y, n));
                }
            }
            let all = numbers(150 + 153, 7);
            let (_, (dx, dy)) = on::$g(&all[..150], &all[150..], 149);
            let want = differences(|p| on::$f(&p[..150], &p[150..], 149), &all);
            assert_close(&[dx, dy].concat(), &want, 1e-6, &[]);
        }
    )* };
}

compared_at_length! {
    copies copies_grad
    shorter shorter_grad
    moved moved_grad
    regions regions_grad
    opaque opaque_grad
}

/// Both widths have their own.
#[gradient]
fn mixed(x: &[f32], y: &[f64]) -> f64 {
    let mut e = 0.0;
    for k in 0..5 {
        let narrow: Vec<f32> = x.iter().map(|v| v * x[k]).collect();
        let wide: Vec<f64> = y
            .iter()
            .zip(&narrow)
            .map(|(a, b)| a * f64::from(*b))
            .collect();
        for i in 0..wide.len() {
            e += wide[i] * wide[i];
        }
    }
    e
}

#[gradient]
fn generic<T: num_traits::Float>(x: &[T]) -> T {
    let mut u = x.to_vec();
    for _ in 0..5 {
        let old = u.clone();
        for i in 1..u.len() {
            u[i] = old[i] * old[i - 1];
        }
    }
    let mut s = T::zero();
    for i in 0..u.len() {
        s = s + u[i] * u[i];
    }
    s
}

#[gradient(seeds)]
fn two(x: &[f64]) -> [f64; 2] {
    let mut u = x.to_vec();
    let (mut first, mut second) = (0.0, 0.0);
    for _ in 0..3 {
        let old = u.clone();
        for i in 1..u.len() {
            u[i] = old[i] * old[i - 1];
        }
        first += u[1] * u[2];
        second += u[u.len() - 1];
    }
    [first, second]
}

#[test]
fn widths_generics_and_several_seeds() {
    let n = 200;
    let y = numbers(n, 3);
    let x: Vec<f32> = y.iter().map(|v| *v as f32).collect();
    for _ in 0..2 {
        let (_, (dx, dy)) = mixed_grad(&x, &y);
        let want = differences(|p| mixed(&x, p), &y);
        assert_close(&dy, &want, 1e-6, &[]);
        let slope: f32 = dx.iter().zip(&x).map(|(a, b)| a * b).sum();
        // Of degree four in `x`.
        assert!((f64::from(slope) - 4.0 * mixed(&x, &y)).abs() < 1e-3 * mixed(&x, &y));

        let want = differences(|p| generic(p), &y);
        assert_close(&generic_grad(&y).1, &want, 1e-6, &[]);
        let narrow = generic_grad(&x).1;
        assert!(
            narrow
                .iter()
                .zip(&want)
                .all(|(a, b)| (f64::from(*a) - b).abs() < 1e-4)
        );

        let mut tape = Tape::new();
        let mut rows = [vec![0.0; n], vec![0.0; n]];
        let lent = rows.each_mut().map(|row| &mut row[..]);
        two_vjp_n(&mut tape, &y, [[1.0, 0.0], [0.0, 1.0]], lent);
        for (k, row) in rows.iter().enumerate() {
            let want = differences(|p| two(p)[k], &y);
            assert_close(row, &want, 1e-6, &[]);
        }
    }
}

/// Gradients inside of a gradient, on one thread: a rule may run one.
#[test]
fn sweeps_inside_of_others() {
    let y = numbers(300, 2);
    let inner = |x: &[f64]| on::copies_grad(x, &y, 299).0;
    let x = numbers(300, 1);
    let value = inner(&x);
    let (outer, (dx, _)) = on::shorter_grad(&x, &y, 299);
    assert_eq!(inner(&x).to_bits(), value.to_bits());
    let again = on::shorter_grad(&x, &y, 299);
    assert_eq!(again.0.to_bits(), outer.to_bits());
    assert!(
        again
            .1
            .0
            .iter()
            .zip(&dx)
            .all(|(a, b)| a.to_bits() == b.to_bits())
    );
}
