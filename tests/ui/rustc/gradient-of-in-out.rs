//! A function with in-out arguments has `f_adjoint` alone.

use retrograde::gradient;

#[gradient]
fn double(x: &mut f64) {
    *x *= 2.0;
}

fn main() {
    let mut x = 1.0;
    double_grad(&mut x);
}
