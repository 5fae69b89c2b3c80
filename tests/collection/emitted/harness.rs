//! Compares a gradient with differences, at several points.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// A name that crates without std have, too.
pub type Text = String;

/// `numbers`: how many there are; `single`: whether one of them is an `f32`; `given`: a point that suits, or nothing.
pub fn run(
    numbers: usize,
    single: bool,
    given: &[f64],
    f: impl Fn(&[f64]) -> f64,
    gradient: impl Fn(&[f64]) -> (f64, Vec<f64>),
) -> String {
    std::panic::set_hook(Box::new(|_| {}));
    let points: Vec<Vec<f64>> = if given.is_empty() {
        let point = |scale: f64| (0..numbers).map(|k| scale * (0.31 + 0.17 * k as f64)).collect();
        [1.0, 1.9, 0.45].map(point).into()
    } else {
        [1.0, 1.003, 0.998].iter().map(|scale| given.iter().map(|x| scale * x).collect()).collect()
    };
    let f = |x: &[f64]| catch_unwind(AssertUnwindSafe(|| f(x))).ok().filter(|y| y.is_finite());
    let mut agree = 0;
    for x in &points {
        // Outside of the function's domain there is nothing to compare.
        let Some(value) = f(x) else { continue };
        match catch_unwind(AssertUnwindSafe(|| gradient(x))) {
            Ok((other, _)) if other.to_bits() != value.to_bits() => {
                return format!("differ at {x:?}: value {other:e} beside the gradient, {value:e} alone");
            }
            Ok((_, gradient)) => match compare(&f, x, value, &gradient, single) {
                Some(Ok(())) => agree += 1,
                Some(Err(why)) => return format!("differ at {x:?}: {why}"),
                None => {}
            },
            Err(_) => return format!("differ at {x:?}: the gradient panics, the function does not"),
        }
    }
    format!("agree {agree}")
}

/// Each entry with central differences of several steps; `None`: a step leaves the domain.
fn compare(
    f: &impl Fn(&[f64]) -> Option<f64>,
    x: &[f64],
    value: f64,
    gradient: &[f64],
    single: bool,
) -> Option<Result<(), String>> {
    if gradient.len() != x.len() {
        return Some(Err(format!("{} entries of {}", gradient.len(), x.len())));
    }
    let (steps, tolerance, rounding) = if single {
        ([1e-1, 3e-2, 1e-2], 3e-2, f64::from(f32::EPSILON))
    } else {
        ([1e-3, 1e-5, 1e-6], 1e-5, f64::EPSILON)
    };
    for (k, entry) in gradient.iter().enumerate() {
        let (mut agrees, mut nearest) = (false, f64::NAN);
        for step in steps {
            let h = step * x[k].abs().max(0.1);
            let at = |d: f64| {
                let mut x = x.to_vec();
                x[k] += d;
                f(&x)
            };
            let slope = (at(h)? - at(-h)?) / (2.0 * h);
            // What rounding in the function can do to the quotient.
            let noise = 16.0 * rounding * value.abs().max(1.0) / h;
            agrees |= (entry - slope).abs() <= tolerance * entry.abs().max(slope.abs()).max(1e-6) + noise;
            if !((entry - nearest).abs() < (entry - slope).abs()) {
                nearest = slope;
            }
        }
        if !agrees {
            return Some(Err(format!("entry {k} is {entry:e}, the difference quotient {nearest:e}")));
        }
    }
    Some(Ok(()))
}
