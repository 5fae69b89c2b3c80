use retrograde::{gradient, no_gradient};

#[gradient]
fn first(x: f64, limit: f64) -> f64 {
    let bound = no_gradient(if limit > 0.0 { limit } else { return x });
    x * bound
}

fn main() {}
