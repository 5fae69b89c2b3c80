//! A function with a mistake keeps its gradient functions as stubs: callers of any of them add no errors.

use retrograde::{Tape, gradient};

#[gradient]
fn refused(x: f64, w: &[f64]) -> f64 {
    static SCALE: Option<f64> = Some(2.0);
    x * SCALE.unwrap() * w[0]
}

#[gradient]
fn refused_in_out(x: f64, n: &mut [f64]) {
    n[0] = unsafe { *n.as_ptr() } * x;
}

#[gradient]
fn refused_generic<'a, const N: usize>(x: &'a [f64; N], y: &'a [f64; N]) -> [f64; N] {
    [unsafe { *x.as_ptr() } * y[0]; N]
}

#[gradient]
fn caller(x: f64, w: &[f64]) -> f64 {
    let mut values = [x, 1.0];
    refused_in_out(x, &mut values);
    let sums = refused_generic::<2>(&values, &values);
    refused(x * x, w) + values[1] + sums[0]
}

fn main() {
    let w = [1.0];
    let (mut dx, mut dw) = (0.0, [0.0]);
    let mut tape = Tape::new();
    let (value, (_, _)) = refused_grad(2.0, &w);
    let _: f64 = value + refused_grad_into(&mut tape, 2.0, &mut dx, &w, &mut dw);
    let _: f64 = refused_adjoint(&mut tape, 2.0, &mut dx, &w, &mut dw, 1.0);
    let _: f64 = caller_grad(2.0, &w).0;
}
