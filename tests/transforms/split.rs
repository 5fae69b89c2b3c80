//! Elements that compute what they get from the iterations around: choices and factors, blocks of all lengths, several
//! arrays, ties and what is no number.

use crate::twins::{agree, both, numbers, twins};

/// Lengths around blocks, and the small ones.
const LENGTHS: [usize; 26] = [
    0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 25, 26, 27, 28, 31, 33, 63, 64, 65, 97, 1024, 1026, 1034,
    2051, 3000,
];

twins! {
    /// The least of three neighbours, row after row.
    ///
    /// applied `reslice`, `lanes`, `gather`
    pub(super) fn least(x: &[f64], rows: usize) -> f64 {
        let n = x.len();
        let (mut above, mut here) = (x.to_vec(), vec![1e30; n]);
        for _ in 0..rows {
            for j in 1..n - 1 {
                let mut least = above[j];
                if above[j - 1] < least { least = above[j - 1]; }
                if above[j + 1] < least { least = above[j + 1]; }
                here[j] = x[j] + least;
            }
            std::mem::swap(&mut above, &mut here);
        }
        let mut s = 0.0;
        for j in 0..n { s += above[j] * ((j % 4) as f64 + 1.0); }
        s
    }

    /// The neighbours of the ends are the ends.
    ///
    /// applied `reslice`, `lanes`, `gather`, `bulk`
    pub(super) fn clamped(x: &[f64], rows: usize) -> f64 {
        let n = x.len();
        let (mut above, mut here) = (x.to_vec(), vec![0.0; n]);
        for _ in 0..rows {
            here[0] = x[0] + above[0].min(above[1]);
            here[n - 1] = x[n - 1] + above[n - 2].min(above[n - 1]);
            for j in 1..n - 1 {
                let mut least = above[j];
                if above[j - 1] < least { least = above[j - 1]; }
                if above[j + 1] <= least { least = above[j + 1]; }
                here[j] = x[j] + least;
            }
            for j in 0..n { above[j] = here[j]; }
        }
        let mut s = 0.0;
        for v in &above { s += v; }
        s
    }

    /// A choice among two of five, with a sign.
    ///
    /// applied `reslice`, `lanes`, `gather`
    pub(super) fn steepest(x: &[f64]) -> f64 {
        let mut y = vec![0.5; x.len()];
        for i in 2..x.len() - 2 {
            if x[i - 2] > x[i + 2] {
                y[i] = x[i - 2] - x[i];
            } else if x[i + 1] > x[i - 1] {
                y[i] = -x[i + 1];
            }
        }
        let mut s = 0.0;
        for i in 0..y.len() { s += y[i] * ((i % 5) as f64 + 1.0); }
        s
    }

    /// Factors that are the same for all, and one subtracted.
    ///
    /// applied `reslice`, `lanes`, `gather`
    pub(super) fn stencil(x: &[f64], c: f64) -> f64 {
        let mut y = x.to_vec();
        for i in 3..x.len() - 5 {
            y[i] = c * x[i - 3] + 0.5 * x[i] - x[i + 1] + 0.25 * x[i + 5];
        }
        let mut s = 0.0;
        for i in 0..y.len() { s += y[i] * ((i % 5) as f64 + 1.0); }
        s
    }

    /// Two arrays, of which one is reached further.
    ///
    /// applied `reslice`, `lanes`, `gather`
    pub(super) fn staggered(x: &[f64], y: &[f64]) -> f64 {
        let mut z = vec![1.0; x.len()];
        for i in 3..x.len() - 3 {
            z[i] += 2.0 * x[i - 1] - x[i] + 0.5 * x[i + 1] + y[i - 3] - 3.0 * y[i + 1] + y[i + 3];
        }
        let mut s = 0.0;
        for i in 0..z.len() { s += z[i] * ((i % 7) as f64 - 2.0); }
        s
    }

    /// Steps of diffusion: what is added in one is read in the next.
    ///
    /// applied `reslice`, `lanes`, `gather`
    pub(super) fn diffusion(x: &[f64], steps: usize) -> f64 {
        let (mut u, mut v) = (x.to_vec(), x.to_vec());
        for _ in 0..steps {
            for i in 1..x.len() - 1 {
                v[i] = u[i] + 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
            }
            std::mem::swap(&mut u, &mut v);
        }
        let mut s = 0.0;
        for i in 0..u.len() { s += u[i] * u[i]; }
        s
    }

    /// applied `reslice`, `lanes`, `gather`
    pub(super) fn single(x: &[f32]) -> f32 {
        let mut y = x.to_vec();
        for i in 1..x.len() - 1 {
            y[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
        }
        let mut s = 0.0;
        for i in 0..y.len() { s += y[i] * ((i % 4) as f32 + 4.0); }
        s
    }

    /// In place, so that iterations depend on each other.
    ///
    /// applied `reslice`, `lanes`
    pub(super) fn runs(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        for i in 1..x.len() - 1 {
            y[i] = 0.5 * y[i] + 0.25 * y[i - 1] + 0.25 * y[i + 1];
        }
        let mut s = 0.0;
        for i in 0..y.len() { s += y[i] * ((i % 4) as f64 + 4.0); }
        s
    }
}

#[test]
fn choices_are_found_again() {
    for n in LENGTHS {
        for rows in [0, 1, 2, 5] {
            both!(least, least_grad, (&numbers(n, 1), rows));
            both!(clamped, clamped_grad, (&numbers(n, 2), rows));
        }
    }
    // More records than a block of the tape holds.
    both!(least, least_grad, (&numbers(100_000, 3), 2));
}

/// Equal neighbours: who was first stays, and nobody else gets anything.
#[test]
fn ties_go_to_one_neighbour() {
    for n in LENGTHS.into_iter().filter(|n| *n > 1) {
        for x in [vec![1.0; n], (0..n).map(|i| (i / 2 % 2) as f64).collect()] {
            for rows in [1, 3] {
                let ((v, g), (w, h)) = (on::least_grad(&x, rows), off::least_grad(&x, rows));
                assert_eq!((v.to_bits(), g), (w.to_bits(), h), "{n} {rows}");
                let (g, h) = (on::clamped_grad(&x, rows), off::clamped_grad(&x, rows));
                assert_eq!(g, h, "{n} {rows}");
            }
        }
    }
}

#[test]
fn factors_need_no_rows() {
    for n in LENGTHS {
        let (x, y) = (numbers(n, 1), numbers(n, 2));
        both!(steepest, steepest_grad, (&x));
        both!(stencil, stencil_grad, (&x, 0.3));
        both!(staggered, staggered_grad, (&x, &y));
        both!(runs, runs_grad, (&x));
        for steps in [0, 1, 2, 7] {
            both!(diffusion, diffusion_grad, (&x, steps));
        }
    }
}

/// The gradient of a weighted sum of means, by hand.
#[test]
fn means_of_neighbours() {
    for n in LENGTHS.into_iter().filter(|n| *n > 1) {
        let x: Vec<f32> = (0..n).map(|i| (i % 7) as f32 - 3.0).collect();
        let (value, g) = on::single_grad(&x);
        assert_eq!(value.to_bits(), on::single(&x).to_bits());
        let weight = |i: usize| (i % 4) as f32 + 4.0;
        let inner = |i: usize| if i > 0 && i + 1 < n { weight(i) } else { 0.0 };
        for i in 0..n {
            let left = if i > 0 { 0.25 * inner(i - 1) } else { 0.0 };
            let own = if inner(i) == 0.0 {
                weight(i)
            } else {
                0.5 * inner(i)
            };
            assert_eq!(g[i], left + own + 0.25 * inner(i + 1), "{i} of {n}");
        }
    }
}

/// What is added to holds something before, and all of it is there afterwards.
#[test]
fn elements_begin_with_what_is_there() {
    for n in LENGTHS.into_iter().filter(|n| *n > 8) {
        let x = numbers(n, 4);
        let mut bars = [vec![1.5; n], vec![1.5; n]];
        let mut tape = retrograde::Tape::new();
        let (mut c, mut d) = (0.25, 0.25);
        on::stencil_adjoint(&mut tape, &x, &mut bars[0], 0.5, &mut c, -2.0);
        off::stencil_adjoint(&mut tape, &x, &mut bars[1], 0.5, &mut d, -2.0);
        crate::twins::near(&bars[0], &bars[1]);
        crate::twins::near(&[c], &[d]);
    }
}

/// Comparisons with NaN choose nobody; an adjoint that is infinite or NaN goes to the chosen one alone.
#[test]
fn what_is_no_number_stays_where_it_belongs() {
    let same = |a: &[f64], b: &[f64]| {
        a.iter()
            .zip(b)
            .all(|(a, b)| a == b || a.is_nan() && b.is_nan())
    };
    for n in LENGTHS.into_iter().filter(|n| *n > 32) {
        let mut x = numbers(n, 5);
        for (k, v) in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0]
            .into_iter()
            .enumerate()
        {
            x[5 + 7 * k] = v;
        }
        assert_eq!(on::least_grad(&x, 3).1, off::least_grad(&x, 3).1, "{n}");
        assert_eq!(on::clamped_grad(&x, 3).1, off::clamped_grad(&x, 3).1, "{n}");
        for seed in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let mut tape = retrograde::Tape::new();
            let mut bars = [vec![0.0; n], vec![0.0; n], vec![0.0; n], vec![0.0; n]];
            let x = numbers(n, 6);
            on::least_adjoint(&mut tape, &x, &mut bars[0], 1, seed);
            off::least_adjoint(&mut tape, &x, &mut bars[1], 1, seed);
            on::steepest_adjoint(&mut tape, &x, &mut bars[2], seed);
            off::steepest_adjoint(&mut tape, &x, &mut bars[3], seed);
            assert!(same(&bars[0], &bars[1]), "{n} {seed}");
            assert!(same(&bars[2], &bars[3]), "{n} {seed}");
            assert!(bars[2].iter().any(|v| *v == 0.0));
        }
    }
}
