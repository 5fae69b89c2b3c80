//! Functions by their paths, in every form of a parameter.

use retrograde::gradient;

use super::{assert_near, differences};

#[gradient]
fn bell(x: f64) -> f64 {
    (-x * x).exp()
}

#[gradient]
fn simpson<F: Fn(f64) -> f64>(f: F, a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / (2 * n) as f64;
    let mut sum = f(a) + f(b);
    for i in 1..2 * n {
        let weight = if i % 2 == 1 { 4.0 } else { 2.0 };
        sum += weight * f(a + i as f64 * h);
    }
    sum * h / 3.0
}

#[gradient]
fn area(a: f64, b: f64) -> f64 {
    simpson(bell, a, b, 6)
}

#[gradient]
fn wave(k: f64, a: f64, b: f64) -> f64 {
    simpson(|x| (k * x).sin(), a, b, 6)
}

#[test]
fn a_path_in_a_gradient() {
    for (a, b) in [(0.0, 1.0), (-1.0, 0.5)] {
        let (value, (da, db)) = area_grad(a, b);
        assert_eq!(value.to_bits(), area(a, b).to_bits());
        assert_near(da, differences(|a| area(a, b), a));
        assert_near(db, differences(|b| area(a, b), b));
    }
}

#[test]
fn a_closure_in_a_gradient() {
    for (k, a, b) in [(1.3, 0.0, 1.0), (0.2, -1.0, 0.5)] {
        let (value, (dk, da, db)) = wave_grad(k, a, b);
        assert_eq!(value.to_bits(), wave(k, a, b).to_bits());
        assert_near(dk, differences(|k| wave(k, a, b), k));
        assert_near(da, differences(|a| wave(k, a, b), a));
        assert_near(db, differences(|b| wave(k, a, b), b));
    }
}
