//! `chain`: what ends its first part early (`take_while`, `map_while`, `scan`, `take`, `zip`) goes on with the second.

use super::support::checked_by_name;
use retrograde::gradient;

const POINTS: &[&[f64]] = &[
    &[0.7, 0.4, -0.3, 1.2, -0.5, 0.9],
    &[-1.3, 0.9, 1.1, 0.2, 0.8, -0.7],
    &[1.3, 0.9, 1.1, 0.2, 0.8, 0.7],
    &[-0.2, -0.9],
    &[0.6],
    &[],
];

#[gradient]
fn take_while(x: &[f64]) -> f64 {
    x.iter()
        .take_while(|v| **v > 0.0)
        .map(|v| v * v)
        .chain(x.iter().map(|v| v.sin()))
        .sum()
}

#[gradient]
fn none_of_the_first(x: &[f64]) -> f64 {
    x.iter()
        .copied()
        .take_while(|v| *v < -9.0)
        .chain(x.iter().copied())
        .sum::<f64>()
}

#[gradient]
fn map_while(x: &[f64]) -> f64 {
    x.iter()
        .map_while(|v| if *v > -0.4 { Some(v * 2.0) } else { None })
        .chain(x.iter().map(|v| v * v))
        .fold(0.5, |s, v| 0.5 * s + v)
}

#[gradient]
fn scan(x: &[f64]) -> f64 {
    x.iter()
        .scan(1.0_f64, |s, v| {
            *s *= 0.5 + v;
            if *s > 0.28 { Some(*s) } else { None }
        })
        .chain(x.iter().copied())
        .map(|v| v.cos())
        .sum()
}

#[gradient]
fn take(x: &[f64]) -> f64 {
    x.iter()
        .filter(|v| **v > 0.0)
        .take(2)
        .chain(x.iter())
        .map(|v| v * v * v)
        .sum()
}

#[gradient]
fn zip(x: &[f64]) -> f64 {
    let w = [2.0, 3.0];
    x.iter()
        .filter(|v| **v > 0.0)
        .zip(w.iter())
        .map(|(v, w)| v * w)
        .chain(x.iter().map(|v| v * v))
        .sum()
}

/// Each part ends by itself, and the whole behind all.
#[gradient]
fn three(x: &[f64]) -> f64 {
    x.iter()
        .take_while(|v| **v > 0.0)
        .chain(
            x.iter()
                .skip_while(|v| **v > 0.5)
                .take_while(|v| **v > -0.6),
        )
        .chain(x.iter().filter(|v| **v > 0.1).take(1))
        .map(|v| v * v)
        .take_while(|v| *v < 1.4)
        .sum()
}

#[gradient]
fn chain_in_chain(x: &[f64]) -> f64 {
    x.iter()
        .copied()
        .take_while(|v| *v > 0.5)
        .chain(
            x.iter().copied().take_while(|v| *v > 0.3).chain(
                x.iter()
                    .map_while(|v| if *v > 0.1 { Some(v * 0.5) } else { None }),
            ),
        )
        .chain(x.iter().copied())
        .map(|v| v.exp())
        .sum()
}

#[gradient]
fn within_flat_map(x: &[f64]) -> f64 {
    (0..x.len())
        .flat_map(|i| {
            x[i..]
                .iter()
                .take_while(|v| **v > 0.0)
                .chain(x[..i].iter())
                .map(move |v| v * (i + 1) as f64)
        })
        .sum()
}

#[gradient]
fn flat_map_in_front(x: &[f64]) -> f64 {
    x.iter()
        .flat_map(|v| (0..2).map(move |k| v * (k + 1) as f64))
        .take_while(|v| *v > -0.25)
        .chain(x.iter().copied())
        .map(|v| v * v)
        .sum()
}

#[gradient]
fn a_loop(x: &[f64]) -> f64 {
    let mut s = 0.25;
    for v in x.iter().take_while(|v| **v > 0.0).chain(x.iter().rev()) {
        if *v > 1.15 {
            break;
        }
        if *v < -0.4 {
            continue;
        }
        s = s * v + v;
    }
    s
}

#[gradient]
fn found(x: &[f64]) -> f64 {
    let found = x
        .iter()
        .take_while(|v| **v > 0.6)
        .chain(x.iter())
        .find(|v| **v < 0.5);
    let last = x
        .iter()
        .take_while(|v| **v > 0.6)
        .chain(x.iter())
        .copied()
        .last();
    found.map_or(1.0, |v| v * v) * last.unwrap_or(2.0)
}

#[gradient]
fn a_source(x: &[f64]) -> f64 {
    std::iter::successors(Some(0.7_f64), |s| Some(s * 0.5))
        .take_while(|s| *s > 0.1)
        .chain(x.iter().map(|v| v * v))
        .sum()
}

#[gradient]
fn collected(x: &[f64]) -> f64 {
    let all: Vec<f64> = x
        .iter()
        .take_while(|v| **v > 0.0)
        .chain(x.iter())
        .map(|v| v.sin())
        .collect();
    let mut s = 0.0;
    for i in 0..all.len() {
        s += all[i] * (i + 1) as f64;
    }
    s
}

checked_by_name! {
    take_while take_while_grad
    none_of_the_first none_of_the_first_grad
    map_while map_while_grad
    scan scan_grad
    take take_grad
    zip zip_grad
    three three_grad
    chain_in_chain chain_in_chain_grad
    within_flat_map within_flat_map_grad
    flat_map_in_front flat_map_in_front_grad
    a_loop a_loop_grad
    found found_grad
    a_source a_source_grad
    collected collected_grad
}
