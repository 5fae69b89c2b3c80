//! Searches in sorted tables, by what `match` makes of what they answer.

use retrograde::{Differentiable, gradient};

use crate::support::{assert_same_value, check};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Key {
    t: f64,
    v: f64,
}

/// The key in front of `t`, if another one follows.
#[gradient]
fn before(keys: &[Key], t: f64) -> Option<usize> {
    let len = keys.len();
    if len < 2 {
        return None;
    }
    match keys.binary_search_by(|key| key.t.partial_cmp(&t).unwrap()) {
        Err(i) if i >= len => None,
        Err(0) => None,
        Err(i) => Some(i - 1),
        Ok(i) if i == len - 1 => None,
        Ok(i) => Some(i),
    }
}

#[gradient]
fn sampled(keys: &[Key], t: f64) -> f64 {
    let Some(i) = before(keys, t) else {
        return 0.0;
    };
    let (a, b) = (&keys[i], &keys[i + 1]);
    a.v + (t - a.t) / (b.t - a.t) * (b.v - a.v)
}

/// The same, where the search stands in the function.
#[gradient]
fn interpolated(keys: &[Key], t: f64) -> f64 {
    let at = match keys.binary_search_by(|key| key.t.total_cmp(&t)) {
        Err(0) => return keys[0].v,
        Err(i) if i == keys.len() => return keys[i - 1].v,
        Err(i) => i,
        Ok(i) => return keys[i].v * keys[i].v,
    };
    let (a, b) = (keys[at - 1], keys[at]);
    a.v + (t - a.t) / (b.t - a.t) * (b.v - a.v)
}

/// The same, where what the search found has a name.
#[gradient]
fn interpolated_by_name(keys: &[Key], t: f64) -> f64 {
    let found = keys.binary_search_by(|key| key.t.partial_cmp(&t).unwrap());
    let at = match found {
        Ok(i) => return keys[i].v * keys[i].v,
        Err(i) => i,
    };
    if at == 0 || found == Err(keys.len()) {
        return keys[at.saturating_sub(1)].v;
    }
    let (a, b) = (keys[at - 1], keys[at]);
    a.v + (t - a.t) / (b.t - a.t) * (b.v - a.v)
}

#[test]
fn what_is_found_has_a_name() {
    let keys = keys();
    for t in [-1.0, 0.0, 0.25, 1.0, 1.75, 3.25, 4.0, 5.0] {
        let (value, by_name) = interpolated_by_name_grad(&keys, t);
        let (expected, plain) = interpolated_grad(&keys, t);
        assert_eq!(value, interpolated_by_name(&keys, t));
        assert_eq!(value, expected);
        assert_eq!(by_name.1, plain.1);
        let numbers = |keys: &[KeyTangent]| keys.iter().map(|k| (k.t, k.v)).collect::<Vec<_>>();
        assert_eq!(numbers(&by_name.0), numbers(&plain.0));
    }
}

/// The number of the interval counts, too.
#[gradient]
fn stairs(x: &[f64]) -> f64 {
    match [0.5, 1.5, 2.5].binary_search_by(|step: &f64| step.partial_cmp(&x[0]).unwrap()) {
        Ok(i) => x[0] * i as f64,
        Err(i) => x[1] * i as f64,
    }
}

fn keys() -> Vec<Key> {
    let key = |(t, v)| Key { t, v };
    [(0.0, 1.0), (1.0, 3.0), (4.0, -2.0)].map(key).into()
}

/// Value, and the derivatives by `t` and by each `v`.
type Expected = (f64, f64, [f64; 3]);

#[test]
fn keys_around_a_point() {
    let keys = keys();
    let inside: [(f64, Expected); 3] = [
        (0.25, (1.5, 2.0, [0.75, 0.25, 0.0])),
        (1.75, (1.75, -5.0 / 3.0, [0.0, 0.75, 0.25])),
        (3.25, (-0.75, -5.0 / 3.0, [0.0, 0.25, 0.75])),
    ];
    for (t, (value, dt, dv)) in inside {
        for (got, (dkeys, got_dt)) in [sampled_grad(&keys, t), interpolated_grad(&keys, t)] {
            assert!((got - value).abs() < 1e-15, "{t}: {got}");
            assert!((got_dt - dt).abs() < 1e-15, "{t}: {got_dt}");
            for (d, want) in dkeys.iter().zip(dv) {
                assert!((d.v - want).abs() < 1e-15, "{t}: {dkeys:?}");
            }
        }
    }
    // In front of the first, at each, behind the last; without keys.
    for t in [-1.0, 0.0, 1.0, 4.0, 5.0] {
        assert_same_value(sampled_grad(&keys, t).0, sampled(&keys, t));
        assert_same_value(interpolated_grad(&keys, t).0, interpolated(&keys, t));
    }
    assert_eq!(sampled_grad(&[], 1.0), (0.0, (vec![], 0.0)));
    assert_eq!(interpolated_grad(&keys, 1.0).1.0[1].v, 6.0);
    assert_eq!(interpolated_grad(&keys, 9.0).1.0[2].v, 1.0);
}

#[test]
fn a_position_counts_as_a_number() {
    check(stairs, stairs_grad, &[&[0.7, 2.0], &[3.0, -1.5]]);
    assert_eq!(stairs_grad(&[1.5, 7.0]), (1.5, vec![1.0, 0.0]));
    assert_eq!(stairs_grad(&[2.0, 7.0]), (14.0, vec![0.0, 2.0]));
}
