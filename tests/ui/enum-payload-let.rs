use retrograde::gradient;

enum Law {
    Linear(f64),
    Square { factor: f64 },
}

enum Only {
    One(f64),
}

#[gradient]
fn apply(#[constant] law: Law, #[constant] only: Only, x: f64) -> f64 {
    let Only::One(offset) = only;
    let mut factor = 1.0;
    let Law::Square { .. } = law else {
        return offset;
    };
    Law::Square { factor } = law;
    factor * x * x
}

fn main() {}
