use retrograde::gradient;

#[gradient]
fn decay<F: Fn(f64) -> f64>(#[constant] rate: F, x: f64) -> f64 {
    x * rate(x)
}

#[gradient]
fn product<A: Copy + std::ops::Mul<B, Output = A>, B: Copy>(a: A, b: B) -> A {
    a * b
}

fn main() {}
