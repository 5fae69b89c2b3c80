//! What conversions of numbers yield as options, and `Into::into` as a function that is given.

use num_traits::float::FloatCore;
use num_traits::{Float, FromPrimitive};
use retrograde::gradient;

use crate::support::assert_close;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Error {
    Empty,
    Number,
}

#[gradient]
fn mean<F: FloatCore>(x: &[F]) -> Result<F, Error> {
    if x.is_empty() {
        return Err(Error::Empty);
    }
    let n = F::from(x.len()).ok_or(Error::Number)?;
    let mut sum = F::zero();
    for v in x {
        sum = sum + *v * *v;
    }
    Ok(sum / n)
}

#[gradient]
fn scaled<F: Float + FromPrimitive>(x: F, k: u32) -> Result<F, String> {
    let k = F::from_u32(k).ok_or_else(|| format!("not a number: {k}"))?;
    let half = F::from(x * k).ok_or("none".to_owned())? / (F::one() + F::one());
    Ok(half * half)
}

/// The sum of squares times the sum.
#[gradient]
fn moments<T: Clone + Into<f64>>(x: &[T]) -> f64 {
    let squares: f64 = x.iter().cloned().map(Into::into).map(|v: f64| v * v).sum();
    let sum: f64 = x.iter().map(|v| v.clone().into()).sum();
    squares * sum
}

#[test]
fn a_number_that_is_there() {
    let x = [1.5, -0.5, 4.0];
    let (value, dx) = mean_grad(&x).unwrap();
    assert_eq!(Ok(value), mean(&x));
    assert_eq!(dx, x.map(|v| 2.0 * v / 3.0));
    assert_eq!(mean_grad::<f64>(&[]), Err(Error::Empty));
    assert_eq!(mean_grad(&[2.0_f32, 0.5]), Ok((2.125, vec![2.0, 0.5])));
    for (x, k) in [(0.75, 3), (-2.0, 0), (f64::MAX, 2)] {
        let (value, dx) = scaled_grad(x, k).unwrap();
        assert_eq!(Ok(value), scaled(x, k));
        let want = f64::from(k * k) * x / 2.0;
        assert!(dx == want, "{dx}, {want}");
    }
}

#[test]
fn into_as_a_function() {
    for x in [[2.0, 3.0], [-1.25, 0.5]] {
        let (value, dx) = moments_grad(&x);
        assert_eq!(value.to_bits(), moments(&x).to_bits());
        let (sum, squares) = (x[0] + x[1], x[0] * x[0] + x[1] * x[1]);
        let want = x.map(|v| 2.0 * v * sum + squares);
        assert_close(&dx, &want, 1e-14, &x);
    }
    let (value, dx) = moments_grad(&[2.0_f32, 3.0]);
    assert_eq!((value, dx), (65.0, vec![33.0, 43.0]));
}
