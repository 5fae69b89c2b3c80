//! Maps without a derivative, whose keys are behind references.

use super::support::check;
use retrograde::gradient;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// An index by a reference.
#[gradient]
fn indexed(x: &[f64], names: &[i64], #[constant] table: &HashMap<i64, usize>) -> f64 {
    let mut s = 0.0;
    for (n, v) in names.iter().zip(x) {
        s += v * x[table[n]];
    }
    s
}

/// `&` in patterns of what a look-up yields.
#[gradient]
fn matched(x: &[f64], names: &[i64], #[constant] table: &BTreeMap<i64, usize>) -> f64 {
    let mut s = x[0];
    for n in names {
        if let Some(&i) = table.get(n) {
            s += x[i] * x[0];
        }
        match table.get(&(n + 1)) {
            Some(&i) if i > 0 => s += x[i].sin(),
            Some(&0) => s *= x[1],
            Some(_) => {}
            None => s -= x[2],
        }
        let Some(&j) = table.get(n) else { continue };
        s *= x[j];
    }
    if let Some((&k, &i)) = table.iter().next() {
        s += k as f64 * x[i];
    }
    s
}

/// Collections that the reverse sweep needs, and their state before the last changes.
#[gradient]
fn recorded(x: &[f64]) -> f64 {
    let mut latest: BTreeMap<usize, usize> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut recent: VecDeque<usize> = VecDeque::new();
    let mut s = 1.0;
    for (i, v) in x.iter().enumerate() {
        let k = i * i % 3;
        if let Some(&j) = latest.get(&k) {
            s *= x[j] * v;
        }
        latest.insert(k, i);
        if seen.insert(k) {
            s += v.sin();
        }
        recent.push_back(i);
        if recent.len() > 2 {
            recent.pop_front();
        }
        s += x[recent[0]] * s * latest[&k] as f64 * seen.len() as f64
            + recent[recent.len() - 1] as f64 * v.cos();
    }
    s
}

const NAMES: [i64; 4] = [3, 7, -1, 4];

#[test]
fn an_index_may_be_a_reference() {
    let table = HashMap::from([(3, 0), (7, 3), (-1, 2), (4, 3)]);
    check(
        |x| indexed(x, &NAMES, &table),
        |x| indexed_grad(x, &NAMES, &table),
        super::maps::FOUR,
    );
}

#[test]
fn patterns_take_references_off() {
    let table = BTreeMap::from([(3, 0), (7, 3), (-1, 2), (5, 0)]);
    for names in [&NAMES[..], &[], &[4], &[2, 4, -2]] {
        check(
            |x| matched(x, names, &table),
            |x| matched_grad(x, names, &table),
            super::maps::FOUR,
        );
    }
}

#[test]
fn collections_in_loops_are_recorded() {
    check(recorded, recorded_grad, super::maps::FOUR);
}
