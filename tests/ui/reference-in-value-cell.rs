use retrograde::{Differentiable, gradient};
use std::cell::Cell;

#[derive(Clone, Differentiable)]
struct Body {
    mass: f64,
    #[constant]
    seen: Counter,
}

#[derive(Clone)]
struct Counter(Cell<u32>);

#[gradient]
fn heaviest(a: &Body, b: &Body) -> f64 {
    let all = vec![a, b];
    let mut most = 0.0;
    for body in &all {
        body.seen.0.set(1);
        if body.mass > most {
            most = body.mass;
        }
    }
    most
}

fn main() {}
