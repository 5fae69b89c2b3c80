//! Rules in another crate, and rules for its functions.

use kernels_lib::plain::{bump as hill, cube};
use retrograde::{derivative_of, gradient};

#[derivative_of(kernels_lib::plain::cube)]
fn cube_rule(x: f64) -> f64 {
    3.0 * x * x
}

/// Both, by name and by path.
#[gradient]
pub fn both(x: f64) -> f64 {
    hill(x) * cube(x) + kernels_lib::plain::bump(2.0 * x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::close;

    #[test]
    fn rules_across_crates() {
        let x = 0.75_f64;
        let bump = |x: f64| (1.0 / (1.0 + x * x), -2.0 * x / (1.0 + x * x).powi(2));
        let (value, dx) = both_grad(x);
        let ((h, dh), (_, dt)) = (bump(x), bump(2.0 * x));
        assert_eq!(value.to_bits(), both(x).to_bits());
        assert!(close(dx, dh * x.powi(3) + h * 3.0 * x * x + 2.0 * dt));
    }
}
