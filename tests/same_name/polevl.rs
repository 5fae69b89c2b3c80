//! A file with a function of its name.

use retrograde::gradient;

#[gradient]
pub fn polevl(x: f64, coefficients: &[f64]) -> f64 {
    let mut sum = 0.0;
    for c in coefficients {
        sum = sum * x + c;
    }
    sum
}

#[gradient]
pub fn p1evl(x: f64, coefficients: &[f64]) -> f64 {
    x * polevl(x, coefficients)
}

/// In a loop, by itself and by one that calls it.
#[gradient]
pub fn looped(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += polevl(*v, &[1.0, 2.0]) * p1evl(*v, &[0.5, 1.0]) + scaled(*v);
    }
    sum
}

#[gradient]
fn scaled(x: f64) -> f64 {
    p1evl(x, &[2.0])
}

mod tests {
    use super::*;

    #[gradient]
    fn below(x: f64) -> f64 {
        polevl(x, &[1.0, 0.0]) * x
    }

    #[test]
    fn a_glob_brings_both() {
        assert_eq!(below_grad(3.0), (9.0, 6.0));
        // (v + 2)(v² / 2 + v) + 2 v
        let (value, dx) = looped_grad(&[2.0, 4.0]);
        assert_eq!(value, 4.0 * 4.0 + 4.0 + 6.0 * 12.0 + 8.0);
        assert_eq!(dx, [4.0 + 4.0 * 3.0 + 2.0, 12.0 + 6.0 * 5.0 + 2.0]);
    }
}
