//! Constants of types of one's own: operators of them are kept as they are, and variants are told by their enum.

use retrograde::{Differentiable, gradient};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Heat(f64);

impl std::ops::Div for Heat {
    type Output = f64;

    fn div(self, by: Heat) -> f64 {
        self.0 / by.0
    }
}

impl std::ops::Mul<f64> for Heat {
    type Output = Heat;

    fn mul(self, by: f64) -> Heat {
        Heat(self.0 * by)
    }
}

const GAS: Heat = Heat(287.058);
#[expect(non_upper_case_globals, reason = "formulas write it so")]
const cp: Heat = Heat(1005.7);

/// Among the arguments of functions, as factors, and under names.
#[gradient]
fn potential(p: f64, t: f64) -> f64 {
    let ratio = GAS / cp;
    let half = GAS * 0.5 / cp;
    let mut theta = t * f64::powf(1000.0 / p, GAS / cp);
    for k in 0..3 {
        theta += t * (GAS / cp) * k as f64;
    }
    theta + ratio * t + p * (1000.0 / p).powf(GAS / (cp * 2.0)) + p * half
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Pair {
    #[expect(non_camel_case_types, reason = "formulas write it so")]
    pT,
    #[expect(non_camel_case_types, reason = "formulas write it so")]
    ph,
}

#[gradient]
fn of_pair(x: f64, pair: Pair) -> f64 {
    if pair == Pair::pT { x * x } else { 3.0 * x }
}

#[gradient]
fn of_both(x: f64) -> f64 {
    of_pair(x, Pair::pT) * of_pair(x, Pair::ph)
}

#[test]
fn operators_of_constants_have_no_derivative() {
    for (p, t) in [(850.0, 280.0), (500.0, 250.0), (1010.0, 301.5)] {
        let (value, (dp, dt)) = potential_grad(p, t);
        assert_eq!(value.to_bits(), potential(p, t).to_bits());
        let r = 287.058 / 1005.7;
        let want_t = (1000.0 / p as f64).powf(r) + 3.0 * r + r;
        let want_p = -t * r * (1000.0 / p).powf(r) / p
            + (1.0 - r / 2.0) * (1000.0 / p).powf(r / 2.0)
            + r / 2.0;
        assert!((dt - want_t).abs() <= 1e-13 * want_t, "{dt}, {want_t}");
        assert!((dp - want_p).abs() <= 1e-12, "{dp}, {want_p}");
    }
}

#[test]
fn variants_in_small_letters_are_values() {
    for x in [0.5, -2.0] {
        assert_eq!(of_both_grad(x), (of_both(x), 9.0 * x * x));
    }
}
