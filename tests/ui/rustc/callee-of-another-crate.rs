use num_traits::clamp;
use retrograde::gradient;

// A function of another crate has no derivative, whatever it does.
#[gradient]
fn by_path(x: f64) -> f64 {
    x * num_traits::clamp_min(x, 3.0)
}

#[gradient]
fn imported(x: f64) -> f64 {
    let base = clamp(0.5, 0.0, 1.0);
    clamp(x, base, 1.0)
}

#[gradient]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * x
}

#[gradient]
fn given(x: f64) -> f64 {
    apply(num_traits::abs, x)
}

fn main() {}
