//! Methods of options and results, as a chain of them, and errors of all kinds.

use retrograde::gradient;

use super::outcomes::{Fault, Of, Taken, adjoint, compare, logo, root};

#[gradient]
fn ok_or(x: &[f64]) -> Result<f64, Fault> {
    let a = x.first().ok_or(Fault::Missing)?;
    let b = x.get(2).ok_or_else(|| Fault::Other("b".into()))?;
    Ok(a * b)
}

#[test]
fn ok_or_has_its_derivative() {
    compare(|x| ok_or(x).value(), |x| ok_or_grad(x).outcome());
}

#[gradient]
fn opt_map(x: &[f64]) -> f64 {
    x.first().map(|v| v * v).unwrap_or(0.0) + x.get(9).map(|v| v * 2.0).unwrap_or_default()
}

#[test]
fn opt_map_has_its_derivative() {
    compare(|x| opt_map(x).value(), |x| opt_map_grad(x).outcome());
}

#[gradient]
fn map_err_q(x: &[f64]) -> Result<f64, String> {
    let a = root(x[0]).map_err(|e| format!("{e:?}"))?;
    Ok(a * x[1])
}

#[test]
fn map_err_q_has_its_derivative() {
    compare(|x| map_err_q(x).value(), |x| map_err_q_grad(x).outcome());
}

#[gradient]
fn res_and_then(x: &[f64]) -> Result<f64, Fault> {
    root(x[0]).and_then(|r| root(r + x[1]))
}

#[test]
fn res_and_then_has_its_derivative() {
    compare(
        |x| res_and_then(x).value(),
        |x| res_and_then_grad(x).outcome(),
    );
}

#[gradient]
fn res_and_then_q(x: &[f64]) -> Result<f64, Fault> {
    let y = root(x[0]).and_then(|r| root(r + x[1]))?;
    Ok(y * x[2])
}

#[test]
fn res_and_then_q_has_its_derivative() {
    compare(
        |x| res_and_then_q(x).value(),
        |x| res_and_then_q_grad(x).outcome(),
    );
}

#[gradient]
fn res_map(x: &[f64]) -> Result<f64, Fault> {
    root(x[0]).map(|r| r * x[1])
}

#[test]
fn res_map_has_its_derivative() {
    compare(|x| res_map(x).value(), |x| res_map_grad(x).outcome());
}

#[gradient]
fn unwrap_or_else(x: &[f64]) -> f64 {
    logo(x[0]).unwrap_or_else(|| x[1] * 2.0) + root(x[2]).unwrap_or_else(|_| x[3])
}

#[test]
fn unwrap_or_else_has_its_derivative() {
    compare(
        |x| unwrap_or_else(x).value(),
        |x| unwrap_or_else_grad(x).outcome(),
    );
}

#[gradient]
fn unwrap_or_default(x: &[f64]) -> f64 {
    logo(x[0]).unwrap_or_default() + root(x[2]).unwrap_or_default() * x[3]
}

#[test]
fn unwrap_or_default_has_its_derivative() {
    compare(
        |x| unwrap_or_default(x).value(),
        |x| unwrap_or_default_grad(x).outcome(),
    );
}

#[gradient]
fn map_or(x: &[f64]) -> f64 {
    logo(x[0]).map_or(x[1], |v| v * x[2])
        + x.get(3).map_or(0.0, |v| v * v)
        + x.get(8).map_or_else(|| x[5], |v| v * v)
}

#[test]
fn map_or_has_its_derivative() {
    compare(|x| map_or(x).value(), |x| map_or_grad(x).outcome());
}

#[gradient]
fn res_map_or(x: &[f64]) -> f64 {
    root(x[0]).map_or(x[1], |v| v * x[2]) + root(x[2]).map_or_else(|_| x[3], |v| v * x[4])
}

#[test]
fn res_map_or_has_its_derivative() {
    compare(|x| res_map_or(x).value(), |x| res_map_or_grad(x).outcome());
}

#[gradient]
fn opt_zip(x: &[f64]) -> Option<f64> {
    let (a, b) = x.first().zip(x.last())?;
    Some(a * b)
}

#[test]
fn opt_zip_has_its_derivative() {
    compare(|x| opt_zip(x).value(), |x| adjoint(opt_zip_adjoint, x));
}

#[gradient]
fn opt_filter(x: &[f64]) -> f64 {
    x.first().filter(|v| **v > 0.0).map_or(x[1], |v| v * x[2])
        + logo(x[3]).filter(|v| *v > 0.1).unwrap_or(x[5])
}

#[test]
fn opt_filter_has_its_derivative() {
    compare(|x| opt_filter(x).value(), |x| opt_filter_grad(x).outcome());
}

#[gradient]
fn is_some_and(x: &[f64]) -> f64 {
    let a = if x.first().is_some_and(|v| *v > 0.0) {
        x[0] * x[1]
    } else {
        x[1]
    };
    a + if logo(x[2]).is_some_and(|v| v > 0.2) {
        x[3]
    } else {
        x[4] * x[4]
    }
}

#[test]
fn is_some_and_has_its_derivative() {
    compare(
        |x| is_some_and(x).value(),
        |x| is_some_and_grad(x).outcome(),
    );
}

#[gradient]
fn let_else_some(x: &[f64]) -> f64 {
    let Some(a) = x.first() else { return 0.0 };
    let Some(b) = logo(x[1]) else { return a * 2.0 };
    let Some(&c) = x.get(3) else { return 1.0 };
    a * b * c
}

#[test]
fn let_else_some_has_its_derivative() {
    compare(
        |x| let_else_some(x).value(),
        |x| let_else_some_grad(x).outcome(),
    );
}

#[gradient]
fn let_else_ok(x: &[f64]) -> f64 {
    let Ok(a) = root(x[0]) else { return x[1] };
    a * x[2]
}

#[test]
fn let_else_ok_has_its_derivative() {
    compare(
        |x| let_else_ok(x).value(),
        |x| let_else_ok_grad(x).outcome(),
    );
}

#[gradient]
fn if_let_chain_else(x: &[f64]) -> f64 {
    if let Some(a) = logo(x[0]) {
        a
    } else if let Ok(b) = root(x[1]) {
        b * 2.0
    } else if let Some(c) = x.get(2) {
        c * 3.0
    } else {
        0.0
    }
}

#[test]
fn if_let_chain_else_has_its_derivative() {
    compare(
        |x| if_let_chain_else(x).value(),
        |x| if_let_chain_else_grad(x).outcome(),
    );
}

#[gradient]
fn question_opt(x: &[f64]) -> Option<f64> {
    let a = logo(x[0])?;
    let b = x.get(1)?;
    let c = x.get(2).copied()?;
    Some(a * b * c)
}

#[test]
fn question_opt_has_its_derivative() {
    compare(
        |x| question_opt(x).value(),
        |x| adjoint(question_opt_adjoint, x),
    );
}

#[gradient]
fn or_else(x: &[f64]) -> Result<f64, Fault> {
    root(x[0])
        .or_else(|_| root(x[1]))
        .or_else(|e| if x[2] > 0.0 { Ok(x[2] * 2.0) } else { Err(e) })
}

#[test]
fn or_else_has_its_derivative() {
    compare(|x| or_else(x).value(), |x| or_else_grad(x).outcome());
}

#[gradient]
fn and_then_block(x: &[f64]) -> Result<f64, Fault> {
    root(x[0])
        .and_then(|a| {
            let b = root(x[1] + a)?;
            if b > 10.0 {
                return Err(Fault::Missing);
            }
            Ok(a * b)
        })
        .map(|v| v * x[2])
}

#[test]
fn and_then_block_has_its_derivative() {
    compare(
        |x| and_then_block(x).value(),
        |x| and_then_block_grad(x).outcome(),
    );
}

#[gradient]
fn ok_map(x: &[f64]) -> f64 {
    root(x[0]).ok().map(|v| v * x[1]).unwrap_or(0.0)
        + root(x[2]).map(|v| v * 2.0).unwrap_or(x[3])
        + root(x[4]).ok().filter(|v| *v > 0.5).unwrap_or_default()
        + logo(x[5]).and_then(|v| logo(v + 1.0)).unwrap_or(0.5)
}

#[test]
fn ok_map_has_its_derivative() {
    compare(|x| ok_map(x).value(), |x| ok_map_grad(x).outcome());
}

#[gradient]
fn map_question_opt(x: &[f64]) -> f64 {
    x.first()
        .and_then(|a| {
            let b = x.get(1)?;
            if *b < 0.0 {
                return None;
            }
            Some(a * b)
        })
        .unwrap_or(x[2])
}

#[test]
fn map_question_opt_has_its_derivative() {
    compare(
        |x| map_question_opt(x).value(),
        |x| map_question_opt_grad(x).outcome(),
    );
}

#[gradient]
fn no_err_leak(x: &[f64]) -> Result<f64, Fault> {
    let a = root(x[0]).or_else(|_| Ok::<f64, Fault>(x[1] * x[1]))?;
    let b = root(x[2]).unwrap_or(0.5);
    let c = match root(x[3]) {
        Ok(c) => c,
        Err(_) => 1.0,
    };
    Ok(a * b * c)
}

#[test]
fn no_err_leak_has_its_derivative() {
    compare(
        |x| no_err_leak(x).value(),
        |x| no_err_leak_grad(x).outcome(),
    );
}

#[gradient]
fn errors_of_text(x: &[f64]) -> Result<f64, String> {
    if x[0] < 0.0 {
        return Err(format!("negative {} {:?}", x[0], x));
    }
    let a = root(x[1]).map_err(|e| format!("{e} {}", x[1]))?;
    Ok(a * x[0])
}

#[test]
fn errors_of_text_has_its_derivative() {
    compare(
        |x| errors_of_text(x).value(),
        |x| errors_of_text_grad(x).outcome(),
    );
}

#[gradient]
fn errors_of_numbers(x: &[f64]) -> Result<f64, String> {
    let y = x[0] * 2.0;
    if y < 0.0 {
        return Err(y.to_string());
    }
    let a = x
        .get(1)
        .filter(|v| **v > 0.0)
        .ok_or_else(|| format!("no {}", y))?;
    Ok(a * y)
}

#[test]
fn errors_of_numbers_has_its_derivative() {
    compare(
        |x| errors_of_numbers(x).value(),
        |x| errors_of_numbers_grad(x).outcome(),
    );
}

#[gradient]
fn box_dyn(x: &[f64]) -> Result<f64, Box<dyn std::error::Error>> {
    if x[0] < 0.0 {
        return Err("negative".into());
    }
    let r = root(x[1])?;
    if x[2] < 0.0 {
        return Err(Box::new(Fault::Missing));
    }
    let n: usize = "3".parse()?;
    Ok(r * x[0] * n as f64)
}

#[test]
fn box_dyn_has_its_derivative() {
    compare(|x| box_dyn(x).value(), |x| box_dyn_grad(x).outcome());
}

#[gradient]
fn box_dyn_send(x: &[f64]) -> Result<f64, Box<dyn std::error::Error + Send + Sync>> {
    if x[0] < 0.0 {
        Err(format!("negative {}", x[0]))?
    }
    Ok(x[0].sqrt())
}

#[test]
fn box_dyn_send_has_its_derivative() {
    compare(
        |x| box_dyn_send(x).value(),
        |x| box_dyn_send_grad(x).outcome(),
    );
}
