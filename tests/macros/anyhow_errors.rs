//! `bail!`, `ensure!`, `anyhow!` and `context`.

use anyhow::{Context, Result, anyhow, bail, ensure};
use retrograde::gradient;

use super::outcomes::{Fault, Of, Taken, adjoint, compare, logo, root};

#[gradient]
fn with_contexts(x: &[f64]) -> anyhow::Result<f64> {
    use anyhow::Context;
    let r = root(x[1]).context("root")?;
    let s = root(x[2]).with_context(|| format!("root {}", x[2]))?;
    let f = x.first().context("none")?;
    Ok(r * s * f)
}

#[test]
fn with_contexts_has_its_derivative() {
    compare(
        |x| with_contexts(x).value(),
        |x| with_contexts_grad(x).outcome(),
    );
}

#[gradient]
fn by_path(x: &[f64]) -> anyhow::Result<f64> {
    if x[0] < 0.0 {
        anyhow::bail!("negative {}", x[0]);
    }
    anyhow::ensure!(x[1] > 0.0, "x1 is {}", x[1]);
    if x[2] < 0.0 {
        return Err(anyhow::anyhow!("no"));
    }
    Ok(x[0].sqrt() * x[1].ln())
}

#[test]
fn by_path_has_its_derivative() {
    compare(|x| by_path(x).value(), |x| by_path_grad(x).outcome());
}

#[gradient]
fn by_name(x: &[f64]) -> Result<f64> {
    if x[0] < 0.0 {
        bail!("negative {}", x[0])
    }
    ensure!(x[1] > 0.0);
    let v = x.get(2).ok_or_else(|| anyhow!("missing {}", 2))?;
    ensure!(*v > 0.0, Fault::Missing);
    Ok(x[0].sqrt() * x[1].ln() * v)
}

#[test]
fn by_name_has_its_derivative() {
    compare(|x| by_name(x).value(), |x| by_name_grad(x).outcome());
}

#[gradient]
fn spelled(x: &[f64]) -> anyhow::Result<f64> {
    anyhow::ensure!(x[0] > 0.0);
    anyhow::ensure!(x.len() == 6 && x[1] < 2.0);
    let t = x[2];
    anyhow::ensure!(t > 0.0);
    Ok(x[0] * t)
}
#[test]
fn errors_spell_the_condition() {
    for x in [
        [-1.0f64, 0., 0., 0., 0., 0.],
        [1.0, 3.0, 0., 0., 0., 0.],
        [1., 1., -3., 0., 0., 0.],
    ] {
        assert_eq!(
            spelled(&x).unwrap_err().to_string(),
            spelled_grad(&x).unwrap_err().to_string()
        );
    }
}

#[test]
fn spelled_has_its_derivative() {
    compare(|x| spelled(x).value(), |x| spelled_grad(x).outcome());
}

#[gradient]
fn in_arms(x: &[f64]) -> anyhow::Result<f64> {
    let v = match x.first() {
        Some(v) if *v > 0.0 => *v,
        Some(v) => bail!("bad {v}"),
        None => bail!("none"),
    };
    let s: f64 = x[1..]
        .iter()
        .map(|a| root(a.abs()).context("root"))
        .sum::<anyhow::Result<f64>>()?;
    let g = |t: f64| -> anyhow::Result<f64> {
        anyhow::ensure!(t < 100.0, "large");
        Ok(t * t)
    };
    Ok(v * s + g(x[2])?)
}

#[test]
fn in_arms_has_its_derivative() {
    compare(|x| in_arms(x).value(), |x| in_arms_grad(x).outcome());
}
