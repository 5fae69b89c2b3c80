use retrograde::gradient;

#[gradient]
fn decay<F: Fn(f64) -> f64>(rate: F, x: f64) -> f64 {
    x * rate(2.0)
}

#[gradient]
fn product<A: Copy + std::ops::Mul<B, Output = A>, B: Copy>(a: A, b: B) -> A {
    a * b
}

fn main() {}
