use retrograde::gradient;

enum Law {
    Linear { slope: f64 },
    Square,
}

#[gradient]
fn apply(slope: f64, x: f64) -> f64 {
    let law = if x > 0.0 {
        Law::Linear { slope }
    } else {
        Law::Square
    };
    match law {
        Law::Linear { slope } => slope * x,
        Law::Square => x * x,
    }
}

#[gradient]
fn of_parameter(law: &Law, x: f64) -> f64 {
    if let Law::Linear { slope } = law {
        return slope * x;
    }
    x
}

fn main() {}
