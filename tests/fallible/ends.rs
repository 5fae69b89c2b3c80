//! Ends of chains that may fail: `try_fold`, `try_for_each`, `collect`, `sum`, `product`.

use retrograde::{Differentiable, Record, gradient};

use super::outcomes::{Fault, Of, Taken, adjoint, compare, logo, root};

#[gradient]
fn try_fold_q(x: &[f64]) -> Result<f64, Fault> {
    x.iter().try_fold(0.0, |acc, &v| {
        let r = root(v)?;
        Ok(acc + r)
    })
}

#[test]
fn try_fold_q_has_its_derivative() {
    compare(|x| try_fold_q(x).value(), |x| try_fold_q_grad(x).outcome());
}

#[gradient]
fn try_fold_opt(x: &[f64]) -> Option<f64> {
    x.iter().try_fold(1.0, |acc, v| Some(acc * logo(*v)?))
}

#[test]
fn try_fold_opt_has_its_derivative() {
    compare(
        |x| try_fold_opt(x).value(),
        |x| adjoint(try_fold_opt_adjoint, x),
    );
}

#[gradient]
fn try_fold_res2(x: &[f64]) -> Result<f64, Fault> {
    let s = x.iter().try_fold(0.0, |acc, v| {
        if *v < 0.0 {
            Err(Fault::Negative(*v))
        } else {
            Ok(acc + v.sqrt())
        }
    })?;
    Ok(s * x[0])
}

#[test]
fn try_fold_res2_has_its_derivative() {
    compare(
        |x| try_fold_res2(x).value(),
        |x| try_fold_res2_grad(x).outcome(),
    );
}

#[gradient]
fn collect_opt(x: &[f64]) -> Option<f64> {
    let v: Option<Vec<f64>> = x.iter().map(|a| logo(*a)).collect();
    let v = v?;
    Some(v.iter().sum())
}

#[test]
fn collect_opt_has_its_derivative() {
    compare(
        |x| collect_opt(x).value(),
        |x| adjoint(collect_opt_adjoint, x),
    );
}

#[gradient]
fn collect_res(x: &[f64]) -> Result<f64, Fault> {
    let v: Vec<f64> = x.iter().map(|&a| root(a)).collect::<Result<Vec<_>, _>>()?;
    Ok(v.iter().map(|r| r * r * r).sum())
}

#[test]
fn collect_res_has_its_derivative() {
    compare(
        |x| collect_res(x).value(),
        |x| collect_res_grad(x).outcome(),
    );
}

#[gradient]
fn collect_res2(x: &[f64]) -> Result<f64, Fault> {
    let v = x
        .iter()
        .map(|&a| root(a))
        .collect::<Result<Vec<f64>, Fault>>()?;
    Ok(v[0] * v[1])
}

#[test]
fn collect_res2_has_its_derivative() {
    compare(
        |x| collect_res2(x).value(),
        |x| collect_res2_grad(x).outcome(),
    );
}

#[gradient]
fn sum_opt(x: &[f64]) -> Option<f64> {
    let s: Option<f64> = x.iter().map(|a| logo(*a)).sum();
    s
}

#[test]
fn sum_opt_has_its_derivative() {
    compare(|x| sum_opt(x).value(), |x| adjoint(sum_opt_adjoint, x));
}

#[gradient]
fn sum_res(x: &[f64]) -> Result<f64, Fault> {
    x.iter().map(|a| root(*a)).sum()
}

#[test]
fn sum_res_has_its_derivative() {
    compare(|x| sum_res(x).value(), |x| sum_res_grad(x).outcome());
}

#[gradient]
fn sum_res_q(x: &[f64]) -> Result<f64, Fault> {
    let s: f64 = x.iter().map(|a| root(*a)).sum::<Result<f64, _>>()?;
    Ok(s * s)
}

#[test]
fn sum_res_q_has_its_derivative() {
    compare(|x| sum_res_q(x).value(), |x| sum_res_q_grad(x).outcome());
}

#[gradient]
fn tryfold_outer_err(x: &[f64]) -> Result<f64, String> {
    let s = x
        .iter()
        .enumerate()
        .try_fold(0.0, |acc, (k, v)| -> Result<f64, String> {
            if *v < 0.0 {
                return Err(format!("{k}: {v}"));
            }
            Ok(acc * 0.5 + v.sqrt())
        })?;
    Ok(s * s)
}

#[test]
fn tryfold_outer_err_has_its_derivative() {
    compare(
        |x| tryfold_outer_err(x).value(),
        |x| tryfold_outer_err_grad(x).outcome(),
    );
}

#[derive(Debug)]
pub struct Wrapped(Fault);
impl From<Fault> for Wrapped {
    fn from(f: Fault) -> Self {
        Wrapped(f)
    }
}
#[gradient]
fn tryfold_conv(x: &[f64]) -> Result<f64, Wrapped> {
    let s = x
        .iter()
        .try_fold(1.0, |acc, v| Ok::<f64, Fault>(acc * root(*v)?))?;
    let t: f64 = x.iter().map(|v| root(*v)).sum::<Result<f64, Fault>>()?;
    Ok(s + t)
}

#[test]
fn tryfold_conv_has_its_derivative() {
    compare(
        |x| tryfold_conv(x).value(),
        |x| tryfold_conv_grad(x).outcome(),
    );
}

#[gradient]
fn product(x: &[f64]) -> Option<f64> {
    let p: f64 = x
        .iter()
        .map(|v| if *v != 1.25 { Some(v * 2.0) } else { None })
        .product::<Option<f64>>()?;
    let v: Option<Vec<f64>> = x.iter().skip(1).map(|v| logo(v.abs())).collect();
    let v = v?;
    Some(p + v[0] * v[1])
}

#[test]
fn product_has_its_derivative() {
    compare(|x| product(x).value(), |x| adjoint(product_adjoint, x));
}

#[gradient]
fn r_tail_helper(x: &[f64]) -> Option<Vec<f64>> {
    x.iter().map(|v| logo(*v)).collect()
}
#[gradient]
fn tail_collect(x: &[f64]) -> Option<f64> {
    let v = r_tail_helper(x)?;
    Some(v[0] * v[3])
}

#[test]
fn tail_collect_has_its_derivative() {
    compare(
        |x| tail_collect(x).value(),
        |x| adjoint(tail_collect_adjoint, x),
    );
}

#[gradient]
fn filter_map_q(x: &[f64]) -> f64 {
    x.iter()
        .filter_map(|v| {
            let a = logo(*v)?;
            let b = logo(a.abs())?;
            Some(a * b)
        })
        .sum()
}

#[test]
fn filter_map_q_has_its_derivative() {
    compare(
        |x| filter_map_q(x).value(),
        |x| filter_map_q_grad(x).outcome(),
    );
}

#[gradient]
fn try_for_each(x: &[f64]) -> Result<f64, Fault> {
    let mut s = 0.0;
    x.iter().try_for_each(|v| {
        s += root(*v)?;
        Ok(())
    })?;
    Ok(s)
}

#[test]
fn try_for_each_has_its_derivative() {
    compare(
        |x| try_for_each(x).value(),
        |x| try_for_each_grad(x).outcome(),
    );
}

#[gradient]
fn q_in_map(x: &[f64]) -> Result<f64, Fault> {
    let v = x
        .iter()
        .map(|&a| {
            let r = root(a)?;
            Ok(r * 2.0)
        })
        .collect::<Result<Vec<f64>, Fault>>()?;
    Ok(v.iter().sum())
}

#[test]
fn q_in_map_has_its_derivative() {
    compare(|x| q_in_map(x).value(), |x| q_in_map_grad(x).outcome());
}

// The fields of an own type, whose types only rustc knows.

#[derive(Clone, Copy, Differentiable, Record)]
struct Sample {
    at: f64,
    height: f64,
}

/// What is found decides alone.
#[gradient]
fn decided_by_fields(samples: &[Sample], by: f64) -> Result<f64, u32> {
    let top = samples.iter().map(|s| s.height).reduce(|a, b| a.max(b));
    let low = samples
        .iter()
        .map(|s| s.height)
        .min_by(|a, b| a.partial_cmp(b).unwrap());
    let far = samples
        .iter()
        .map(|s| s.at)
        .max_by(|a, b| a.abs().total_cmp(&b.abs()));
    let (Some(top), Some(low), Some(far)) = (top, low, far) else {
        return Err(7);
    };
    if far > samples[0].height {
        Ok(samples[0].at * by)
    } else if top + low > samples[1].at {
        Ok(samples[1].at * by * by)
    } else {
        Err(8)
    }
}

#[gradient]
fn decided(x: &[f64]) -> Result<f64, u32> {
    let samples: Vec<Sample> = (0..x.len() - 1)
        .map(|i| Sample {
            at: x[i],
            height: x[i + 1] * x[i],
        })
        .collect();
    decided_by_fields(&samples, x[2])
}

#[test]
fn what_is_found_in_fields_decides() {
    compare(|x| decided(x).value(), |x| decided_grad(x).outcome());
}
