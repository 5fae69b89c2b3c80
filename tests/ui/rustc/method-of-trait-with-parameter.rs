use retrograde::{Differentiable, gradient};

#[gradient]
trait System<V> {
    fn system(&self, y: &V) -> V;
}

#[gradient]
fn twice<S: System<f64> + Differentiable>(s: &S, y: f64) -> f64 {
    2.0 * s.system(&y)
}

fn main() {}
