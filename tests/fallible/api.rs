//! What the generated functions return, and what buffers and tapes hold after an error.

use retrograde::{Tape, gradient};

use super::{Fault, root};

#[gradient]
fn scaled(x: &[f64], k: f64) -> Result<f64, Fault> {
    let mut sum = 0.0;
    for v in x {
        sum += super::root(*v)? * k;
    }
    Ok(sum)
}

#[test]
fn a_gradient_comes_with_the_value_and_an_error_alone() {
    assert_eq!(root_of(4.0), Ok((2.0, 0.25)));
    assert_eq!(root_of(-4.0), Err(Fault::Negative(-4.0)));
    assert_eq!(root_of(0.0), Err(Fault::Text("zero: 0".to_owned())));
    assert_eq!(
        scaled_grad(&[1.0, 4.0], 3.0),
        Ok((9.0, (vec![1.5, 0.75], 3.0)))
    );
    assert_eq!(scaled_grad(&[], 3.0), Ok((0.0, (vec![], 0.0))));
}

fn root_of(x: f64) -> Result<(f64, f64), Fault> {
    super::root_grad(x)
}

#[test]
fn buffers_hold_zeros_after_an_error_and_the_tape_goes_on() {
    let mut tape = Tape::new();
    let (mut dx, mut dk) = (vec![7.0, 7.0, 7.0], 7.0);
    let failed = scaled_grad_into(&mut tape, &[1.0, -4.0, 1.0], &mut dx, 3.0, &mut dk);
    assert_eq!(failed, Err(Fault::Negative(-4.0)));
    assert_eq!((&dx[..], dk), (&[0.0, 0.0, 0.0][..], 0.0));
    let good = scaled_grad_into(&mut tape, &[1.0, 4.0, 1.0], &mut dx, 3.0, &mut dk);
    assert_eq!(good, Ok(12.0));
    assert_eq!((&dx[..], dk), (&[1.5, 0.75, 1.5][..], 4.0));
    let tried = scaled_try_grad_into(&mut tape, &[-1.0, 4.0, 1.0], &mut dx, 3.0, &mut dk);
    assert_eq!(tried.unwrap(), Err(Fault::Negative(-1.0)));
    assert_eq!((&dx[..], dk), (&[0.0, 0.0, 0.0][..], 0.0));
}

#[test]
fn an_adjoint_takes_the_seed_of_the_value_and_an_error_adds_nothing() {
    let mut tape = Tape::new();
    let (mut dx, mut dk) = (vec![1.0, 2.0], 3.0);
    let value = scaled_adjoint(&mut tape, &[1.0, 4.0], &mut dx, 3.0, &mut dk, 2.0);
    assert_eq!(value, Ok(9.0));
    assert_eq!((&dx[..], dk), (&[4.0, 3.5][..], 9.0));
    let value = scaled_adjoint(&mut tape, &[1.0, -4.0], &mut dx, 3.0, &mut dk, 2.0);
    assert_eq!(value, Err(Fault::Negative(-4.0)));
    assert_eq!((&dx[..], dk), (&[4.0, 3.5][..], 9.0));
    let value = scaled_try_adjoint(&mut tape, &[1.0, 4.0], &mut dx, 3.0, &mut dk, 1.0);
    assert_eq!(value.unwrap(), Ok(9.0));
}

/// What is written before an error stays written, and has its derivative.
#[gradient]
fn in_place(x: &mut [f64], k: f64) -> Result<(), Fault> {
    for v in x.iter_mut() {
        *v *= k;
        if *v < 0.0 {
            return Err(Fault::Small);
        }
    }
    Ok(())
}

#[test]
fn what_was_written_before_an_error_has_its_derivative() {
    let mut tape = Tape::new();
    for (start, expected) in [
        ([1.0, 2.0, 3.0], Ok(())),
        ([1.0, -2.0, 3.0], Err(Fault::Small)),
    ] {
        let (mut x, mut plain) = (start, start);
        let (mut dx, mut dk) = ([1.0, 10.0, 100.0], 0.0);
        let result = in_place_adjoint(&mut tape, &mut x, &mut dx, 2.0, &mut dk, ());
        assert_eq!(result, expected);
        assert_eq!(in_place(&mut plain, 2.0), expected);
        assert_eq!(x, plain);
        if expected.is_ok() {
            assert_eq!((dx, dk), ([2.0, 20.0, 200.0], 321.0));
        } else {
            assert_eq!((dx, dk), ([2.0, 20.0, 100.0], 1.0 - 20.0));
        }
    }
}

/// `f32`, and a value that is no number alone.
#[gradient]
fn single(x: f32) -> Result<f32, &'static str> {
    if x > 9.0 { Err("large") } else { Ok(x * x) }
}

#[gradient]
fn pair(x: f64, n: usize) -> Result<(f64, [f64; 2]), usize> {
    if n > 3 {
        return Err(n);
    }
    Ok((x * x, [x, n as f64 * x]))
}

#[test]
fn values_of_other_types() {
    assert_eq!(single_grad(3.0), Ok((9.0f32, 6.0f32)));
    assert_eq!(single_grad(10.0), Err("large"));
    let (mut tape, mut dx) = (Tape::new(), 0.0);
    let value = pair_adjoint(&mut tape, 3.0, &mut dx, 2, (1.0, [10.0, 100.0]));
    assert_eq!((value, dx), (Ok((9.0, [3.0, 6.0])), 6.0 + 10.0 + 200.0));
    let value = pair_adjoint(&mut tape, 3.0, &mut dx, 4, (1.0, [10.0, 100.0]));
    assert_eq!((value, dx), (Err(4), 216.0));
}

/// Its gradient is assigned, not added to, in the loop.
#[gradient]
fn squares(x: &[f64], limit: usize) -> Result<f64, usize> {
    if x.len() > limit {
        return Err(x.len());
    }
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
    }
    if sum > 1e6 { Err(0) } else { Ok(sum) }
}

#[test]
fn nothing_of_an_old_gradient_is_left_by_an_error() {
    let mut tape = Tape::new();
    for (x, limit) in [([1.0, 2.0], 1), ([1e4, 2.0], 2), ([1.0, 2.0], 2)] {
        let mut dx = [f64::NAN; 2];
        let value = squares_grad_into(&mut tape, &x, &mut dx, limit);
        assert_eq!(value, squares(&x, limit));
        let expected = if value.is_ok() {
            [2.0, 4.0]
        } else {
            [0.0, 0.0]
        };
        assert_eq!(dx, expected);
    }
}

/// Itself, with errors from any depth.
#[gradient]
fn power(x: f64, n: u32) -> Result<f64, u32> {
    if n == 0 {
        return Ok(1.0);
    }
    let below = power(x, n - 1)?;
    if below > 100.0 { Err(n) } else { Ok(below * x) }
}

#[test]
fn recursion() {
    assert_eq!(power_grad(3.0, 4), Ok((81.0, 108.0)));
    assert_eq!(power_grad(3.0, 9), Err(6));
}
