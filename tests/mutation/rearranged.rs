//! Containers whose elements move, or whose number of elements changes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use retrograde::gradient;

use super::support::check;

const SIX: &[&[f64]] = &[
    &[0.7, 0.4, -0.3, 1.2, -0.5, 0.9],
    &[-1.3, 0.9, 1.1, 0.2, 0.8, -0.7],
];

/// Tells where each element has gone.
#[gradient]
fn weighted(v: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (i, x) in v.iter().enumerate() {
        sum += x * x * (i + 1) as f64 + x.sin();
    }
    sum
}

#[gradient]
fn extended(p: &[f64], n: usize) -> f64 {
    let mut v = Vec::new();
    v.extend(p[..n].iter());
    v.extend(p.iter().filter(|x| **x > 0.0).map(|x| x * 0.5));
    v.extend_from_slice(&p[n..]);
    v.extend([p[0] * p[1], p[2]]);
    v.resize(n + 4, p[1] * 2.0);
    v.resize(n + 6, p[3] * 0.5);
    weighted(&v)
}

#[test]
fn extend_and_resize() {
    for n in [0, 2, 6] {
        check(|p| extended(p, n), |p| extended_grad(p, n), SIX);
    }
}

#[gradient]
fn exchanged(p: &[f64], at: usize) -> f64 {
    let mut v = p.to_vec();
    v.insert(at, p[0] * p[5]);
    let gone = v.remove(at / 2);
    let other = v.swap_remove(at.min(3));
    v.insert(v.len(), gone * other);
    v.insert(0, other.cos());
    weighted(&v) + gone * v.remove(v.len() - 1)
}

#[test]
fn insert_and_remove() {
    for at in [0, 1, 4, 6] {
        check(|p| exchanged(p, at), |p| exchanged_grad(p, at), SIX);
    }
}

#[gradient]
fn turned(p: &[f64], by: usize) -> f64 {
    let mut v = p.to_vec();
    v.reverse();
    let a = weighted(&v);
    v.rotate_left(by);
    let b = weighted(&v);
    v[1..5].rotate_right(by / 2);
    v[2..].reverse();
    let mut array = [p[0], p[1], p[2]];
    array.reverse();
    a * b + weighted(&v) + weighted(&array)
}

#[test]
fn reverse_and_rotate() {
    for by in [0, 1, 5, 6] {
        check(|p| turned(p, by), |p| turned_grad(p, by), SIX);
    }
}

#[gradient]
fn split(p: &[f64], at: usize) -> f64 {
    let mut v = p.to_vec();
    {
        let (left, right) = v.split_at_mut(at);
        for (a, b) in left.iter_mut().zip(right.iter_mut()) {
            *a += *b * 2.0;
            *b *= *a;
        }
        if let Some(x) = left.first() {
            right[0] += x;
        }
    }
    let (a, b) = v.split_at(2);
    let dot: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    let tail = v.split_off(at);
    dot * weighted(&tail) + weighted(&v)
}

#[test]
fn parts_of_one_container() {
    for at in [0, 1, 3, 5] {
        check(|p| split(p, at), |p| split_grad(p, at), SIX);
    }
}

#[gradient]
fn kept(p: &[f64]) -> f64 {
    let mut v = p.to_vec();
    v.retain(|x| *x > -0.4);
    v[0] *= 2.0;
    let a = weighted(&v);
    v.retain(|&x| x < 1.0);
    a + weighted(&v)
}

#[test]
fn retain() {
    check(|p| kept(p), |p| kept_grad(p), SIX);
}

#[gradient]
fn sorted(p: &[f64], center: f64) -> f64 {
    let mut v = p.to_vec();
    v.sort_by(|a, b| a.total_cmp(b));
    let ascending = weighted(&v);
    v[0] *= v[1];
    v.sort_by(|a, b| (b - center).abs().partial_cmp(&(a - center).abs()).unwrap());
    let median = (v[2] + v[3]) / 2.0;
    ascending * median + weighted(&v)
}

#[test]
fn sort_by() {
    check(
        |p| sorted(p, 0.13),
        |p| sorted_grad(p, 0.13).into_first(),
        SIX,
    );
}

#[test]
fn a_sort_is_stable() {
    let (value, (dv, _)) = sorted_grad(&[1.0, 1.0, 2.0, 2.0, 0.5, 0.5], 0.0);
    assert_eq!(value, sorted(&[1.0, 1.0, 2.0, 2.0, 0.5, 0.5], 0.0));
    assert!(dv.iter().all(|d| d.is_finite()));
}

trait IntoFirst {
    type Out;
    fn into_first(self) -> Self::Out;
}

impl<G> IntoFirst for (f64, (G, f64)) {
    type Out = (f64, G);
    fn into_first(self) -> (f64, G) {
        (self.0, self.1.0)
    }
}

#[gradient]
fn joined(p: &[f64]) -> f64 {
    let rows = vec![vec![p[0], p[1] * p[2]], vec![], vec![p[3]], p.to_vec()];
    weighted(&rows.concat()) + weighted(&[[p[0], p[1]], [p[2], p[3]]].concat())
}

#[test]
fn concat() {
    check(|p| joined(p), |p| joined_grad(p), SIX);
}

#[gradient]
fn looked_up(p: &[f64], at: usize) -> f64 {
    let inside = p.get(at).copied().unwrap_or(0.5);
    let mut sum = inside * inside;
    for i in 0..p.len() + 2 {
        if let Some(x) = p.get(i) {
            sum += x * i as f64;
        }
        let left = p.get(i / 2).map_or(0.25, |x| x * 2.0);
        sum += left * left;
    }
    match (p.first(), p.last()) {
        (Some(a), Some(b)) => sum * a + b,
        _ => sum,
    }
}

#[test]
fn get_first_and_last() {
    for at in [0, 3, 6, 100] {
        check(|p| looked_up(p, at), |p| looked_up_grad(p, at), SIX);
        check(
            |p| looked_up(p, at),
            |p| looked_up_grad(p, at),
            &[&[], &[0.5]],
        );
    }
}

#[gradient]
fn copied_by_patterns(p: &[f64], at: usize, option: &Option<f64>) -> f64 {
    let mut sum = if let Some(&x) = p.get(at) {
        x.sin()
    } else {
        0.5
    };
    sum += match p.last() {
        Some(&x) if x > 0.0 => x * x,
        Some(x) => x.exp(),
        None => 2.0,
    };
    sum *= match (p.first(), at, p.get(at + 1)) {
        (Some(&a), 0 | 3, Some(b)) => a * b,
        (Some(&a), ..) | (None, _, Some(&a)) => a,
        (.., None) => 0.75,
    };
    if let Some(&x) = p.get(at / 2)
        && x > 0.0
        && matches!(p.first(), Some(&y) if y > x)
    {
        sum += x * x;
    }
    let mut k = 0;
    while let Some(&x) = p.get(k) {
        k += 1;
        sum += x * k as f64;
    }
    #[checkpoint]
    for i in 0..2 {
        if let Some(&x) = p.get(at + i) {
            sum += sum * x;
        }
    }
    match option {
        &Some(x) => sum *= x,
        &None => sum -= 1.0,
    }
    let Some(&low) = p.iter().min_by(|a, b| a.total_cmp(b)) else {
        return sum;
    };
    let found = p.iter().find(|x| **x > 0.3);
    if let Some(&x) | Some(&x) = found {
        sum += low * x;
    }
    sum
}

#[test]
fn patterns_copy_what_an_option_refers_to() {
    for (at, option) in [(0, None), (3, None), (4, None), (6, None), (100, None)]
        .into_iter()
        .chain([(1, Some(0.5)), (5, Some(-2.0))])
    {
        for points in [SIX, &[&[], &[0.5], &[-0.5, 0.25]]] {
            check(
                |p| copied_by_patterns(p, at, &option),
                |p| {
                    let (value, (dp, _)) = copied_by_patterns_grad(p, at, &option);
                    (value, dp)
                },
                points,
            );
        }
    }
}

#[gradient]
fn filled_then_longer(p: &[f64], n: usize) -> f64 {
    let mut v = p.to_vec();
    v.truncate(n);
    let before = weighted(&v);
    v.fill(p[0] * p[1]);
    v.push(p[2]);
    let mut w = vec![p[3] * p[4]; n];
    w.truncate(4);
    let len = w.len();
    w.copy_from_slice(&v[..len]);
    w.extend_from_slice(&[p[5], p[0]]);
    if w.len() > 3 {
        w.pop();
    }
    before * weighted(&v) + weighted(&w)
}

#[test]
fn a_vector_that_grows_behind_a_fill_has_its_length_back() {
    for n in [0, 1, 3, 6] {
        check(
            |p| filled_then_longer(p, n),
            |p| filled_then_longer_grad(p, n),
            SIX,
        );
    }
}

#[gradient]
fn panics(p: &[f64], what: u32, at: usize) -> f64 {
    let mut v = p.to_vec();
    match what {
        0 => v.insert(at, 1.0),
        1 => v[0] += v.remove(at),
        2 => v[0] += v.swap_remove(at),
        3 => v.rotate_left(at),
        4 => v[0] += v.split_at(at).0.len() as f64,
        _ => v[0] += v.split_off(at).len() as f64,
    }
    weighted(&v)
}

#[test]
fn what_panics_in_the_function_panics_in_the_gradient() {
    let p = [0.5, 0.25, 2.0];
    for what in 0..6 {
        for at in [0, 1, 2, 3, 4] {
            let plain = catch_unwind(|| panics(&p, what, at));
            let gradient = catch_unwind(AssertUnwindSafe(|| panics_grad(&p, what, at)));
            assert_eq!(
                plain.ok(),
                gradient.ok().map(|(value, _)| value),
                "{what} at {at}"
            );
        }
    }
}
