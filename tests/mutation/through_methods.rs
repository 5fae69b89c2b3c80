//! Assignments to what methods without a derivative refer to: `*counts.entry(k).or_insert(0) += 1`.

use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;

use retrograde::gradient;

#[gradient]
fn by_counts(x: &[f64], #[constant] ks: &[i64]) -> f64 {
    let mut counts = HashMap::new();
    for &k in ks {
        *counts.entry(k).or_insert(0) += 1;
    }
    let most = counts.values().copied().max().unwrap_or(0);
    x.iter().map(|v| v * v * f64::from(most)).sum()
}

#[gradient]
fn by_weights(x: &[f64], #[constant] ks: &[i64]) -> f64 {
    let mut weights: BTreeMap<i64, f64> = BTreeMap::new();
    for (n, k) in ks.iter().enumerate() {
        *weights.entry(*k).or_insert(1.0) *= 0.5 + n as f64;
    }
    for k in ks {
        *weights.get_mut(k).unwrap() -= 0.25;
    }
    if let Some(k) = ks.first() {
        *weights.get_mut(k).unwrap() = 3.0;
    }
    x.iter().zip(ks).map(|(v, k)| v * v * weights[k]).sum()
}

/// Each iteration reads what the map was then.
#[gradient]
fn in_turn(x: &[f64], #[constant] ks: &[i64]) -> f64 {
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    let mut sum = 1.0;
    for (v, k) in x.iter().zip(ks) {
        *counts.entry(*k).or_default() += 1;
        sum = sum * v + counts[k] as f64 * v * v;
    }
    sum
}

const KEYS: [i64; 4] = [3, 5, 3, 3];

#[test]
fn counts_are_made() {
    for x in [[0.5, -1.0, 2.0, 1.5], [3.0, 0.25, 0.0, -2.0]] {
        let x = black_box(x);
        let (value, slopes) = by_counts_grad(&x, &KEYS);
        assert_eq!(value, by_counts(&x, &KEYS));
        assert_eq!(slopes, x.map(|v| 2.0 * v * 3.0));
    }
}

#[test]
fn weights_are_assigned() {
    for x in [[0.5, -1.0, 2.0, 1.5], [3.0, 0.25, 0.0, -2.0]] {
        let x = black_box(x);
        let (value, slopes) = by_weights_grad(&x, &KEYS);
        assert_eq!(value, by_weights(&x, &KEYS));
        // That of 5 is 1.5, less a quarter; that of 3 is assigned in the end.
        let weights = [3.0, 1.25, 3.0, 3.0];
        let want: Vec<f64> = x.iter().zip(weights).map(|(v, w)| 2.0 * v * w).collect();
        assert_eq!(slopes, want);
    }
}

#[test]
fn states_of_the_map_come_back() {
    super::support::check(
        |x| in_turn(x, &KEYS),
        |x| in_turn_grad(x, &KEYS),
        &[&[0.5, -1.0, 2.0, 1.5], &[3.0, 0.25, 0.1, -2.0]],
    );
}
