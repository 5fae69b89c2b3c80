use retrograde::{differentiable, gradient};

#[gradient]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

fn plain(x: f64) -> f64 {
    x
}

fn main() {
    let _ = twice_grad(|x| x * x, 1.0);
    let _ = twice_grad(plain, 1.0);
    let _ = twice_grad(differentiable!(plain), 1.0);
}
