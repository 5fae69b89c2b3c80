use retrograde::gradient;

enum Only {
    One(f64),
}

#[gradient]
fn apply(#[constant] only: Only, x: f64) -> f64 {
    let factor;
    Only::One(factor) = only;
    let Only::One(offset) = only;
    factor * x + offset
}

fn main() {}
