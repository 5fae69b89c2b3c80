//! Const parameters and lifetimes.

use ad::gradient;

/// The length of an array is a parameter.
#[gradient(crate = ::ad)]
#[must_use]
pub fn norm2<const N: usize>(x: &[f64; N]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += v * v;
    }
    sum
}

/// Two lengths, a nested array, and a result of a generic shape.
#[gradient(crate = ::ad)]
#[must_use]
pub fn product<const ROWS: usize, const COLUMNS: usize>(
    m: &[[f64; COLUMNS]; ROWS],
    x: &[f64; COLUMNS],
) -> [f64; ROWS] {
    let mut y = [0.0; ROWS];
    for i in 0..ROWS {
        for k in 0..COLUMNS {
            y[i] += m[i][k] * x[k];
        }
    }
    y
}

/// A const parameter that only the body uses, so that a call must name it.
#[gradient(crate = ::ad)]
#[must_use]
pub fn power<const EXPONENT: usize>(x: f64) -> f64 {
    let mut p = 1.0;
    for _ in 0..EXPONENT {
        p *= x;
    }
    p
}

/// Calls of generic functions, with and without a turbofish.
#[gradient(crate = ::ad)]
#[must_use]
pub fn calls(x: &[f64; 2]) -> f64 {
    let y = product(&[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], x);
    norm2(&y) + power::<3>(x[0]) * norm2::<2>(x)
}

/// Lifetimes with a bound between them.
#[gradient(crate = ::ad)]
#[must_use]
pub fn chosen<'short, 'long: 'short>(
    a: &'long [f64; 2],
    b: &'short [f64; 2],
    c: &'long [f64; 2],
    first: bool,
) -> f64 {
    let picked: &'short [f64; 2] = if first { a } else { b };
    picked[0] * picked[0] * c[1]
}

/// Lifetimes and const parameters together, with a `where` clause.
#[gradient(crate = ::ad)]
#[must_use]
pub fn dot<'a, const N: usize>(a: &'a [f64; N], b: &'a [f64; N]) -> f64
where
    [f64; N]: Sized,
{
    let mut sum = 0.0;
    for i in 0..N {
        sum += a[i] * b[i];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{all_close, close};
    use ad::Tape;

    #[test]
    fn lengths() {
        let (value, dx) = norm2_grad(&[3.0, 4.0]);
        assert!(close(value, norm2(&[3.0, 4.0])) && all_close(&dx, &[6.0, 8.0]));
        let (value, dx) = power_grad::<4>(2.0);
        assert!(close(value, power::<4>(2.0)) && close(dx, 32.0));
        let (_, (da, db)) = dot_grad(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]);
        assert!(all_close(&da, &[4.0, 5.0, 6.0]) && all_close(&db, &[1.0, 2.0, 3.0]));
    }

    #[test]
    fn a_generic_result() {
        let m = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
        let (mut dm, mut dx) = ([[0.0; 2]; 3], [0.0; 2]);
        let y = product_adjoint(
            &mut Tape::new(),
            &m,
            &mut dm,
            &[7.0, 8.0],
            &mut dx,
            [1.0, 0.0, -1.0],
        );
        assert!(all_close(&y, &[23.0, 53.0, 83.0]) && all_close(&dx, &[-4.0, -4.0]));
        assert!(
            all_close(&dm[0], &[7.0, 8.0])
                && all_close(&dm[1], &[0.0; 2])
                && all_close(&dm[2], &[-7.0, -8.0])
        );
    }

    #[test]
    fn generic_callees() {
        let x = [0.5, -1.0];
        let (value, dx) = calls_grad(&x);
        assert!(close(value, calls(&x)));
        // |m x|² has the gradient 2 mᵀ m x, with mᵀ m = [[35, 44], [44, 56]].
        let (cube, norm) = (0.125, 1.25);
        let first = 2.0 * (35.0 * 0.5 - 44.0) + 3.0 * 0.25 * norm + cube;
        let second = 2.0 * (44.0 * 0.5 - 56.0) + cube * -2.0;
        assert!(all_close(&dx, &[first, second]));
    }

    #[test]
    fn lifetimes() {
        let (a, b, c) = ([3.0, 0.0], [4.0, 0.0], [0.0, 10.0]);
        let (_, (da, db, dc)) = chosen_grad(&a, &b, &c, true);
        assert!(
            all_close(&da, &[60.0, 0.0])
                && all_close(&db, &[0.0; 2])
                && all_close(&dc, &[0.0, 9.0])
        );
        let (_, (da, db, dc)) = chosen_grad(&a, &b, &c, false);
        assert!(
            all_close(&da, &[0.0; 2])
                && all_close(&db, &[80.0, 0.0])
                && all_close(&dc, &[0.0, 16.0])
        );
    }
}
