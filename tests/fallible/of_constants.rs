//! A `Result` into which nothing with a derivative goes, of functions that have sweeps and of such that have none.

use retrograde::gradient;

use super::outcomes::compare;

#[gradient]
fn level(high: bool) -> Result<f64, u32> {
    if high { Ok(2.0) } else { Err(3) }
}

struct Odd(String);

fn even(n: usize) -> Result<usize, Odd> {
    if n.is_multiple_of(2) {
        Ok(n)
    } else {
        Err(Odd(format!("odd {n}")))
    }
}

fn table(n: usize) -> Result<Vec<f64>, String> {
    if n < 3 {
        Ok(vec![0.5; n + 1])
    } else {
        Err("too long".to_owned())
    }
}

#[gradient]
fn of_constants(x: &[f64], n: usize) -> f64 {
    let mut scale: Option<f64> = level(n > 2).ok();
    if let Some(s) = scale {
        scale = Some(s * x[0]);
    }
    let offset = level(n == 1).ok().unwrap_or(x[1]);
    let base = level(n == 0).unwrap_or(0.5);
    let half = even(n + 1).ok().map_or(x[0], |k| k as f64 * x[1]);
    let length = even(n).map_or_else(|odd| odd.0.len(), |k| k + 1);
    let twice = even(n).map_err(|odd| odd.0.len()).unwrap_or_else(|k| k * 2);
    let large = even(n).is_ok_and(|k| k > 2);
    let rows = table(n).unwrap_or_default();
    let total = table(n).map(|t| t.iter().sum::<f64>()).unwrap_or(2.0);
    let first = if let Ok(t) = table(n) { t[0] } else { 2.5 };
    scale.unwrap_or(x[0] * x[1]) * offset
        + base * x[1]
        + half
        + length as f64 * x[0] * x[0]
        + twice as f64 * x[1]
        + if large { x[0] } else { 0.0 }
        + rows.iter().map(|r| r * x[0]).sum::<f64>()
        + total * x[0] * x[1]
        + first * x[1]
}

#[test]
fn of_constants_has_its_derivative() {
    for n in 0..6 {
        compare(
            |x| Some(of_constants(x, n)),
            |x| Some(of_constants_grad(x, n)),
        );
    }
}
