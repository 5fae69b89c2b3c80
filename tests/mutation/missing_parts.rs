//! Parts of containers that may not be there: the first or last element and the rest, lists of neighbours.

use retrograde::gradient;

use super::outcomes::{Of, Taken, compare};
use super::support::check;

/// Neighbours of each element; the last has no list.
fn neighbours() -> Vec<Vec<usize>> {
    vec![vec![1, 2, 3], vec![], vec![0, 0]]
}

/// Lists of integers, with and without `&` in the pattern of the loop.
#[gradient]
fn listed(x: &[f64], lists: &[Vec<usize>]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        if let Some(list) = lists.get(i) {
            for &j in list {
                s += x[i] * x[j] * s;
            }
        }
        let Some(list) = lists.get(i) else {
            s *= x[i];
            continue;
        };
        for j in list {
            s -= x[*j].sin();
        }
    }
    for &j in lists.first().unwrap() {
        s *= x[j];
    }
    s + lists.get(2).unwrap().iter().map(|&j| x[j]).sum::<f64>()
}

/// In a `match`, before a method that takes a closure, and in lists that the function makes.
#[gradient]
fn chosen(x: &[f64], rows: &[[usize; 2]]) -> f64 {
    let mut lists = vec![vec![0usize]; 2];
    let mut s = 1.0;
    for i in 0..x.len() {
        match rows.get(i) {
            Some(row) => s += x[row[0]] * x[row[1]] * s,
            None => s *= x[i],
        }
        match lists.get(i) {
            None => s += x[0],
            Some(list) => s += list.iter().map(|&j| x[j] * x[j]).sum::<f64>(),
        }
        s += lists
            .last()
            .map_or(x[1], |list| list.iter().map(|&j| x[j].cos()).product());
        if let Some(list) = lists.last_mut() {
            list.push(i);
        }
    }
    s
}

/// Both parts of a slice, before methods that take a closure.
#[gradient]
fn split(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let changed = v.split_last_mut().map_or(0.5, |(last, rest)| {
        *last *= 2.0;
        if let Some(first) = rest.first_mut() {
            *first += *last;
        }
        *last
    });
    let scaled = x
        .split_last()
        .map(|(last, rest)| last * rest.iter().sum::<f64>());
    let large = v
        .split_first()
        .is_some_and(|(first, rest)| *first > 1.0 && rest.len() > 2);
    let both = x
        .split_first()
        .and_then(|(a, rest)| rest.first().map(|b| a * b));
    let sum: f64 = v.iter().sum();
    changed * sum
        + scaled.unwrap_or(3.0)
        + if large { x[0] } else { 0.0 }
        + both.unwrap_or_default()
}

#[test]
fn lists_of_integers_are_parts() {
    let lists = neighbours();
    check(
        |x| listed(x, &lists),
        |x| listed_grad(x, &lists),
        super::maps::FOUR,
    );
}

#[test]
fn parts_are_chosen_by_a_match_or_a_closure() {
    let rows = [[0, 1], [3, 3], [2, 0]];
    for rows in [&rows[..], &rows[..1], &[]] {
        check(
            |x| chosen(x, rows),
            |x| chosen_grad(x, rows),
            super::maps::FOUR,
        );
    }
}

#[test]
fn an_element_and_the_rest_are_parts() {
    compare(|x| split(x).value(), |x| split_grad(x).outcome());
    for x in [&[][..], &[3.0]] {
        assert_eq!(split_grad(x).0.to_bits(), split(x).to_bits());
    }
    assert_eq!(split_grad(&[3.0]).1, [24.0]);
}
