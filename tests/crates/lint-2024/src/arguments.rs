//! Parameters of every type and passing.

use ad::gradient;

/// Nothing to differentiate with respect to.
#[gradient(crate = ::ad)]
#[must_use]
pub fn without_arguments() -> f64 {
    2.0
}

/// One argument: its gradient is not wrapped in a tuple.
#[gradient(crate = ::ad)]
#[must_use]
pub fn square(x: f64) -> f64 {
    x * x
}

/// Single precision.
#[gradient(crate = ::ad)]
#[must_use]
pub fn single(x: f32, y: f32) -> f32 {
    x * y.sin()
}

/// Numbers by reference.
#[gradient(crate = ::ad)]
#[must_use]
pub fn by_reference(x: &f64, y: &f64) -> f64 {
    x * *y
}

/// Arrays by value and by reference, nested too.
#[gradient(crate = ::ad)]
#[must_use]
pub fn arrays(a: [f64; 2], b: &[f64; 2], m: &[[f64; 2]; 2]) -> f64 {
    let mut sum = 0.0;
    for i in 0..2 {
        for k in 0..2 {
            sum += a[i] * m[i][k] * b[k];
        }
    }
    sum
}

/// A slice, a vector by reference, rows and a vector by value.
#[gradient(crate = ::ad)]
#[must_use]
#[expect(
    clippy::ptr_arg,
    clippy::needless_pass_by_value,
    reason = "the forms are what is shown"
)]
pub fn lists(a: &[f64], b: &Vec<f64>, rows: &[[f64; 2]], c: Vec<f64>) -> f64 {
    let mut sum = 0.0;
    for (i, v) in a.iter().enumerate() {
        sum += v * b[i] * rows[i][1] * c[i];
    }
    sum
}

/// A tuple and an option.
#[gradient(crate = ::ad)]
#[must_use]
pub fn compound(pair: (f64, f64), extra: Option<f64>) -> f64 {
    let product = pair.0 * pair.1;
    match extra {
        Some(v) => product * v,
        None => product,
    }
}

/// Patterns in parameters.
#[gradient(crate = ::ad)]
#[must_use]
pub fn patterns((a, b): (f64, f64), [first, second]: [f64; 2], mut last: f64, _: f64) -> f64 {
    last *= last;
    a * b + first * second + last
}

/// What has no derivative stands between what has one.
#[gradient(crate = ::ad)]
#[must_use]
pub fn mixed(
    x: f64,
    n: usize,
    label: &str,
    flag: bool,
    indices: &[usize],
    letter: char,
    y: f64,
) -> f64 {
    let mut product = if flag && letter == 'a' && label.len() > 1 {
        y
    } else {
        1.0
    };
    for _ in 0..n + indices.len() {
        product *= x;
    }
    product
}

/// A constant of a type that has no tangent.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// A factor.
    pub scale: f64,
}

/// A constant argument.
#[gradient(crate = ::ad)]
#[must_use]
pub fn with_constant(#[constant] settings: &Settings, x: f64, #[constant] shift: f64) -> f64 {
    settings.scale * (x + shift) * (x + shift)
}

/// An enum without fields has the tangent `()`.
#[derive(Clone, Copy, Debug, ad::Differentiable)]
#[differentiable(crate = ::ad)]
pub enum Law {
    /// Proportional.
    Linear,
    /// Of the second degree.
    Quadratic,
}

/// A choice by an enum.
#[gradient(crate = ::ad)]
#[must_use]
pub fn with_choice(law: Law, x: f64) -> f64 {
    match law {
        Law::Linear => 2.0 * x,
        Law::Quadratic => x * x,
    }
}

/// In-out arguments: no `_grad`, only `_adjoint`.
#[gradient(crate = ::ad)]
pub fn in_out(x: &mut f64, list: &mut [f64], pair: &mut [f64; 2], rate: f64) {
    for v in list.iter_mut() {
        *v *= rate;
        *x += *v;
    }
    pair[0] *= *x;
    pair.swap(0, 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{all_close, close};
    use ad::Tape;

    #[test]
    fn nothing_to_differentiate() {
        let (value, ()) = without_arguments_grad();
        assert!(close(value, without_arguments()));
    }

    #[test]
    fn one_argument() {
        let (value, dx) = square_grad(3.0);
        assert!(close(value, square(3.0)) && close(dx, 6.0));
        let (mut tape, mut dx) = (Tape::new(), 7.0);
        assert!(close(square_grad_into(&mut tape, 3.0, &mut dx), 9.0) && close(dx, 6.0));
        assert!(close(square_adjoint(&mut tape, 3.0, &mut dx, 2.0), 9.0) && close(dx, 18.0));
        assert!(square_try_grad_into(&mut tape, 3.0, &mut dx).is_ok() && close(dx, 6.0));
        assert!(square_try_adjoint(&mut tape, 3.0, &mut dx, 1.0).is_ok() && close(dx, 12.0));
    }

    #[test]
    fn single_precision() {
        let (value, (dx, dy)) = single_grad(2.0, 0.5);
        assert_eq!(value.to_bits(), single(2.0, 0.5).to_bits());
        assert!((dx - 0.5_f32.sin()).abs() < 1e-6 && (dy - 2.0 * 0.5_f32.cos()).abs() < 1e-6);
    }

    #[test]
    fn references() {
        assert!(close(by_reference(&2.0, &5.0), 10.0));
        let (_, (dx, dy)) = by_reference_grad(&2.0, &5.0);
        assert!(close(dx, 5.0) && close(dy, 2.0));
    }

    #[test]
    fn nested_arrays() {
        let (a, b, m) = ([1.0, 2.0], [3.0, 4.0], [[5.0, 6.0], [7.0, 8.0]]);
        let (value, (da, db, dm)) = arrays_grad(a, &b, &m);
        assert!(close(value, arrays(a, &b, &m)) && close(value, 145.0));
        assert!(all_close(&da, &[39.0, 53.0]) && all_close(&db, &[19.0, 22.0]));
        assert!(all_close(&dm[0], &[3.0, 4.0]) && all_close(&dm[1], &[6.0, 8.0]));
    }

    #[test]
    fn slices_and_vectors() {
        let (a, b, rows, c) = ([2.0], vec![3.0], [[9.0, 5.0]], vec![7.0]);
        let (value, (da, db, drows, dc)) = lists_grad(&a, &b, &rows, c.clone());
        assert!(close(value, lists(&a, &b, &rows, c)) && close(value, 210.0));
        assert!(all_close(&da, &[105.0]) && all_close(&db, &[70.0]) && all_close(&dc, &[30.0]));
        assert!(all_close(&drows[0], &[0.0, 42.0]));
    }

    #[test]
    fn tuples_and_options() {
        let (value, (pair, extra)) = compound_grad((2.0, 3.0), Some(4.0));
        assert!(close(value, compound((2.0, 3.0), Some(4.0))));
        assert!(close(pair.0, 12.0) && close(pair.1, 8.0) && extra.is_some_and(|d| close(d, 6.0)));
        assert!(compound_grad((2.0, 3.0), None).1.1.is_none());
    }

    #[test]
    fn patterns_in_parameters() {
        let (value, (first, second, e, ignored)) = patterns_grad((2.0, 3.0), [4.0, 5.0], 6.0, 7.0);
        assert!(close(value, patterns((2.0, 3.0), [4.0, 5.0], 6.0, 7.0)) && close(value, 62.0));
        assert!(close(first.0, 3.0) && close(first.1, 2.0) && all_close(&second, &[5.0, 4.0]));
        assert!(close(e, 12.0) && close(ignored, 0.0));
    }

    #[test]
    fn constants_have_no_gradient() {
        let settings = Settings { scale: 2.0 };
        let (value, dx) = with_constant_grad(&settings, 3.0, 1.0);
        assert!(close(value, with_constant(&settings, 3.0, 1.0)) && close(dx, 16.0));
    }

    #[test]
    fn enums_without_fields() {
        let (value, ((), dx)) = with_choice_grad(Law::Quadratic, 3.0);
        assert!(close(value, with_choice(Law::Quadratic, 3.0)) && close(dx, 6.0));
        assert!(close(with_choice_grad(Law::Linear, 3.0).1.1, 2.0));
    }

    #[test]
    fn what_has_no_derivative_is_left_out() {
        let (value, (dx, dy)) = mixed_grad(2.0, 3, "label", true, &[], 'a', 5.0);
        assert!(close(value, mixed(2.0, 3, "label", true, &[], 'a', 5.0)) && close(value, 40.0));
        assert!(close(dx, 60.0) && close(dy, 8.0));
    }

    #[test]
    fn in_out_arguments_have_adjoints_alone() {
        let (mut x, mut list, mut pair, rate) = (1.0, [2.0, 3.0], [4.0, 5.0], 0.5);
        let (mut dx, mut dlist, mut dpair, mut drate) = (0.0, [0.0; 2], [0.0, 1.0], 0.0);
        let mut tape = Tape::new();
        in_out_adjoint(
            &mut tape,
            &mut x,
            &mut dx,
            &mut list,
            &mut dlist,
            &mut pair,
            &mut dpair,
            rate,
            &mut drate,
            (),
        );
        // The second of the pair is 4 · (x + rate · (2 + 3)).
        assert!(close(x, 3.5) && all_close(&list, &[1.0, 1.5]) && all_close(&pair, &[5.0, 14.0]));
        assert!(
            close(dx, 4.0)
                && all_close(&dlist, &[2.0, 2.0])
                && all_close(&dpair, &[3.5, 0.0])
                && close(drate, 20.0)
        );
        in_out(&mut x, &mut list, &mut pair, rate);
    }
}
