use retrograde::{differentiable, gradient};

#[gradient]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

fn main() {
    let _ = twice_grad(differentiable!(2.0), 1.0);
    let _ = twice_grad(differentiable!(|x| x; twice), 1.0);
}
