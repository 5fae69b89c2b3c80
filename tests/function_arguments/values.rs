//! Functions that are passed on behind references where the value alone is needed: by conditions and counts.

use retrograde::gradient;

use super::{assert_near, differences};

#[gradient]
fn of_slices<F: Fn(&[f64], f64) -> f64>(f: F, x: &[f64], y: f64) -> f64 {
    f(x, y) * y
}

#[gradient]
fn of_exclusive<F: FnMut(&[f64]) -> f64>(mut f: F, x: &[f64]) -> f64 {
    f(x) + x[0]
}

/// It writes to its argument.
#[gradient]
fn in_place<F: Fn(&mut [f64], (f64, &f64))>(f: F, x: f64) -> f64 {
    let mut v = [x, 2.0 * x];
    f(&mut v, (x, &x));
    v[0] + v[1]
}

#[gradient]
fn steps<F: Fn(&[f64]) -> f64>(f: F, x: f64) -> usize {
    let mut n = 0;
    let mut y = x;
    while y < 10.0 && n < 20 {
        y += f(&[y, x]).abs() + 0.5;
        n += 1;
    }
    n
}

#[gradient]
fn weighted(x: &[f64], y: f64) -> f64 {
    x[0] * y + x[1]
}

#[gradient]
fn parameter<F: Fn(&[f64], f64) -> f64>(f: F, x: f64, y: f64) -> f64 {
    let mut s = 0.5 * y;
    if of_slices(&f, &[x, y], y) < y {
        s += x;
    }
    if of_slices(&&f, &[y, x], x) < y {
        s *= x;
    }
    s * f(&[y, x], y)
}

#[gradient]
fn exclusive_parameter<F: FnMut(&[f64]) -> f64>(mut f: F, x: f64, y: f64) -> f64 {
    let mut s = y;
    if of_exclusive(&mut f, &[x, y]) < 2.0 * y {
        s += x * y;
    }
    s * f(&[y, x])
}

#[gradient]
fn parameter_in_place<F: Fn(&mut [f64], (f64, &f64))>(f: F, x: f64, y: f64) -> f64 {
    let mut v = [x, y];
    if in_place(&f, x) > y {
        f(&mut v, (y, &x));
    }
    v[0] * v[1]
}

#[gradient]
fn all(k: f64, x: f64, y: f64) -> f64 {
    let named = |a: &[f64], b: f64| a[0] * b * k + a[1] * x;
    let mut s = parameter(named, x, y);
    if of_slices(&named, &[x, y], k) > y {
        s += x * x;
    }
    if of_slices(
        &|a: &[f64], b: f64| -> f64 { a[1] * k - b * named(a, x) },
        &[x, y],
        k,
    ) > -1.0
    {
        s *= 1.0 + y;
    }
    if of_slices(&weighted, &[y, x], k) < 2.0 {
        s += y * parameter(&weighted, y, x);
    }
    s += steps(&|a: &[f64]| a[0] * k + a[1], x) as f64 * y;
    s += exclusive_parameter(|a: &[f64]| a[0] * a[1] * k, x, y);
    s + parameter_in_place(
        |a: &mut [f64], b: (f64, &f64)| {
            a[0] *= b.0 * k;
            a[1] += b.1 * a[0];
        },
        x,
        y,
    )
}

#[test]
fn values_alone() {
    for (k, x, y) in [
        (0.4, 0.7, 0.8),
        (1.2, -0.9, 0.6),
        (2.1, 0.3, -1.1),
        (-0.7, 1.4, 1.9),
    ] {
        let (value, (dk, dx, dy)) = all_grad(k, x, y);
        assert_eq!(value.to_bits(), all(k, x, y).to_bits());
        assert_near(dk, differences(|k| all(k, x, y), k));
        assert_near(dx, differences(|x| all(k, x, y), x));
        assert_near(dy, differences(|y| all(k, x, y), y));
    }
}
