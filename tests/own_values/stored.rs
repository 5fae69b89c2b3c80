//! Shared references in containers, sorts of structs, and options of them.

use std::cmp::Ordering;

use retrograde::{Differentiable, Record, gradient};

use crate::outcomes::{Of, Taken, compare};

#[derive(Clone, Debug, Differentiable, Record)]
struct Sample {
    t: f64,
    v: f64,
    #[constant]
    label: String,
}

#[gradient]
fn samples(x: &[f64]) -> Vec<Sample> {
    let mut all = Vec::new();
    for (k, w) in x.windows(2).enumerate() {
        let label = format!("{}", (k * 7) % 4);
        all.push(Sample {
            t: w[0],
            v: w[1] * w[1],
            label,
        });
    }
    all
}

#[gradient]
fn area(samples: &[Sample]) -> f64 {
    let mut s = samples.to_vec();
    s.sort_by(|a, b| a.t.partial_cmp(&b.t).unwrap_or(Ordering::Equal));
    s.windows(2)
        .map(|w| 0.5 * (w[1].t - w[0].t) * (w[1].v + w[0].v))
        .sum()
}

#[gradient]
fn ranked(samples: &[Sample]) -> f64 {
    let mut s: Vec<&Sample> = samples.iter().collect();
    s.sort_by(|a, b| b.t.total_cmp(&a.t).then_with(|| a.v.total_cmp(&b.v)));
    s.iter()
        .enumerate()
        .map(|(i, p)| p.v * i as f64)
        .sum::<f64>()
        * s[0].t
}

#[gradient]
fn by_label(samples: &mut Vec<Sample>) -> f64 {
    samples.sort_by_key(|s| s.label.clone());
    samples
        .iter()
        .enumerate()
        .map(|(i, s)| s.v * i as f64)
        .sum()
}

#[gradient]
fn heaviest(samples: &[Sample]) -> f64 {
    let mut pairs: Vec<(&Sample, f64)> = Vec::new();
    for s in samples {
        pairs.push((s, s.v * s.t));
    }
    pairs.sort_by(|a, b| b.1.total_cmp(&a.1));
    pairs.iter().take(2).map(|(s, w)| s.v * w).sum()
}

#[gradient]
fn largest(samples: &[Sample]) -> f64 {
    let mut best: Option<&Sample> = None;
    for s in samples {
        match best {
            None => best = Some(s),
            Some(b) if s.v > b.v => best = Some(s),
            _ => {}
        }
    }
    best.map(|b| b.t * b.v).unwrap_or(0.0)
}

#[gradient]
fn largest_own(samples: &[Sample]) -> f64 {
    let mut best: Option<Sample> = None;
    for s in samples {
        if best.as_ref().is_none_or(|b| s.v > b.v) {
            best = Some(s.clone());
        }
    }
    match best {
        Some(b) => b.t * b.v,
        None => 0.0,
    }
}

#[gradient]
fn of_structs(x: &[f64]) -> f64 {
    let mut all = samples(x);
    let first = area(&all) + ranked(&all) + heaviest(&all) + largest(&all) + largest_own(&all);
    first * by_label(&mut all)
}

#[gradient]
fn of_slices(x: &[f64]) -> f64 {
    let (a, b) = x.split_at(2);
    let rows: Vec<&[f64]> = vec![a, b, x];
    let joined = [a, b, a].concat();
    let weighted = joined
        .iter()
        .enumerate()
        .map(|(i, v)| i as f64 * v)
        .sum::<f64>();
    weighted
        + rows
            .iter()
            .map(|r| r.iter().sum::<f64>() * r[0])
            .sum::<f64>()
}

#[gradient]
fn of_units(x: &[f64]) -> f64 {
    let unit = if x[0] > 0.0 { " KM " } else { "m" };
    let by = match unit.to_lowercase().trim() {
        "km" => 1000.0,
        "m" => x[1],
        _ => unreachable!(),
    };
    by * x[2]
}

#[test]
fn structs_are_sorted_and_referred_to() {
    compare(|x| of_structs(x).value(), |x| of_structs_grad(x).outcome());
}

#[test]
fn slices_are_stored() {
    compare(|x| of_slices(x).value(), |x| of_slices_grad(x).outcome());
}

#[test]
fn text_that_is_made_for_a_match_lives_as_long() {
    compare(|x| of_units(x).value(), |x| of_units_grad(x).outcome());
}

#[test]
fn equal_elements_keep_their_order() {
    let sample = |t: f64, v: f64| Sample {
        t,
        v,
        label: String::new(),
    };
    let all = vec![
        sample(2.0, 1.0),
        sample(1.0, 3.0),
        sample(2.0, 5.0),
        sample(1.0, 7.0),
    ];
    let (value, slopes) = area_grad(&all);
    assert_eq!(value, area(&all));
    let slopes: Vec<f64> = slopes.iter().map(|s| s.v).collect();
    assert_eq!(slopes, [0.5, 0.0, 0.0, 0.5]);
}

#[test]
#[should_panic(expected = "cannot be compared")]
fn what_cannot_be_compared_panics() {
    let sample = |t: f64| Sample {
        t,
        v: 1.0,
        label: String::new(),
    };
    area_grad(&[sample(2.0), sample(f64::NAN), sample(1.0)]);
}
