use retrograde::gradient;

#[gradient]
fn decay<F: Iterator>(rates: F, x: f64) -> f64 {
    x * rates.count() as f64
}

#[gradient]
fn product<A: Copy + std::ops::Mul<B, Output = A>, B: Copy>(a: A, b: B) -> A {
    a * b
}

fn main() {}
