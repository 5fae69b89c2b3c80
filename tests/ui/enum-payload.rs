use retrograde::gradient;

enum Law {
    Linear(f64),
    Square,
}

#[gradient]
fn apply(#[constant] law: Law, x: f64) -> f64 {
    match law {
        Law::Linear(slope) => slope * x,
        Law::Square => x * x,
    }
}

fn main() {}
