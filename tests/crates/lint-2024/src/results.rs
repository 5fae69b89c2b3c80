//! Results of every type.

use ad::gradient;

/// A tuple.
#[gradient(crate = ::ad)]
#[must_use]
pub fn pair(x: f64, y: f64) -> (f64, f64) {
    (x * y, x + y)
}

/// A tuple with a part that has no derivative.
#[gradient(crate = ::ad)]
#[must_use]
pub fn with_count(values: &[f64]) -> (f64, usize) {
    let (mut sum, mut count) = (0.0, 0);
    for v in values {
        if *v > 0.0 {
            sum += v * v;
            count += 1;
        }
    }
    (sum, count)
}

/// An array.
#[gradient(crate = ::ad)]
#[must_use]
pub fn array(x: f64) -> [f64; 3] {
    [x, x * x, x * x * x]
}

/// A vector.
#[gradient(crate = ::ad)]
#[must_use]
pub fn vector(x: f64, n: usize) -> Vec<f64> {
    let mut powers = vec![1.0; n];
    for i in 1..n {
        powers[i] = powers[i - 1] * x;
    }
    powers
}

/// An option.
#[gradient(crate = ::ad)]
#[must_use]
pub fn root(x: f64) -> Option<f64> {
    if x < 0.0 { None } else { Some(x.sqrt()) }
}

/// Single precision from double.
#[gradient(crate = ::ad)]
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "shown on purpose")]
pub fn narrowed(x: f64) -> f32 {
    (x * x) as f32
}

/// An alias of a float is differentiated, without `_grad`.
pub type Real = f64;

/// See [`Real`].
#[gradient(crate = ::ad)]
#[must_use]
pub fn aliased(x: Real) -> Real {
    x * x
}

/// An alias for the result alone.
#[gradient(crate = ::ad)]
#[must_use]
pub fn aliased_result(x: f64, y: f64) -> Real {
    x * y.sin()
}

/// An alias for a parameter alone.
#[gradient(crate = ::ad)]
#[must_use]
pub fn aliased_argument(x: Real, y: f64) -> f64 {
    x * y.sin()
}

/// No result, and nothing to differentiate.
///
/// # Panics
///
/// From ten on.
#[gradient(crate = ::ad)]
pub fn nothing(n: usize) {
    assert!(n < 10);
}

/// All of them as callees.
#[gradient(crate = ::ad)]
#[must_use]
pub fn caller(x: f64) -> f64 {
    nothing(3);
    let (product, sum) = pair(x, 2.0);
    let [first, second, third] = array(product);
    let powers = vector(sum, 3);
    let (squares, _) = with_count(&powers);
    first + second * third + squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{all_close, close};
    use ad::Tape;

    #[test]
    fn seeds_have_the_shape_of_the_result() {
        let mut tape = Tape::new();
        let (mut dx, mut dy) = (0.0, 0.0);
        let (product, sum) = pair_adjoint(&mut tape, 2.0, &mut dx, 3.0, &mut dy, (1.0, 10.0));
        assert!(close(product, 6.0) && close(sum, 5.0) && close(dx, 13.0) && close(dy, 12.0));

        let mut dx = 0.0;
        let powers = array_adjoint(&mut tape, 2.0, &mut dx, [1.0, 10.0, 100.0]);
        assert!(all_close(&powers, &[2.0, 4.0, 8.0]) && close(dx, 1.0 + 40.0 + 1200.0));

        let mut dx = 0.0;
        let powers = vector_adjoint(&mut tape, 2.0, &mut dx, 4, vec![0.0, 0.0, 0.0, 1.0]);
        assert!(all_close(&powers, &[1.0, 2.0, 4.0, 8.0]) && close(dx, 12.0));

        let mut dvalues = [0.0; 3];
        let (sum, count) =
            with_count_adjoint(&mut tape, &[1.0, -2.0, 3.0], &mut dvalues, (0.5, ()));
        assert!(close(sum, 10.0) && count == 2 && all_close(&dvalues, &[1.0, 0.0, 3.0]));
    }

    #[test]
    fn options() {
        let (mut tape, mut dx) = (Tape::new(), 0.0);
        assert!(
            root_adjoint(&mut tape, 4.0, &mut dx, Some(1.0)).is_some_and(|r| close(r, 2.0))
                && close(dx, 0.25)
        );
        assert!(root_adjoint(&mut tape, -4.0, &mut dx, None).is_none() && close(dx, 0.25));
    }

    #[test]
    fn precisions_and_aliases() {
        let (value, dx) = narrowed_grad(3.0);
        assert_eq!(value.to_bits(), narrowed(3.0).to_bits());
        assert!(close(dx, 6.0));
        let (mut tape, mut dx) = (Tape::new(), 0.0);
        assert!(close(aliased_adjoint(&mut tape, 3.0, &mut dx, 1.0), 9.0) && close(dx, 6.0));
        let (mut dx, mut dy) = (0.0, 0.0);
        let value = aliased_result_adjoint(&mut tape, 3.0, &mut dx, 0.5, &mut dy, 1.0);
        assert!(
            close(value, aliased_result(3.0, 0.5))
                && close(dx, 0.5_f64.sin())
                && close(dy, 3.0 * 0.5_f64.cos())
        );
        let (value, (dx, dy)) = aliased_argument_grad(3.0, 0.5);
        assert!(
            close(value, aliased_argument(3.0, 0.5))
                && close(dx, 0.5_f64.sin())
                && close(dy, 3.0 * 0.5_f64.cos())
        );
        nothing_adjoint(&mut tape, 3, ());
    }

    #[test]
    fn callees() {
        let x = 1.5_f64;
        let (value, dx) = caller_grad(x);
        // p + p⁵ + 1 + s² + s⁴ with p = 2 x and s = x + 2.
        let (p, s) = (2.0 * x, x + 2.0);
        assert!(close(value, caller(x)) && close(value, p + p.powi(5) + 1.0 + s * s + s.powi(4)));
        assert!(close(
            dx,
            2.0 + 10.0 * p.powi(4) + 2.0 * s + 4.0 * s.powi(3)
        ));
    }
}
