//! `?` on calls, on options, on code without derivative; conversions of errors.

use retrograde::gradient;

use super::support::check;
use super::{Fault, Wrapped, root};

#[gradient]
fn product(x: f64, y: f64) -> Result<f64, Wrapped> {
    let a = root(x)?;
    if y > 5.0 {
        Err(Fault::Small)?
    }
    let b = root(y)? * root(a)?;
    Ok(a * b + root(x * y)?)
}

#[test]
fn the_error_is_converted_and_the_value_differentiated() {
    for p in [[4.0, 3.0], [0.25, 0.5], [2.0, 4.5]] {
        check(
            |p| product(p[0], p[1]).unwrap(),
            |p| product_grad(p[0], p[1]).unwrap(),
            &[&p],
        );
    }
    assert_eq!(
        product_grad(-4.0, 3.0),
        Err(Wrapped("Negative(-4.0)".to_owned()))
    );
    assert_eq!(
        product_grad(4.0, -3.0),
        Err(Wrapped("Negative(-3.0)".to_owned()))
    );
    assert_eq!(product_grad(4.0, 6.0), Err(Wrapped("Small".to_owned())));
}

#[gradient]
fn valid(x: f64) -> Result<(), Fault> {
    if x.is_nan() {
        Err(Fault::Small)
    } else {
        Ok(())
    }
}

#[gradient]
fn mixed(x: f64, scale: Option<f64>, text: &str) -> Result<f64, String> {
    valid(x).map_err(|e| format!("{e:?}"))?;
    let scale = scale.ok_or("no scale")?;
    let k: f64 = text.parse::<f64>().map_err(|e| e.to_string())?;
    let n = usize::try_from(k as i64).map_err(|_| String::from("negative"))?;
    let mut y = x * scale + k;
    for _ in 0..n {
        y = root(y).map_err(|e| format!("{e} after {text}"))? + x;
    }
    Ok(y)
}

#[test]
fn the_first_error_counts() {
    for (x, scale, text) in [(1.5, 2.0, "3"), (0.2, 0.7, "0"), (2.0, 1.0, "1.5")] {
        check(
            |p| mixed(p[0], Some(p[1]), text).unwrap(),
            |p| {
                let (value, (dx, dscale)) = mixed_grad(p[0], Some(p[1]), text).unwrap();
                (value, (dx, dscale.unwrap()))
            },
            &[&[x, scale]],
        );
    }
    assert_eq!(mixed_grad(f64::NAN, None, "?"), Err("Small".to_owned()));
    assert_eq!(mixed_grad(1.0, None, "?"), Err("no scale".to_owned()));
    assert_eq!(
        mixed_grad(1.0, Some(1.0), "?"),
        mixed(1.0, Some(1.0), "?").map(|_| unreachable!())
    );
    assert_eq!(mixed_grad(1.0, Some(1.0), "-2"), Err("negative".to_owned()));
    assert_eq!(
        mixed_grad(-5.0, Some(1.0), "2"),
        Err("Negative(-3.0) after 2".to_owned())
    );
}

/// In conditions, arguments, indices, the bounds of loops, inside of other `?`.
#[gradient]
fn anywhere(x: &[f64], i: Option<usize>) -> Result<f64, Fault> {
    let mut sum = 0.0;
    for k in 0..i.ok_or(Fault::Small)? {
        if root(x[k])? > 2.0 && root(x[k] - 1.0)? > 1.0 {
            sum += root(root(x[k])?)?;
        } else {
            sum -= x[i.ok_or_else(|| Fault::Small)?] * root(x[k])?;
        }
        while root(sum.abs() + 1.0)? > 3.0 {
            sum *= 0.5;
        }
    }
    Ok(sum)
}

#[test]
fn anywhere_in_an_expression() {
    let points: [&[f64]; 3] = [
        &[1.0, 9.0, 2.0, 3.0],
        &[4.5, 30.0, 1.5, 40.0],
        &[0.5, 0.25, 0.75, 1.0],
    ];
    for p in points {
        for i in [0, 1, 3] {
            check(
                |p| anywhere(p, Some(i)).unwrap(),
                |p| anywhere_grad(p, Some(i)).unwrap(),
                &[p],
            );
        }
    }
    assert_eq!(anywhere_grad(&[1.0], None), Err(Fault::Small));
    assert_eq!(
        anywhere_grad(&[4.5, 0.0, -1.0], Some(2)).unwrap_err(),
        Fault::Text("zero: 0".to_owned())
    );
}

/// An error before anything else happens, after a loop, and in the last of its iterations.
#[gradient]
fn late(x: f64, fails_at: usize) -> Result<f64, usize> {
    if fails_at == 0 {
        return Err(0);
    }
    let mut y = x;
    for k in 1..4 {
        y = y * x + 1.0;
        if k == fails_at {
            return Err(k);
        }
    }
    if fails_at == 4 { Err(4) } else { Ok(y * y) }
}

#[test]
fn errors_at_any_moment() {
    for fails_at in 0..5 {
        assert_eq!(late_grad(1.5, fails_at), Err(fails_at));
    }
    check(
        |p| late(p[0], 9).unwrap(),
        |p| late_grad(p[0], 9).unwrap(),
        &[&[1.5]],
    );
}

/// What can neither be copied nor differentiated, made and read by plain functions.
struct Table {
    rows: Vec<f64>,
}

fn read(text: &str) -> Result<Table, String> {
    let rows: Result<Vec<f64>, _> = text
        .split(',')
        .map(|row| row.trim().parse::<f64>())
        .collect();
    Ok(Table {
        rows: rows.map_err(|e| e.to_string())?,
    })
}

fn first(table: &Table) -> Option<usize> {
    table.rows.iter().position(|row| *row > 1.0)
}

#[gradient]
fn weighted(x: f64, text: &str) -> Result<f64, String> {
    let table = read(text)?;
    let at = first(&table).ok_or("none")?;
    let n: u8 = text
        .trim()
        .len()
        .try_into()
        .map_err(|_| "long".to_owned())?;
    Ok(x * at as f64 + x * x * n as f64)
}

#[test]
fn values_without_derivative_move() {
    assert_eq!(weighted_grad(2.0, "0.5, 3").unwrap(), (26.0, 1.0 + 24.0));
    assert_eq!(weighted_grad(2.0, "0.5, 0.25").unwrap_err(), "none");
    assert_eq!(
        weighted_grad(2.0, "x").unwrap_err(),
        "invalid float literal"
    );
}
