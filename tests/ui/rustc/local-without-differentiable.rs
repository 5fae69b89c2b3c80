use retrograde::gradient;
use std::collections::VecDeque;

#[gradient]
fn delayed(x: f64) -> f64 {
    let mut queue = VecDeque::from([0.0, 0.0]);
    queue[0] = x;
    queue[0] * queue[1]
}

fn main() {}
