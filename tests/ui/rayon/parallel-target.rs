use retrograde::gradient;

#[gradient]
fn while_loop(x: f64) -> f64 {
    let mut s = x;
    #[parallel]
    while s < 9.0 {
        s *= 2.0;
    }
    s
}

#[gradient]
fn statement(x: f64) -> f64 {
    #[parallel]
    let s = x * x;
    s
}

#[gradient]
fn argument(#[parallel] x: f64) -> f64 {
    x
}

#[gradient]
fn arguments(x: &[f64]) -> f64 {
    let mut s = 0.0;
    #[parallel(workers = 2)]
    for v in x {
        s += v * v;
    }
    s
}

fn main() {}
