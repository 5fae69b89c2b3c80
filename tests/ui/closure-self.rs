use retrograde::gradient;

#[gradient]
fn twice<F: Fn(f64) -> f64>(f: F, x: f64) -> f64 {
    f(f(x))
}

#[gradient]
trait Doubling {
    fn slope(&self, x: f64) -> f64;

    fn doubled(&self, x: f64) -> f64 {
        twice(|t| self.slope(t), x)
    }
}

fn main() {}
