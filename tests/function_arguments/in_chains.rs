//! Functions that are given on to the adapters and ends of chains, as they are.

use retrograde::gradient;

use crate::support::check;

#[gradient]
fn mapped(x: &[f64], f: impl Fn(f64) -> f64) -> Vec<f64> {
    x.iter().copied().map(f).collect()
}

#[gradient]
fn twice<F: Fn(f64) -> f64>(x: &[f64], f: F) -> f64 {
    x.iter().cloned().map(&f).sum::<f64>() * x.iter().cloned().map(&f).product::<f64>()
}

#[gradient]
fn by_pointer(x: Vec<f64>, f: fn(f64) -> f64) -> Vec<f64> {
    x.into_iter().map(f).collect()
}

#[gradient]
fn folded(x: &[f64], f: impl Fn(f64, f64) -> f64) -> f64 {
    x.iter().copied().fold(0.5, f)
}

#[gradient]
fn reversed(x: &[f64], f: &dyn Fn(f64) -> f64) -> f64 {
    x.iter().copied().map(f).rev().map(f).sum()
}

#[gradient]
fn of_references(x: &[f64], f: impl Fn(&f64) -> f64) -> f64 {
    x.iter().map(f).sum()
}

#[gradient]
fn fallible(x: &[f64], f: impl Fn(&f64) -> Result<f64, String>) -> Result<Vec<f64>, String> {
    x.iter().map(f).collect()
}

#[gradient]
fn filtered(x: &[f64], f: impl Fn(&f64) -> Option<f64>) -> f64 {
    x.iter().filter_map(f).sum()
}

#[gradient]
fn all_or_none(x: &[f64], f: impl Fn(f64) -> Option<f64>) -> Option<f64> {
    x.iter().copied().map(f).sum::<Option<f64>>()
}

#[gradient]
fn in_order(x: &[f64], mut f: impl FnMut(f64) -> f64) -> f64 {
    x.iter().copied().map(f).sum()
}

#[gradient]
fn repeated(x: &[f64], f: impl Fn(f64) -> f64, times: usize) -> Vec<f64> {
    let mut y = x.to_vec();
    for _ in 0..times {
        y = y.into_iter().map(&f).collect();
    }
    y.iter_mut().for_each(|v| *v = f(*v));
    y
}

#[gradient]
fn largest(x: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    x.iter().copied().map(f).fold(f64::NEG_INFINITY, f64::max)
}

#[gradient]
fn cube(x: f64) -> f64 {
    x * x * x
}

#[gradient]
fn of_numbers(x: &[f64]) -> f64 {
    let k = x[1];
    mapped(x, |v| v * v * k).iter().sum::<f64>()
        + twice(x, |v| v * k)
        + folded(x, |a, v| a * k + v)
        + by_pointer(x.to_vec(), cube)[1]
        + reversed(x, &|v| v * v * k)
        + of_references(x, |v: &f64| v * k)
        + in_order(x, |v| v.sin() * k)
        + repeated(x, |v| v * v * k, 2)[0]
        + largest(x, |v| v * k)
}

#[gradient]
fn of_options(x: &[f64], limit: f64) -> Result<f64, String> {
    let k = x[1];
    let all = fallible(x, |v: &f64| -> Result<f64, String> {
        if *v > limit {
            return Err(format!("{v} is too large"));
        }
        Ok(v * v * k)
    })?;
    let some = filtered(x, |v: &f64| -> Option<f64> { (*v > 0.0).then(|| v * k) });
    let sum = all_or_none(x, |v: f64| -> Option<f64> {
        if v < -1.0 {
            return None;
        }
        Some(v * k)
    });
    Ok(all[0] * some + all[1] + sum.unwrap_or(x[0]))
}

#[test]
fn functions_of_chains() {
    let points: [&[f64]; 3] = [&[0.4, 1.3], &[-0.7, 0.2], &[-1.7, 0.9, 0.3]];
    check(of_numbers, |x| of_numbers_grad(x), &points);
    check(
        |x| of_options(x, 5.0).unwrap(),
        |x| {
            let (value, (d, _)) = of_options_grad(x, 5.0).unwrap();
            (value, d)
        },
        &points,
    );
    assert_eq!(
        of_options_grad(&[0.4, 1.3], 1.0),
        Err("1.3 is too large".to_owned())
    );
}
