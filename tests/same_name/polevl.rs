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

mod tests {
    use super::*;

    #[gradient]
    fn below(x: f64) -> f64 {
        polevl(x, &[1.0, 0.0]) * x
    }

    #[test]
    fn a_glob_brings_both() {
        assert_eq!(below_grad(3.0), (9.0, 6.0));
    }
}
