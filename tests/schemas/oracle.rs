//! What the tests compare with: the bits of the function's value, and differences along each of the numbers.

use retrograde::{Differentiable, Flat, Tape};

/// The derivative at zero, by differences of two step sizes.
pub(crate) fn slope(f: &dyn Fn(f64) -> f64) -> f64 {
    let d = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    let (coarse, fine) = (d(2e-4), d(1e-4));
    fine + (fine - coarse) / 3.0
}

fn near(what: &str, a: f64, b: f64) {
    assert!((a - b).abs() <= 2e-7 * (1.0 + b.abs()), "{what}: {a} {b}");
}

/// The value bit for bit, the derivative against differences.
pub(crate) fn value<S>(
    what: &str,
    starts: &[S],
    f: fn(&S) -> f64,
    grad: fn(&S) -> (f64, S::Tangent),
) where
    S: Differentiable + Flat + Clone,
    S::Tangent: Flat,
{
    for (n, s) in starts.iter().enumerate() {
        let (found, d) = grad(s);
        assert_eq!(found.to_bits(), f(s).to_bits(), "{what}, start {n}");
        compare(&format!("{what}, start {n}"), s, &d.to_flat(), &|s| f(&s));
    }
}

/// A state that a function changes: its numbers bit for bit, the derivative of their weighed sum.
pub(crate) fn in_out<S>(
    what: &str,
    starts: &[S],
    f: fn(&mut S),
    adjoint: &dyn Fn(&mut S, &mut Tape, &mut S::Tangent),
) where
    S: Differentiable + Flat + Clone + PartialEq + std::fmt::Debug,
    S::Tangent: Flat,
{
    for (n, start) in starts.iter().enumerate() {
        let what = format!("{what}, start {n}");
        let mut expected = start.clone();
        f(&mut expected);
        let weight = |n: usize| (n as f64 * 0.7 + 0.4).cos();
        let weighed = |mut s: S| {
            f(&mut s);
            let out = s.to_flat().into_iter().enumerate();
            out.map(|(n, x)| weight(n) * x).sum::<f64>()
        };
        let mut bar = expected.zero_tangent();
        let weights: Vec<f64> = (0..bar.len_flat()).map(weight).collect();
        bar.set_flat(&weights);
        let mut at = start.clone();
        adjoint(&mut at, &mut Tape::new(), &mut bar);
        let bits = |s: &S| {
            s.to_flat()
                .into_iter()
                .map(f64::to_bits)
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(&at), bits(&expected), "{what}");
        assert_eq!(at, expected, "{what}");
        compare(&what, start, &bar.to_flat(), &weighed);
    }
}

/// Compares a derivative with differences of `f`.
pub(crate) fn compare<S: Flat + Clone>(what: &str, s: &S, found: &[f64], f: &dyn Fn(S) -> f64) {
    let at = s.to_flat();
    assert_eq!(found.len(), at.len(), "{what}");
    for (n, found) in found.iter().enumerate() {
        let moved = |by: f64| {
            let (mut s, mut numbers) = (s.clone(), at.clone());
            numbers[n] += by;
            s.set_flat(&numbers);
            f(s)
        };
        near(&format!("{what}, {n}"), *found, slope(&moved));
    }
}
