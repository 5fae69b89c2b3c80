//! Chains of integers that a `let` binds to a name, slices of integers that are split, options of references to
//! integers, and what chains of them are collected into.

use std::collections::HashSet;

use super::support::check;
use retrograde::gradient;

#[gradient]
fn numbered(x: &[f64], c: &[usize]) -> f64 {
    let it = c.iter().enumerate();
    let mut s = 0.0;
    for (i, k) in it {
        s += x[*k] * x[0] * i as f64;
    }
    s
}

#[gradient]
fn in_windows(x: &[f64], c: &[usize]) -> f64 {
    let it = c.windows(2);
    let mut s = 0.0;
    for w in it {
        s += x[w[0]] * x[w[1]];
    }
    s
}

#[gradient]
fn behind_the_first(x: &[f64], c: Vec<usize>) -> f64 {
    let it = c.iter().skip(1);
    it.map(|k| x[*k].sin() * x[c[0]]).sum()
}

#[gradient]
fn looked_ahead(x: &[f64], c: &[usize]) -> f64 {
    let mut it = c.iter().peekable();
    let mut s = 0.0;
    while let Some(k) = it.next() {
        s = 0.5 * s + x[*k];
        if let Some(next) = it.peek() {
            s += x[**next] * x[*k];
        }
    }
    s
}

#[gradient]
fn one_after_another(x: &[f64], c: &[usize; 5]) -> f64 {
    let mut it = c.iter();
    let mut s = 1.0;
    while let Some(k) = it.next() {
        s = s * x[*k] + x[0];
        if it.len() > 2 {
            s *= x[1];
        }
    }
    s
}

#[gradient]
fn halves(x: &[f64], c: &[usize]) -> f64 {
    let (a, b) = c.split_at(c.len() / 2);
    let mut s = 0.0;
    for k in a {
        s += x[*k] * x[0];
    }
    for &k in b {
        s += x[k] * x[1] * x[a[0]];
    }
    s + a.iter().zip(b).map(|(i, j)| x[*i] * x[*j]).sum::<f64>()
}

#[gradient]
fn ends_apart(x: &[f64], c: &[usize]) -> f64 {
    let (first, rest) = c.split_first().unwrap();
    let mut s = x[*first];
    for k in rest {
        s *= 1.0 + x[*k];
    }
    if let Some((last, init)) = c.split_last() {
        for k in init {
            s += x[*last] * x[*k];
        }
    }
    let Some((first, rest)) = rest.split_first() else {
        return 0.0;
    };
    for k in rest {
        s += x[*k] * x[*first];
    }
    s
}

/// What is written to one half is read of the whole.
#[gradient]
fn halves_that_change(x: &[f64], c: &[usize]) -> f64 {
    let mut w = c.to_vec();
    let mut s = 0.0;
    for round in 0..3 {
        let (a, b) = w.split_at_mut(1);
        a[0] = (a[0] + b[1]) % x.len();
        for k in b.iter_mut() {
            *k = (*k + round) % x.len();
        }
        if let Some((first, rest)) = w.split_first_mut() {
            *first = (*first + 1) % x.len();
            rest[0] = *first;
        }
        s = s * x[w[0]] + x[w[1]] * x[w[2]];
    }
    s
}

/// What std lends is compared with what the text refers to.
#[gradient]
fn compared(x: &[f64], c: &[usize]) -> f64 {
    let last = c.last();
    let flags: Vec<bool> = c.iter().map(|k| *k > 0).collect();
    let top = c.iter().max();
    let two = 2;
    let mut s = x[0];
    for i in 0..3 {
        if last == Some(&i) {
            s *= x[i] * x[1];
        }
    }
    if flags.last() == Some(&true) && Some(&two) == top {
        s += x[2] * x[1];
    }
    if c.first() != Some(&two) || top == c.iter().min() || last == None {
        s += 10.0;
    }
    let n = c.len();
    let copy = Some(&n);
    if copy == Some(&5) { 3.0 * s } else { s }
}

/// The type that a `let` writes is all that says what a chain becomes.
#[gradient]
fn collected(x: &[f64], c: &[usize]) -> f64 {
    let set: HashSet<usize> = c.iter().map(|k| k + 1).collect();
    let sorted: std::collections::BTreeSet<usize> = c.iter().copied().collect();
    let named: Box<[usize]> = c.iter().copied().rev().collect();
    let mut s = x[named[0]];
    for (i, v) in x.iter().enumerate() {
        if set.contains(&i) {
            s *= 1.0 + v;
        }
    }
    s + sorted.len() as f64 * x[1].exp()
}

const POINTS: &[&[f64]] = &[&[0.7, 0.4, -0.3], &[-1.3, 0.9, 1.1], &[0.2, -0.8, 0.6]];
const INDICES: [usize; 5] = [2, 0, 1, 1, 2];

#[test]
fn chains_of_integers_have_names() {
    let c = &INDICES;
    check(|x| numbered(x, c), |x| numbered_grad(x, c), POINTS);
    check(|x| in_windows(x, c), |x| in_windows_grad(x, c), POINTS);
    let owned = || c.to_vec();
    check(
        |x| behind_the_first(x, owned()),
        |x| behind_the_first_grad(x, owned()),
        POINTS,
    );
    check(|x| looked_ahead(x, c), |x| looked_ahead_grad(x, c), POINTS);
    check(
        |x| one_after_another(x, c),
        |x| one_after_another_grad(x, c),
        POINTS,
    );
}

#[test]
fn options_of_references_and_sets_of_counts_are_std_s() {
    let c = &INDICES;
    check(|x| compared(x, c), |x| compared_grad(x, c), POINTS);
    check(|x| collected(x, c), |x| collected_grad(x, c), POINTS);
}

#[test]
fn slices_of_integers_are_split() {
    let c = &INDICES;
    check(|x| halves(x, c), |x| halves_grad(x, c), POINTS);
    check(|x| ends_apart(x, c), |x| ends_apart_grad(x, c), POINTS);
    check(
        |x| halves_that_change(x, c),
        |x| halves_that_change_grad(x, c),
        POINTS,
    );
}
