//! Ends of queues: `front` and `back`, which are the first and the last element of a vector in what is generated.

use std::collections::VecDeque;

use super::support::check;
use retrograde::gradient;

/// The least of each three, by a queue of their places.
#[gradient]
fn least_of_three(x: &[f64]) -> f64 {
    let mut queue: VecDeque<usize> = VecDeque::new();
    let mut s = 0.0;
    for i in 0..x.len() {
        while let Some(&b) = queue.back() {
            if x[b] >= x[i] {
                queue.pop_back();
            } else {
                break;
            }
        }
        queue.push_back(i);
        if queue.front().is_some_and(|f| f + 3 <= i) {
            queue.pop_front();
        }
        s += x[*queue.front().unwrap()] * x[i];
    }
    s
}

#[gradient]
fn both_ends(x: &[f64]) -> f64 {
    let mut queue = VecDeque::with_capacity(4);
    let mut s = 0.0;
    for &v in x {
        queue.push_back(v * v);
        if let Some(f) = queue.front_mut() {
            *f *= 0.5 + v;
        }
        if queue.len() > 3 {
            s += queue.pop_front().unwrap();
        }
        if let Some(b) = queue.back() {
            s += b * v;
        }
    }
    s + queue.front().copied().unwrap_or(0.3) * queue.back().unwrap_or(&1.0)
}

#[gradient]
fn collected(x: &[f64]) -> f64 {
    let mut queue: VecDeque<f64> = x.iter().map(|v| v * 2.0).collect();
    if let Some(b) = queue.back_mut() {
        *b = *b * *b;
    }
    let first = queue.front().map_or(0.1, |v| v * 3.0);
    first + queue.iter().sum::<f64>()
}

/// Breadth first through a tree in an array.
#[gradient]
fn breadth_first(x: &[f64]) -> f64 {
    let mut queue: VecDeque<usize> = VecDeque::new();
    let mut seen = vec![false; x.len()];
    let mut s = 0.0;
    if !x.is_empty() {
        queue.push_back(0);
    }
    while let Some(&i) = queue.front() {
        queue.remove(0);
        if seen[i] {
            continue;
        }
        seen[i] = true;
        s += x[i] * (1.0 + s * 0.1);
        for j in [2 * i + 1, i + 3] {
            if j < x.len() && !seen[j] {
                queue.push_back(j);
            }
        }
    }
    s
}

/// Another variable of the name is no queue: its methods are its own.
struct Ends(f64);

impl Ends {
    fn front(&self) -> f64 {
        self.0
    }
}

const ENDS: Ends = Ends(3.0);

#[gradient]
fn another_of_the_name(x: &[f64]) -> f64 {
    let q = &ENDS;
    let weight = q.front();
    let mut q = VecDeque::new();
    q.push_back(x[0] * x[1]);
    q[0] * weight
}

const POINTS: &[&[f64]] = &[
    &[0.7, 0.4, -0.3, 1.2, 0.9, -0.8, 0.35],
    &[-1.3, 0.9, 1.1, -0.2, 0.6],
    &[0.25, -0.75],
];

#[test]
fn ends_of_queues() {
    check(least_of_three, least_of_three_grad, POINTS);
    check(both_ends, both_ends_grad, POINTS);
    check(collected, collected_grad, POINTS);
    check(breadth_first, breadth_first_grad, POINTS);
    check(another_of_the_name, another_of_the_name_grad, POINTS);
}

#[test]
fn empty_queues() {
    assert_eq!(least_of_three_grad(&[]), (0.0, vec![]));
    assert_eq!(both_ends_grad(&[]), (0.3, vec![]));
    assert_eq!(collected_grad(&[]), (0.1, vec![]));
    assert_eq!(breadth_first_grad(&[]), (0.0, vec![]));
}

#[gradient]
fn parts_of_queues(x: &[f64]) -> f64 {
    let mut q = VecDeque::from(x.to_vec());
    q.extend(x.iter().map(|v| v * v));
    let tail = q.split_off(1);
    q.resize(3, x[0] * 0.5);
    q.insert(1, tail[0] * x[0]);
    let mut other: VecDeque<f64> = tail.into_iter().rev().collect();
    q.append(&mut other);
    q.retain(|v| *v > -0.9);
    if let Some(v) = q.remove(1) {
        q.push_front(v * x[1]);
    }
    let gone = q.remove(77).unwrap_or(x[0]);
    let drained: f64 = gone * q.drain(..2).map(|v| v * v).sum::<f64>();
    q.truncate(4);
    q.rotate_right(1);
    let rest: Vec<f64> = q.iter().map(|v| v + drained).collect();
    rest.iter().product::<f64>() + other.len() as f64
}

#[gradient]
fn made_from(x: &[f64]) -> f64 {
    let a: VecDeque<f64> = vec![x[0], x[1] * x[0]].into();
    let mut b = VecDeque::from([x[1], x[0] * 2.0]);
    let c = std::mem::take(&mut b);
    b.push_front(c[0] * a[1]);
    let d = b.clone();
    std::mem::swap(&mut b[0], &mut a.clone()[0]);
    b[0] + d[0] * c.iter().zip(&a).map(|(u, v)| u * v).sum::<f64>()
}

/// The greatest of each window, whose places wait in a queue that another function is given.
#[gradient]
fn greatest(x: &[f64], places: &VecDeque<usize>) -> f64 {
    let mut s = 0.0;
    for k in places {
        s += x[*k];
    }
    s * x[places[0]] * x[*places.back().unwrap()]
}

#[gradient]
fn places_given(x: &[f64]) -> f64 {
    let mut places: VecDeque<usize> = (0..x.len()).collect();
    places.retain(|k| k % 2 == 0);
    greatest(x, &places)
}

/// A region that runs twice, and a window that slides in it.
#[gradient]
fn in_a_region(x: &[f64]) -> f64 {
    let mut q: VecDeque<f64> = VecDeque::new();
    let mut s = 0.0;
    #[checkpoint]
    for &v in x {
        q.push_back(v * v);
        if q.len() > 2 {
            s += q.pop_front().unwrap() * v;
        }
        for e in &mut q {
            *e *= v;
        }
    }
    s + q.iter().sum::<f64>()
}

#[test]
fn other_methods_of_queues() {
    check(parts_of_queues, parts_of_queues_grad, &POINTS[..2]);
    check(made_from, made_from_grad, POINTS);
    check(places_given, places_given_grad, POINTS);
    check(in_a_region, in_a_region_grad, POINTS);
}
