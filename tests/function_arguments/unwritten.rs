//! Closures whose parameters and captures have no written types, and names that stand for something else there.

use retrograde::{Differentiable, Record, gradient};

use super::{assert_near, differences};

#[gradient]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

#[gradient]
fn of_slice<F: Fn(&[f64]) -> f64>(f: F, x: &[f64]) -> f64 {
    f(x) * x[0]
}

/// Steps of Euler's method.
#[gradient]
fn steps<F: Fn(f64, &[f64], &mut [f64])>(f: F, y: &mut [f64], h: f64) {
    let mut slope = vec![0.0; y.len()];
    for k in 0..3 {
        f(k as f64 * h, y, &mut slope);
        for i in 0..y.len() {
            y[i] += h * slope[i];
        }
    }
}

#[gradient]
fn scaled(x: &[f64], k: f64) -> Vec<f64> {
    x.iter().map(|v| v * k).collect()
}

/// Slices, one of them written.
#[gradient]
fn flow(k: f64, x: f64) -> f64 {
    let mut y = [x, k, x * k];
    steps(
        |t, y, slope| {
            for i in 0..slope.len() {
                slope[i] = y[(i + 1) % y.len()] * k - t * y[i];
            }
        },
        &mut y,
        0.1,
    );
    steps(
        |_, y, slope| {
            slope.copy_from_slice(y);
            slope.iter_mut().for_each(|v| *v *= x);
        },
        &mut y,
        0.2,
    );
    steps(
        |_, y, slope| (slope[0], slope[2]) = (y[1] * k, y[0]),
        &mut y,
        0.2,
    );
    y[0] * y[1] + y[2]
}

/// What a function returned, in a closure and in one that it calls.
#[gradient]
fn weighted(k: f64, x: f64) -> f64 {
    let v = [x, k, 0.5];
    let w = scaled(&v, k);
    let u = scaled(&v, x);
    let dot = |v: &[f64]| {
        let mut sum = 0.0;
        for i in 0..v.len() {
            sum += v[i] * u[i];
        }
        sum
    };
    of_slice(
        |v| v.iter().zip(w.iter()).map(|(a, b)| a * b).sum::<f64>() + w[0],
        &v,
    ) + of_slice(|v| dot(v) * v[1], &v)
        + dot(&v)
}

/// Parameters that are called as what inner closures capture, and as these themselves.
#[gradient]
fn hidden(k: f64, x: f64) -> f64 {
    let f = |t: f64| t * k;
    let g = |t: f64| f(t) + k * k;
    let h = |k: f64| f(k) * k;
    twice(|k| f(k) + k, x) + twice(|f| g(f) * f, x) + twice(h, k) + twice(|g| h(g) + f(g), x)
}

/// Names in format strings.
#[gradient]
fn formatted(k: f64, x: f64) -> f64 {
    let width: usize = 8;
    twice(
        |t| {
            assert!(t.is_finite(), "{k} times {t:>width$}, {{x}}");
            t * x
        },
        k,
    )
}

#[track_caller]
fn compare(f: impl Fn(f64, f64) -> f64, got: (f64, (f64, f64)), a: f64, b: f64) {
    assert_eq!(got.0.to_bits(), f(a, b).to_bits());
    assert_near(got.1.0, differences(|a| f(a, b), a));
    assert_near(got.1.1, differences(|b| f(a, b), b));
}

#[test]
fn types_that_are_not_written() {
    for (k, x) in [(0.4, 0.2), (1.3, 0.8), (-0.7, 0.3)] {
        compare(flow, flow_grad(k, x), k, x);
        compare(weighted, weighted_grad(k, x), k, x);
    }
}

#[test]
fn names_that_hide_others() {
    for (k, x) in [(0.4, 0.2), (1.3, 0.8), (-0.7, 0.3)] {
        compare(hidden, hidden_grad(k, x), k, x);
        compare(formatted, formatted_grad(k, x), k, x);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Differentiable, Record)]
struct Point {
    x: f64,
    y: f64,
}

#[gradient]
impl Point {
    fn new(x: f64, y: f64) -> Self {
        Point { x, y }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Differentiable, Record)]
struct Phase<const N: usize>([f64; N]);

#[gradient]
fn moved<F: Fn(Point) -> Point>(f: F, p: Point) -> f64 {
    let q = f(f(p));
    q.x * q.y + p.x
}

#[gradient]
fn followed<const N: usize, F: Fn(f64, Phase<N>) -> Phase<N>>(f: F, s: Phase<N>) -> f64 {
    let s = f(0.5, f(0.1, s));
    s.0.iter().sum::<f64>() * s.0[0]
}

/// The results are structs that the text makes: with braces, by their names, by a function of theirs, behind a branch.
#[gradient]
fn of_structs(k: f64, x: f64) -> f64 {
    let p = Point { x, y: k };
    let braces = moved(|p: Point| Point { x: p.y * k, ..p }, p);
    let made = moved(|p: Point| Point::new(p.x * p.y, k), p);
    let branched = moved(
        |p: Point| {
            if p.x > 1.0 {
                Point { x: k, y: p.x }
            } else {
                Point::new(p.y, x)
            }
        },
        p,
    );
    let phase = followed(
        |t, s: Phase<2>| Phase([s.0[1] * t, k * s.0[0]]),
        Phase([x, k]),
    );
    braces + made * branched - phase
}

#[test]
fn results_that_are_structs_need_no_type() {
    for [k, x] in [[0.7, 1.2], [1.9, -0.3]] {
        let (value, (dk, dx)) = of_structs_grad(k, x);
        assert_eq!(value.to_bits(), of_structs(k, x).to_bits());
        assert_near(dk, differences(|k| of_structs(k, x), k));
        assert_near(dx, differences(|x| of_structs(k, x), x));
    }
}
