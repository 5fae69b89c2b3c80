//! Methods that change an option, and those that make one of a `bool`.

use super::support::checked_by_name;
use retrograde::{Differentiable, Record, gradient};

const POINTS: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[-0.2, 0.9, 0.3, 1.7],
    &[1.6, 0.5, -0.8, -0.3],
];

#[gradient]
fn taken(x: &[f64]) -> f64 {
    let mut last: Option<f64> = None;
    let mut s = 0.0;
    for v in x {
        if let Some(l) = last.take() {
            s += (v - l) * (v - l) * v;
        }
        last = Some(*v);
    }
    s + last.take().unwrap_or(3.0) * last.unwrap_or(0.5)
}

#[gradient]
fn replaced(x: &[f64]) -> f64 {
    let mut last = None;
    let mut s = 0.0;
    for &v in x {
        if let Some(l) = last.replace(v * v) {
            s += v * l;
        }
        let old = last.replace(v.sin());
        s -= old.map_or(1.0, |o| o * 0.5);
    }
    s
}

#[gradient]
fn inserted(x: &[f64]) -> f64 {
    let mut cache: Option<f64> = None;
    let a = *cache.get_or_insert(x[0] * x[1]);
    let b = *cache.get_or_insert_with(|| x[2]);
    *cache.get_or_insert(7.0) *= x[3];
    let c = cache.unwrap_or(0.0);
    *cache.insert(x[2] + 1.0) += x[0];
    let d = cache.take().unwrap_or(0.0);
    let e = *cache.get_or_insert_with(|| x[3] * x[3]);
    a * b + c * d + e
}

/// The new value is made of the old one.
#[gradient]
fn of_itself(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    let old = o.replace(o.map_or(0.0, |v| v * x[1]));
    let both = [Some(x[2]), None];
    let mut both = both;
    let i = usize::from(x[3] > 0.0);
    let part = both[i].take().unwrap_or(x[3]);
    old.unwrap_or(0.0) * o.unwrap_or(0.0) + part * both[0].map_or(2.0, |v| v * v)
}

#[derive(Clone, Differentiable, Record)]
struct Filter {
    state: Option<f64>,
    gain: f64,
}

#[gradient]
impl Filter {
    fn step(&mut self, v: f64) -> f64 {
        let y = match self.state.take() {
            Some(s) => s + self.gain * (v - s),
            None => v,
        };
        self.state = Some(y);
        y
    }
}

#[gradient]
fn fields(x: &[f64]) -> f64 {
    let mut f = Filter {
        state: None,
        gain: x[3],
    };
    let mut s = 0.0;
    for v in x {
        s = s * 0.5 + f.step(*v);
    }
    s
}

#[gradient]
fn behind_a_reference(x: &[f64]) -> f64 {
    let mut o = Some(x[0] * x[0]);
    let first = drained(&mut o, x[1]);
    let second = drained(&mut o, x[2]);
    first * second + o.unwrap_or(x[3])
}

#[gradient]
fn drained(o: &mut Option<f64>, otherwise: f64) -> f64 {
    o.take().unwrap_or(otherwise) * 2.0
}

#[gradient]
fn of_a_condition(x: &[f64]) -> f64 {
    let gain = (x[0] > 0.5).then_some(x[1] * 2.0);
    let root = (x[2] > 0.0).then(|| x[2].sqrt() * x[0]);
    let both = (x[0] > 0.0 && x[3] > 0.0).then(|| (x[0] * x[3], 2.0));
    let k = match both {
        Some((p, k)) => p * k,
        None => x[3],
    };
    gain.unwrap_or(x[2]) * x[3] + root.unwrap_or_default() + k
}

#[gradient]
fn half(x: f64, y: f64) -> Option<f64> {
    (x > 0.0).then(|| x.ln() * y)
}

#[gradient]
fn parsed(x: &[f64]) -> Result<f64, String> {
    let root = (x[1] > 0.0)
        .then_some(x[1].abs().sqrt())
        .ok_or("negative")?;
    let names = (x[0] > 0.0).then_some("positive").unwrap_or("other");
    Ok(root * names.len() as f64)
}

#[gradient]
fn results(x: &[f64]) -> f64 {
    let all: f64 = x.iter().filter_map(|v| (*v > 0.0).then(|| v.sqrt())).sum();
    let some: f64 = x.iter().filter_map(|v| (*v < 1.0).then_some(v * v)).sum();
    half(x[0], x[1]).unwrap_or(x[2]) + parsed(x).unwrap_or(x[3]) * all + some
}

/// The argument of `then_some` is evaluated whatever the condition is, that of `then` is not.
#[gradient]
fn evaluated(x: &[f64]) -> f64 {
    let mut n = 0.0;
    let a = (x[0] > 100.0).then_some({
        n += 1.0;
        x[1]
    });
    let b = (x[0] > 100.0).then(|| x[100]);
    a.or(b).unwrap_or(x[2]) * n
}

checked_by_name! {
    taken taken_grad
    replaced replaced_grad
    inserted inserted_grad
    of_itself of_itself_grad
    fields fields_grad
    behind_a_reference behind_a_reference_grad
    of_a_condition of_a_condition_grad
    results results_grad
    evaluated evaluated_grad
}
