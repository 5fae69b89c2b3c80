use retrograde::{Differentiable, gradient};

trait FloatOps {
    fn sin(x: f64) -> f64;
}

trait Outline {
    fn of_edge(x: f64) -> f64;
    fn covered(&self, x: f64) -> f64;
}

#[derive(Differentiable)]
struct Scaled<S> {
    shape: S,
}

#[gradient]
fn wave<T: FloatOps>(x: f64) -> f64 {
    2.0 * T::sin(x)
}

#[gradient]
fn side<T>(x: f64) -> f64
where
    T: Outline + Copy,
{
    T::of_edge(x) * x
}

#[gradient]
impl<S: Outline> Scaled<S> {
    fn cover(&self, x: f64) -> f64 {
        S::of_edge(x) * self.shape.covered(x)
    }
}

fn main() {}
