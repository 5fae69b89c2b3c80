//! Floats without a name: `fn f(x: impl Float)`.

use num_traits::Float;
use retrograde::{Differentiable, gradient};

#[gradient]
fn doubled(x: impl Float) -> f64 {
    let x = x.to_f64().unwrap();
    2.0 * x * x
}

/// Beside one that has a name, and an argument by reference.
#[gradient]
fn weighted<T: Float>(x: T, by: impl Float, all: &[T]) -> T {
    x * T::from(by).unwrap() * all[1]
}

/// Called by another.
#[gradient]
fn twice(x: f64, y: f64) -> f64 {
    doubled(x) * weighted(y, x, &[x, y])
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Ease {
    rate: f64,
}

#[gradient]
impl Ease {
    fn at(&self, time: impl Float + Copy) -> f64 {
        let t = time.to_f64().unwrap();
        self.rate * t * t
    }
}

#[test]
fn an_impl_of_a_trait_of_numbers_is_a_float() {
    for x in [0.75, -1.5, 3.0] {
        assert_eq!(doubled_grad(x), (doubled(x), 4.0 * x));
        assert_eq!(doubled_grad(x as f32), (doubled(x as f32), 4.0 * x as f32));
        let y = x - 0.25;
        let (value, dx, dy) = (twice(x, y), 6.0 * x * x * y * y, 4.0 * x * x * x * y);
        let (found, found_gradient) = twice_grad(x, y);
        assert_eq!(found.to_bits(), value.to_bits());
        assert!(
            (found_gradient.0 - dx).abs() <= 1e-12 * dx.abs(),
            "{found_gradient:?}, {dx}"
        );
        assert!(
            (found_gradient.1 - dy).abs() <= 1e-12 * dy.abs(),
            "{found_gradient:?}, {dy}"
        );
        let ease = Ease { rate: 2.0 };
        let (value, (de, dx)) = ease.at_grad(x);
        assert_eq!(
            (value.to_bits(), de.rate, dx),
            (ease.at(x).to_bits(), x * x, 4.0 * x)
        );
    }
}

#[test]
fn a_named_float_and_one_without_a_name() {
    let (value, (dx, dby, dall)) = weighted_grad(2.0, 3.0, &[5.0, 7.0]);
    assert_eq!((value, dx, dby, dall), (42.0, 21.0, 14.0, vec![0.0, 6.0]));
}
