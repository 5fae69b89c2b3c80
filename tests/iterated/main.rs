//! Parameters that are iterators, and those that are seen as slices: `impl IntoIterator<Item = f64>`, `AsRef<[f64]>`.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

#[path = "../support/outcomes.rs"]
mod outcomes;
#[path = "../support/mod.rs"]
mod support;

use num_traits::Float;
use outcomes::{Of, Taken, compare};
use retrograde::{Differentiable, Record, gradient};

#[gradient]
fn mean<I>(it: I) -> Option<f64>
where
    I: IntoIterator<Item = f64>,
{
    let (mut n, mut sum) = (0_u32, 0.0);
    for x in it {
        n += 1;
        sum += x * x;
    }
    if n == 0 {
        None
    } else {
        Some(sum / f64::from(n))
    }
}

#[gradient]
fn faded<'a>(mut it: impl Iterator<Item = &'a f64>, by: f64) -> f64 {
    let first = it.next().unwrap();
    it.fold(*first, |a, b| a * by + b)
}

#[gradient]
fn slopes<I: IntoIterator<Item = (f64, f64)>>(it: I) -> (f64, f64) {
    it.into_iter().fold((0.0, 1.0), |(a, b), (x, y)| {
        (a + x * y, b * (1.0 + 0.1 * x))
    })
}

#[gradient]
fn norm(v: impl AsRef<[f64]>) -> f64 {
    v.as_ref().iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[gradient]
fn cosine<A: AsRef<[f64]>, B: AsRef<[f64]>>(a: &A, b: &B) -> f64 {
    let (a, b) = (a.as_ref(), b.as_ref());
    a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>() / (norm(a) * norm(b))
}

#[gradient]
fn squares<T: Float, I: IntoIterator<Item = T>>(it: I) -> T {
    it.into_iter().fold(T::zero(), |a, b| a + b * b)
}

#[gradient]
fn sampled<F: Fn(f64) -> f64>(it: impl Iterator<Item = f64>, f: F) -> f64 {
    let mut sum = 0.0;
    for x in it {
        sum += f(x);
    }
    sum
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Body {
    mass: f64,
    at: f64,
}

#[gradient]
fn center<'a>(bodies: impl IntoIterator<Item = &'a Body>) -> f64 {
    let (mut m, mut s) = (0.0, 0.0);
    for body in bodies {
        m += body.mass;
        s += body.mass * body.at;
    }
    s / m
}

#[derive(Clone, Debug, Differentiable, Record)]
struct Fit {
    slope: f64,
}

#[gradient]
impl Fit {
    fn update(&mut self, it: impl IntoIterator<Item = f64>, by: impl AsRef<[f64]>) -> f64 {
        for x in it {
            self.slope += 0.1 * x * by.as_ref()[0];
        }
        self.slope * by.as_ref().len() as f64
    }
}

#[gradient]
fn chains(x: &[f64]) -> f64 {
    let scaled = mean(x.iter().map(|v| v * x[0])).unwrap_or(0.0);
    scaled + faded(x.iter(), x[1]) + faded(x[2..5].iter(), 0.5) + squares(x.iter().copied())
}

#[gradient]
fn values(x: &[f64]) -> f64 {
    let v: Vec<f64> = x.iter().map(|v| v + 0.5).collect();
    let (p, q) = slopes(x.iter().copied().zip(v.iter().copied()));
    norm(&v) + cosine(&v, &v) * p * q + norm(x) + mean(v).unwrap()
}

#[gradient]
fn functions(x: &[f64]) -> f64 {
    sampled(x.iter().copied(), |v| v * v * x[1]) + sampled(x.iter().map(|v| v.sin()), |v| v + x[2])
}

#[gradient]
fn bodies(x: &[f64]) -> f64 {
    let all: Vec<Body> = x
        .windows(2)
        .map(|w| Body {
            mass: w[0] * w[0] + 0.1,
            at: w[1],
        })
        .collect();
    center(&all) + center(all.iter())
}

#[gradient]
fn methods(x: &[f64]) -> f64 {
    let mut fit = Fit { slope: x[0] };
    let v = vec![x[1], x[2]];
    fit.update(x.iter().copied(), &v) * fit.update(v, x)
}

#[test]
fn chains_are_arguments() {
    compare(|x| chains(x).value(), |x| chains_grad(x).outcome());
}

#[test]
fn values_are_arguments() {
    compare(|x| values(x).value(), |x| values_grad(x).outcome());
}

#[test]
fn functions_stand_beside_them() {
    compare(|x| functions(x).value(), |x| functions_grad(x).outcome());
}

#[test]
fn structs_are_items() {
    compare(|x| bodies(x).value(), |x| bodies_grad(x).outcome());
}

#[test]
fn methods_take_them() {
    compare(|x| methods(x).value(), |x| methods_grad(x).outcome());
}

#[test]
fn gradients_take_containers() {
    let x = [1.0, -2.0, 0.5];
    let (value, slopes) = squares_grad(x.to_vec());
    assert_eq!(value, squares(x));
    assert_eq!(slopes, [2.0, -4.0, 1.0]);

    let (value, slopes) = norm_grad(&[0.0, 2.0]);
    assert_eq!((value, slopes), (2.0, vec![0.0, 1.0]));

    let (value, (slopes, by)) = faded_grad(&[1.0, 2.0, 3.0], 0.5);
    assert_eq!(value, faded([1.0, 2.0, 3.0].iter(), 0.5));
    assert_eq!((slopes, by), (vec![0.25, 0.5, 1.0], 3.0));
}

#[gradient]
fn deviation<I>(xs: I) -> f64
where
    I: ExactSizeIterator<Item = f64> + Clone,
{
    let n = xs.len() as f64;
    let mean = xs.clone().sum::<f64>() / n;
    (xs.map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt()
}

#[gradient]
fn backwards<'a>(mut xs: impl DoubleEndedIterator<Item = &'a f64>) -> f64 {
    let last = xs.next_back().copied().unwrap_or(1.0);
    xs.rev().fold(last, |a, x| 0.5 * a * x + 1.0)
}

#[gradient]
fn with_ends(x: &[f64]) -> f64 {
    deviation(x.to_vec().into_iter()) * backwards(x.iter())
}

#[test]
fn iterators_have_ends_and_lengths() {
    compare(|x| with_ends(x).value(), |x| with_ends_grad(x).outcome());
}
