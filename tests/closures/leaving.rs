//! `return` and `?` in closures.

use retrograde::{Tape, gradient};

use super::outcomes::{Fault, Of, Taken, adjoint, compare, logo, root};

#[gradient]
fn left(x: &[f64]) -> f64 {
    let f = |t: f64| {
        if t < 0.0 {
            return -t;
        }
        t.sqrt()
    };
    f(x[0]) + f(x[1])
}

#[test]
fn left_has_its_derivative() {
    compare(|x| left(x).value(), |x| left_grad(x).outcome());
}

#[gradient]
fn failed(x: &[f64]) -> Result<f64, Fault> {
    let f = |t: f64| -> Result<f64, Fault> {
        if t < 0.0 {
            return Err(Fault::Missing);
        }
        Ok(t.sqrt())
    };
    let a = f(x[0])?;
    Ok(a * x[1])
}

#[test]
fn failed_has_its_derivative() {
    compare(|x| failed(x).value(), |x| failed_grad(x).outcome());
}

#[gradient]
fn early_loop(x: &[f64]) -> f64 {
    let first_above = |t: f64| {
        for v in x {
            if *v > t {
                return *v * t;
            }
        }
        -1.0 * t
    };
    first_above(0.5) + first_above(1.5) * first_above(x[0])
}

#[test]
fn early_loop_has_its_derivative() {
    compare(|x| early_loop(x).value(), |x| early_loop_grad(x).outcome());
}

#[gradient]
fn early_nested(x: &[f64]) -> f64 {
    let f = |t: f64| {
        let g = |u: f64| {
            if u < 0.0 {
                return u * 2.0;
            }
            u * u
        };
        if t > 1.0 {
            return g(t) + 1.0;
        }
        g(t) * 3.0
    };
    f(x[0]) + f(x[1]) * f(-x[2])
}

#[test]
fn early_nested_has_its_derivative() {
    compare(
        |x| early_nested(x).value(),
        |x| early_nested_grad(x).outcome(),
    );
}

#[gradient]
fn opt_q(x: &[f64]) -> f64 {
    let f = |t: f64| -> Option<f64> {
        let a = logo(t)?;
        let b = logo(a + 1.0)?;
        Some(a * b)
    };
    f(x[0]).unwrap_or(x[1]) + f(x[2]).map_or(0.0, |v| v * x[3])
}

#[test]
fn opt_q_has_its_derivative() {
    compare(|x| opt_q(x).value(), |x| opt_q_grad(x).outcome());
}

#[gradient]
fn opt_noann(x: &[f64]) -> Option<f64> {
    let f = |t: f64| {
        if t < 0.0 {
            return None;
        }
        Some(t.sqrt() * x[1])
    };
    let a = f(x[0])?;
    Some(a + f(x[2]).unwrap_or(1.0))
}

#[test]
fn opt_noann_has_its_derivative() {
    compare(|x| opt_noann(x).value(), |x| adjoint(opt_noann_adjoint, x));
}

#[gradient]
fn res_q(x: &[f64]) -> Result<f64, Fault> {
    let f = |t: f64| -> Result<f64, Fault> {
        let a = root(t)?;
        if a > 100.0 {
            return Err(Fault::Missing);
        }
        Ok(a * x[1])
    };
    let s = f(x[0])? + f(x[2])?;
    Ok(s * 2.0)
}

#[test]
fn res_q_has_its_derivative() {
    compare(|x| res_q(x).value(), |x| res_q_grad(x).outcome());
}

#[gradient]
fn matched(x: &[f64]) -> f64 {
    let f = |t: f64| -> Result<f64, Fault> {
        if t < 0.0 {
            Err(Fault::Negative(t))
        } else {
            Ok(t.sqrt())
        }
    };
    let a = match f(x[0]) {
        Ok(v) => v * x[1],
        Err(Fault::Negative(_)) => x[2],
        Err(_) => 0.0,
    };
    if let Ok(b) = f(x[3]) { a + b } else { a * 2.0 }
}

#[test]
fn matched_has_its_derivative() {
    compare(|x| matched(x).value(), |x| matched_grad(x).outcome());
}

#[gradient]
fn res_unwrap_or(x: &[f64]) -> f64 {
    let f = |t: f64| -> Result<f64, String> {
        if t < 0.0 {
            return Err(format!("bad {t}"));
        }
        Ok(t.sqrt())
    };
    f(x[0]).unwrap_or(x[1])
        + f(x[2]).unwrap_or_else(|e| e.len() as f64)
        + f(x[3]).is_ok() as u8 as f64
}

#[test]
fn res_unwrap_or_has_its_derivative() {
    compare(
        |x| res_unwrap_or(x).value(),
        |x| res_unwrap_or_grad(x).outcome(),
    );
}

#[gradient]
fn res_capt_err(x: &[f64]) -> Result<f64, Fault> {
    let f = |t: f64| root(t).map_err(|_| Fault::Missing);
    let a = f(x[0])?;
    Ok(a + f(x[1])?)
}

#[test]
fn res_capt_err_has_its_derivative() {
    compare(
        |x| res_capt_err(x).value(),
        |x| res_capt_err_grad(x).outcome(),
    );
}

#[gradient]
fn immediate(x: &[f64]) -> f64 {
    let a = (|t: f64| t * t)(x[0]);
    let b = (|| {
        if x[1] < 0.0 {
            return 0.0;
        }
        x[1].sqrt()
    })();
    a + b
}

#[test]
fn immediate_has_its_derivative() {
    compare(|x| immediate(x).value(), |x| immediate_grad(x).outcome());
}

/// Errors that only other closures and patterns see.
#[gradient]
fn swallowed(x: &[f64]) -> f64 {
    let scaled = |t: f64| -> Result<f64, String> {
        if t > 3.0 {
            Err(format!("large: {t}"))
        } else {
            Ok(t * x[0])
        }
    };
    let all = || -> Result<f64, String> {
        let mut sum = 0.0;
        for &t in x {
            sum += scaled(t)?;
        }
        Ok(sum * sum)
    };
    match all() {
        Ok(sum) => sum,
        Err(_) => x[1] * x[2],
    }
}

#[test]
fn swallowed_has_its_derivative() {
    compare(|x| swallowed(x).value(), |x| swallowed_grad(x).outcome());
}

/// The same where an alias has the error.
#[gradient]
fn swallowed_alias(x: &[f64]) -> f64 {
    let scaled = |t: f64| -> anyhow::Result<f64> {
        if t > 1.5 {
            anyhow::bail!("large: {t}");
        }
        Ok(t * x[3])
    };
    let twice = |t: f64| -> anyhow::Result<f64> {
        let y = scaled(t)?;
        Ok(y + scaled(y)?)
    };
    let Ok(first) = twice(x[0]) else {
        return x[1];
    };
    first * twice(x[2]).unwrap_or(x[4])
}

#[test]
fn swallowed_alias_has_its_derivative() {
    compare(
        |x| swallowed_alias(x).value(),
        |x| swallowed_alias_grad(x).outcome(),
    );
}
