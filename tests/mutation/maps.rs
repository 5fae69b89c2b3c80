//! `HashMap` and `BTreeMap` of values with a derivative.

use super::support::check;

pub(super) const FOUR: &[&[f64]] = &[
    &[0.7, -1.3, 2.1, 0.4],
    &[1.5, 0.3, -0.8, 2.2],
    &[-0.6, 1.1, 0.9, -1.7],
];

/// Insert, index and `get`.
mod read {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut m = std::collections::HashMap::new();
        m.insert(1usize, x[0]);
        m.insert(2, x[1] * x[2]);
        m[&1] * m[&2] + m.get(&1).copied().unwrap_or(0.0)
    }
}

/// Sums by key.
mod entries {
    use retrograde::gradient;

    use std::collections::HashMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut m: HashMap<usize, f64> = HashMap::new();
        for (i, v) in x.iter().enumerate() {
            *m.entry(i % 2).or_insert(0.0) += v * v;
        }
        m[&0] * m[&1]
    }
}

/// In the order of the keys.
mod ordered {
    use retrograde::gradient;

    use std::collections::BTreeMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut m: BTreeMap<u32, f64> = BTreeMap::new();
        for (i, v) in x.iter().enumerate() {
            *m.entry(i as u32 / 2).or_insert(1.0) *= v.sin();
        }
        let mut s = 0.0;
        for (k, v) in &m {
            s += (*k as f64 + 1.0) * v;
        }
        s
    }
}

/// Values alone, and pairs, by a chain.
mod values {
    use retrograde::gradient;

    use std::collections::BTreeMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut m = BTreeMap::new();
        for (i, v) in x.iter().enumerate() {
            m.insert(3 - i, v * 2.0);
        }
        m.values().map(|v| v * v).sum::<f64>() + m.iter().map(|(k, v)| *k as f64 * v).sum::<f64>()
    }
}

/// What was computed before.
mod memo {
    use retrograde::gradient;

    use std::collections::HashMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut memo: HashMap<usize, f64> = HashMap::new();
        let mut s = 0.0;
        for i in 0..6 {
            let k = i % 3;
            let v = if let Some(v) = memo.get(&k) {
                *v
            } else {
                let v = x[k].exp() * x[3];
                memo.insert(k, v);
                v
            };
            s += v * (i as f64);
        }
        s
    }
}

/// Strings as keys.
mod strings {
    use retrograde::gradient;

    use std::collections::HashMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut p: HashMap<&str, f64> = HashMap::new();
        p.insert("a", x[0]);
        p.insert("b", x[1]);
        p["a"] * p["b"] + if p.contains_key("c") { 1.0 } else { x[2] }
    }
}

/// Filled from an array and by a chain.
mod filled {
    use retrograde::gradient;

    use std::collections::{BTreeMap, HashMap};
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let m = HashMap::from([(3u8, x[0]), (5, x[1] * 2.0), (3, x[2])]);
        let k: BTreeMap<usize, f64> = x.iter().enumerate().map(|(i, v)| (i / 2, v * v)).collect();
        m[&3] * m[&5] + k.values().sum::<f64>() * k[&1] + k.len() as f64
    }
}

/// Values that are changed in place.
mod changed {
    use retrograde::gradient;

    use std::collections::BTreeMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut m: BTreeMap<i32, f64> = BTreeMap::new();
        for (i, v) in x.iter().enumerate() {
            m.insert((i as i32 * 5) % 3, *v);
        }
        for (k, v) in &mut m {
            *v *= *k as f64 + 1.5;
        }
        if let Some(v) = m.get_mut(&1) {
            *v = v.sin();
        }
        for v in m.values_mut() {
            *v += x[0];
        }
        let mut s = 1.0;
        for (k, v) in &m {
            s = s * 0.5 + v * (*k as f64 + 1.0);
        }
        s
    }
}

/// `and_modify`, `or_insert_with`, `remove`.
mod modified {
    use retrograde::gradient;

    use std::collections::HashMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut m: HashMap<u64, f64> = HashMap::new();
        for (i, v) in x.iter().enumerate() {
            m.entry(i as u64 % 2).and_modify(|e| *e *= v).or_insert(*v);
        }
        let w = m.entry(7).or_insert_with(|| x[0] * x[1]);
        *w += 1.0;
        let z = *w;
        m.remove(&0);
        if m.contains_key(&0) {
            return 0.0;
        }
        m.get(&0).copied().unwrap_or(x[2]) * m[&1] + z * m[&7] + m.len() as f64
    }
}

/// What is removed, and put back.
mod removed {
    use retrograde::gradient;

    use std::collections::HashMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut m: HashMap<(usize, usize), f64> = HashMap::new();
        for i in 0..2 {
            for j in 0..2 {
                m.insert((i, j), x[2 * i + j] * x[i]);
            }
        }
        let a = m.remove(&(0, 1)).unwrap_or(0.0);
        let b = m.remove(&(5, 5)).unwrap_or(2.0);
        m.insert((0, 1), a * b);
        match m.get(&(1, 1)) {
            Some(v) => v * m[&(0, 1)] + m[&(0, 0)],
            None => 0.0,
        }
    }
}

/// In a closure.
mod captured {
    use retrograde::gradient;

    use std::collections::HashMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut m: HashMap<usize, f64> = HashMap::with_capacity(4);
        let mut add = |k: usize, v: f64| {
            *m.entry(k).or_insert(1.0) *= v;
        };
        add(0, x[0]);
        add(1, x[1]);
        add(0, x[2]);
        let total: f64 = (0..3).filter_map(|k| m.get(&k)).sum();
        total * m[&0]
    }
}

/// A recurrence.
mod recursive {
    use retrograde::gradient;

    use std::collections::HashMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut memo = HashMap::new();
        memo.insert(0usize, x[0]);
        memo.insert(1, x[1]);
        for n in 2..8usize {
            let v = memo[&(n - 1)] * x[2] * 0.3 + memo[&(n - 2)];
            memo.insert(n, v);
        }
        memo[&7]
    }
}

/// Counts, which carry no derivative.
mod counts {
    use retrograde::gradient;

    use std::collections::HashMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut count: HashMap<i64, usize> = HashMap::new();
        for v in x {
            *count.entry(v.floor() as i64).or_insert(0) += 1;
        }
        let mut names: HashMap<String, f64> = HashMap::new();
        names.insert(format!("a{}", 1), x[0]);
        names.insert("b".to_string(), x[1]);
        let n = count.len();
        x.iter()
            .map(|v| v * v * count[&(v.floor() as i64)] as f64)
            .sum::<f64>()
            + names["a1"] * names["b"] * n as f64
    }
}

/// The same, without a type.
mod seen {
    use retrograde::gradient;

    use std::collections::HashMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut seen = HashMap::new();
        let mut s = 0.0;
        for (i, k) in [3usize, 1, 3, 2].iter().enumerate() {
            let n = seen.entry(*k).or_insert(0usize);
            *n += 1;
            if *n > 1 {
                s += x[i];
            } else {
                s += x[i] * x[i];
            }
        }
        s * seen.len() as f64
    }
}

/// Structs.
mod structs {
    use retrograde::gradient;
    use retrograde::{Differentiable, Record};

    use std::collections::BTreeMap;
    #[derive(Clone, Differentiable, Record)]
    struct P {
        a: f64,
        b: f64,
    }
    #[gradient]
    impl P {
        fn e(&self) -> f64 {
            self.a * self.b
        }
        fn push(&mut self, k: f64) {
            self.a += k * self.b;
        }
    }
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut m: BTreeMap<u8, P> = BTreeMap::new();
        m.insert(2, P { a: x[0], b: x[1] });
        m.insert(1, P { a: x[2], b: x[3] });
        m.get_mut(&2).unwrap().push(x[2]);
        if let Some(p) = m.get_mut(&1) {
            p.b *= p.a;
            p.push(0.5);
        }
        m[&1].a * m[&2].b + m.values().map(|p| p.e()).sum::<f64>()
    }
}

/// A sparse matrix.
mod sparse {
    use retrograde::gradient;

    use std::collections::BTreeMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut a: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for (i, v) in x.iter().enumerate() {
            a.insert((i, i), *v);
            a.insert((i, (i + 1) % 4), v * 0.5);
        }
        let mut y = vec![0.0; 4];
        for (&(i, j), v) in &a {
            y[i] += v * x[j];
        }
        y.iter().map(|v| v * v).sum()
    }
}

/// A map for each round.
mod anew {
    use retrograde::gradient;

    use std::collections::BTreeMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut total = 0.0;
        for r in 0..2 {
            let mut m: BTreeMap<usize, f64> = BTreeMap::new();
            for (i, v) in x.iter().enumerate() {
                let e = m.entry(i % (2 + r)).or_insert(0.0);
                *e += v * v;
            }
            for (_, v) in m {
                total += v.ln() * (r + 1) as f64;
            }
        }
        total
    }
}

/// A key that is not there.
#[retrograde::gradient]
fn missing(x: &[f64], k: usize) -> f64 {
    let mut m = std::collections::BTreeMap::new();
    m.insert(1_usize, x[0] * x[1]);
    m.insert(2, x[2]);
    m.remove(&2);
    m[&k] * x[3]
}

#[test]
fn insert_index_and_get() {
    check(read::f, read::f_grad, FOUR);
}

#[test]
fn entries() {
    check(entries::f, entries::f_grad, FOUR);
}

#[test]
fn walked_through() {
    check(ordered::f, ordered::f_grad, FOUR);
}

#[test]
fn values_and_pairs() {
    check(values::f, values::f_grad, FOUR);
}

#[test]
fn a_memo() {
    check(memo::f, memo::f_grad, FOUR);
}

#[test]
fn strings_as_keys() {
    check(strings::f, strings::f_grad, FOUR);
}

#[test]
fn filled_at_once() {
    check(filled::f, filled::f_grad, FOUR);
}

#[test]
fn changed_in_place() {
    check(changed::f, changed::f_grad, FOUR);
}

#[test]
fn modified_entries() {
    check(modified::f, modified::f_grad, FOUR);
}

#[test]
fn removed() {
    check(removed::f, removed::f_grad, FOUR);
}

#[test]
fn in_a_closure() {
    check(captured::f, captured::f_grad, FOUR);
}

#[test]
fn a_recurrence() {
    check(recursive::f, recursive::f_grad, FOUR);
}

#[test]
fn counts() {
    check(counts::f, counts::f_grad, FOUR);
}

#[test]
fn counts_without_a_type() {
    check(seen::f, seen::f_grad, FOUR);
}

#[test]
fn structs() {
    check(structs::f, structs::f_grad, FOUR);
}

#[test]
fn a_sparse_matrix() {
    check(sparse::f, sparse::f_grad, FOUR);
}

#[test]
fn a_map_for_each_round() {
    check(anew::f, anew::f_grad, FOUR);
}

#[test]
fn a_missing_key_panics() {
    check(|x| missing(x, 1), |x| missing_grad(x, 1), FOUR);
    for k in [2, 3] {
        assert!(std::panic::catch_unwind(|| missing(FOUR[0], k)).is_err());
        assert!(std::panic::catch_unwind(|| missing_grad(FOUR[0], k)).is_err());
    }
}

/// Values without a derivative that are changed where they are.
mod counted_in_place {
    use retrograde::gradient;

    use std::collections::HashMap;
    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let keys = [1, 0, 1, 1, 2, 0];
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for k in keys {
            if let Some(c) = counts.get_mut(&k) {
                *c += 1;
            } else {
                counts.insert(k, 1);
            }
        }
        *counts.get_mut(&2).unwrap() += 4;
        let mut lists: HashMap<usize, Vec<usize>> = HashMap::new();
        for (i, k) in keys.iter().enumerate() {
            match lists.get_mut(k) {
                Some(list) => list.push(i % x.len()),
                None => {
                    lists.insert(*k, vec![i % x.len()]);
                }
            }
        }
        let mut s = 0.0;
        for k in 0..3 {
            if let Some(list) = lists.get(&k) {
                let mean = list.iter().map(|&i| x[i]).sum::<f64>() / counts[&k] as f64;
                s += mean * mean * x[list[0]];
            }
        }
        s
    }
}

/// Of vectors, too.
mod numbers_in_place {
    use retrograde::gradient;

    #[gradient]
    pub(super) fn f(x: &[f64]) -> f64 {
        let mut order = vec![3, 1, 0];
        if let Some(at) = order.get_mut(1) {
            *at += 1;
        }
        if let Some(last) = order.last_mut() {
            *last = 2;
        }
        let mut s = 0.0;
        while let Some(first) = order.first_mut() {
            s += x[*first] * x[0];
            if *first == 0 {
                break;
            }
            *first -= 1;
        }
        s * x[order[1]]
    }
}

#[test]
fn values_without_a_derivative_are_changed_in_place() {
    check(counted_in_place::f, counted_in_place::f_grad, FOUR);
    check(numbers_in_place::f, numbers_in_place::f_grad, FOUR);
}
