//! Functions that are generic over a float and take functions.

use num_traits::Float;
use retrograde::{differentiable, gradient};

use super::{assert_near, differences};

#[gradient]
fn bell(x: f64) -> f64 {
    (-x * x).exp()
}

#[gradient]
fn trapezoid<T: Float, F: Fn(T) -> T>(f: F, a: T, b: T, n: usize) -> T {
    let h = (b - a) / T::from(n).unwrap();
    let mut sum = T::zero();
    for i in 0..n {
        let x = a + T::from(i).unwrap() * h;
        sum = sum + f(x) + f(x + h);
    }
    sum * h / T::from(2.0).unwrap()
}

#[gradient]
fn unnamed<T: Float>(f: &dyn Fn(T, T) -> T, g: impl Fn(&[T]) -> T, x: T) -> T {
    f(x, g(&[x, x * x])) * x
}

#[gradient]
fn of_both(k: f64, x: f64) -> f64 {
    trapezoid(bell, k, x, 4)
        + trapezoid(|t| t * k, x, k, 3)
        + unnamed(&|a, b| a * b * k, |v: &[f64]| v[0] * v[1], x)
}

#[gradient]
fn narrow(k: f32, x: f32) -> f32 {
    trapezoid(|t| k * t, k, x, 2)
}

#[test]
fn both_widths() {
    for (k, x) in [(0.4, 0.9), (-0.3, 0.2)] {
        let (value, (dk, dx)) = of_both_grad(k, x);
        assert_eq!(value.to_bits(), of_both(k, x).to_bits());
        assert_near(dk, differences(|k| of_both(k, x), k));
        assert_near(dx, differences(|x| of_both(k, x), x));
    }
    let (value, (da, db)) = trapezoid_grad(differentiable!(|x| x * x), 1.0, 2.0, 1);
    assert_eq!((value, da, db), (2.5, -1.5, 4.5));
    let (value, (da, db)) =
        trapezoid_grad(differentiable!(|x: f32| -> f32 { x * x }), 1.0_f32, 2.0, 1);
    assert_eq!((value, da, db), (2.5_f32, -1.5, 4.5));
    let (value, (dk, _)) = narrow_grad(2.0, 4.0);
    // k (x² - k²) / 2
    assert_eq!((value, dk), (narrow(2.0, 4.0), 8.0 - 6.0));
}
