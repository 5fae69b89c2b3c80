//! Parameters whose trait stands in another file, where the signature names a type of theirs: they are no floats.

use retrograde::gradient;

use crate::lerp_elsewhere::{Lerp, lerp};
use crate::support::check;

#[gradient]
impl Lerp for [f64; 2] {
    type Scalar = f64;

    fn lerp(&self, to: &[f64; 2], t: &f64) -> [f64; 2] {
        [
            f64::lerp(&self[0], &to[0], t),
            f64::lerp(&self[1], &to[1], &(t * t)),
        ]
    }
}

#[gradient]
pub fn quad_bez<T: Lerp>(x0: &T, x1: &T, x2: &T, t: &T::Scalar) -> T {
    let x_0_1 = lerp(x0, x1, t);
    let x_1_2 = lerp(x1, x2, t);
    lerp(&x_0_1, &x_1_2, t)
}

#[gradient]
fn of_numbers(a: f64, b: f64, c: f64, t: f64) -> f64 {
    quad_bez(&a, &b, &c, &t)
}

#[gradient]
fn of_pairs(a: f64, b: f64, c: f64, t: f64) -> f64 {
    let [x, y] = quad_bez(&[a, b], &[b * c, c], &[c, a * a], &t);
    x * y
}

#[test]
fn curves_of_numbers_and_of_pairs() {
    let inputs: &[&[f64]] = &[&[0.5, 1.5, -2.0, 0.25], &[1.0, 1.0, 3.0, 0.9]];
    check(
        |p| of_numbers(p[0], p[1], p[2], p[3]),
        |p| of_numbers_grad(p[0], p[1], p[2], p[3]),
        inputs,
    );
    check(
        |p| of_pairs(p[0], p[1], p[2], p[3]),
        |p| of_pairs_grad(p[0], p[1], p[2], p[3]),
        inputs,
    );
}
