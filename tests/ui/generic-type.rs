use retrograde::gradient;

trait Model {
    fn rate(&self) -> f64;
}

#[gradient]
fn decay<M: Model>(#[constant] model: &M, x: f64) -> f64 {
    x * model.rate()
}

#[gradient]
fn product<A: Copy + std::ops::Mul<B, Output = A>, B: Copy>(a: A, b: B) -> A {
    a * b
}

fn main() {}
