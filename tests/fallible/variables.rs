//! A `Result` in a variable, and one that branches yield.

use retrograde::gradient;

use super::outcomes::{Fault, Of, Taken, adjoint, compare, logo, root};

#[gradient]
fn bound_branches(x: &[f64]) -> Result<f64, Fault> {
    let r = if x[0] > 1.0 {
        root(x[1])
    } else {
        Err(Fault::Missing)
    };
    Ok(r? * 2.0)
}

#[test]
fn bound_branches_has_its_derivative() {
    compare(
        |x| bound_branches(x).value(),
        |x| bound_branches_grad(x).outcome(),
    );
}

#[gradient]
fn asked_branches(x: &[f64]) -> Result<f64, Fault> {
    let a = if x[0] > 1.0 {
        root(x[1])
    } else if x[0] < -5.0 {
        Err(Fault::Missing)
    } else {
        Ok(x[2])
    }?;
    let b = match x.len() {
        6 => root(a.abs()),
        _ => Err(Fault::Missing),
    }?;
    Ok(a * b)
}

#[test]
fn asked_branches_has_its_derivative() {
    compare(
        |x| asked_branches(x).value(),
        |x| asked_branches_grad(x).outcome(),
    );
}

#[gradient]
fn asked_variable(x: &[f64]) -> f64 {
    let r = root(x[0]);
    if r.is_err() {
        return x[1];
    }
    let v = r.unwrap();
    v * x[2]
}

#[test]
fn asked_variable_has_its_derivative() {
    compare(
        |x| asked_variable(x).value(),
        |x| asked_variable_grad(x).outcome(),
    );
}

#[gradient]
fn matched_variable(x: &[f64]) -> f64 {
    let r = root(x[0]);
    match r {
        Ok(v) => v * x[1],
        Err(e) => {
            let n = format!("{e:?}");
            x[2] * (n.len() > 2) as u8 as f64
        }
    }
}

#[test]
fn matched_variable_has_its_derivative() {
    compare(
        |x| matched_variable(x).value(),
        |x| matched_variable_grad(x).outcome(),
    );
}

#[gradient]
fn written_types(x: &[f64]) -> Result<f64, Fault> {
    let r: Result<f64, Fault> = root(x[0]).map(|v| v * x[1]);
    let s: Result<Vec<f64>, Fault> = x.iter().map(|v| root(*v + 3.0)).collect();
    Ok(r? + s?.iter().sum::<f64>())
}

#[test]
fn written_types_has_its_derivative() {
    compare(
        |x| written_types(x).value(),
        |x| written_types_grad(x).outcome(),
    );
}

#[gradient]
fn for_try(x: &[f64]) -> Result<f64, Fault> {
    let mut s = 0.0;
    for v in x {
        let r = match root(*v) {
            Ok(r) => r,
            Err(Fault::Negative(n)) if n > -1.0 => continue,
            Err(e) => return Err(e),
        };
        s += r * r * r;
    }
    Ok(s)
}

#[test]
fn for_try_has_its_derivative() {
    compare(|x| for_try(x).value(), |x| for_try_grad(x).outcome());
}

#[gradient]
fn match_opt_guard(x: &[f64]) -> f64 {
    match (logo(x[0]), x.get(1)) {
        (Some(a), Some(b)) if a > 0.0 => a * b,
        (Some(a), _) => a,
        (None, Some(b)) => b * 2.0,
        _ => 0.0,
    }
}

#[test]
fn match_opt_guard_has_its_derivative() {
    compare(
        |x| match_opt_guard(x).value(),
        |x| match_opt_guard_grad(x).outcome(),
    );
}
