//! Rules for functions without `#[gradient]`.

/// Has a rule.
#[must_use]
pub fn lift(x: f64, n: u32) -> f64 {
    x * f64::from(n)
}

/// The rule of [`lift`].
#[ad::derivative_of(crate::rules::lift, crate = ::ad)]
#[must_use]
pub fn lift_rule(_x: f64, n: u32, #[result] _y: f64) -> f64 {
    f64::from(n)
}

/// Overwrites what it is given.
pub fn double(x: &mut [f64], by: f64) {
    for x in x {
        *x *= by;
    }
}

#[ad::derivative_of(double, crate = ::ad)]
fn double_rule(#[in_out] x: &[f64], by: f64, _seed: (), dx: &mut [f64], dby: &mut f64) {
    for (x, dx) in x.iter().zip(dx) {
        *dby += x * *dx;
        *dx *= by;
    }
}

/// Calls both.
#[ad::gradient(crate = ::ad)]
#[must_use]
pub fn lifted(x: f64) -> f64 {
    let mut v = [x, 1.0];
    double(&mut v, x);
    lift(v[0], 3) + v[1]
}

#[cfg(test)]
mod tests {
    #[test]
    fn rules() {
        assert_eq!(super::lifted_grad(2.0), (14.0, 13.0));
    }
}
