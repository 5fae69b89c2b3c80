//! A root of any function, with its derivative.

use retrograde::{gradient, no_gradient};

/// Steps of the search. Each bisection would halve the bracket; the secant needs far fewer.
const STEPS: usize = 100;

/// A root of `f` between `low` and `high`, at which `f` has different signs.
///
/// The search is the regula falsi with Illinois' rule (M. Dowell and P. Jarratt, *A modified regula falsi method for
/// computing the root of an equation*, BIT 11 (1971), 168–174). How it gets to the root says nothing about how the root
/// moves with what `f` captures. So it has no derivative; one last step of Newton's method, whose slope counts as
/// constant, has that of the implicit function theorem: `dx/dp = -(∂f/∂p) / (∂f/∂x)`.
#[gradient]
pub(crate) fn root<F: Fn(f64) -> f64>(
    f: F,
    #[constant] low: f64,
    #[constant] high: f64,
) -> Option<f64> {
    let (mut a, mut b) = (low, high);
    let (mut f_a, mut f_b) = (no_gradient(f(a)), no_gradient(f(b)));
    if f_a * f_b > 0.0 || f_a.is_nan() || f_b.is_nan() {
        return None;
    }
    // `b` is the last guess, `a` the end of the bracket on the other side.
    for _ in 0..STEPS {
        if f_b == 0.0 || (b - a).abs() <= f64::EPSILON.sqrt() * (1.0 + b.abs()) {
            break;
        }
        let guess = b - f_b * (b - a) / (f_b - f_a);
        let f_guess = no_gradient(f(guess));
        if f_guess * f_b < 0.0 {
            (a, f_a) = (b, f_b);
        } else {
            f_a *= 0.5;
        }
        (b, f_b) = (guess, f_guess);
    }
    let near = f64::EPSILON.cbrt() * (1.0 + b.abs());
    let slope = no_gradient((f(b + near) - f(b - near)) / (2.0 * near));
    Some(b - f(b) / slope)
}
