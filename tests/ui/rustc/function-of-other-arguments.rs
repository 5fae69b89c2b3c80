use retrograde::{differentiable, gradient};

#[gradient]
fn of_slices<F: Fn(&[f64]) -> f64>(f: F, x: &[f64]) -> f64 {
    f(x) * f(&x[1..])
}

#[gradient]
fn bell(x: f64) -> f64 {
    (-x * x).exp()
}

#[gradient]
fn of_numbers(x: f64) -> f64 {
    of_slices(bell, &[x, x]) + of_slices(|v| v * x, &[x, x])
}

fn main() {
    let _ = of_slices_grad(differentiable!(|x: f64| x), &[1.0]);
}
