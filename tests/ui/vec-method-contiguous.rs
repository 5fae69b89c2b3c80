use std::collections::VecDeque;

use retrograde::gradient;

#[gradient]
fn smallest(x: &[f64]) -> f64 {
    let mut queue: VecDeque<f64> = VecDeque::new();
    for v in x {
        queue.push_front(2.0 * v);
    }
    let all = queue.make_contiguous();
    all[0]
}

#[gradient]
fn picked(x: &[f64], rows: &[usize]) -> f64 {
    let mut queue: VecDeque<usize> = VecDeque::new();
    for row in rows {
        queue.push_front(*row);
    }
    // Of what has no derivative it is left to std.
    queue.make_contiguous().sort();
    x[queue[0]]
}

fn main() {}
