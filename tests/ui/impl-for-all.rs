use retrograde::gradient;

trait Low {
    fn low(&self) -> f64;
}

trait Twice {
    fn twice(&self) -> f64;
}

#[gradient]
impl<T: Low> Twice for T {
    fn twice(&self) -> f64 {
        2.0 * self.low()
    }
}

fn main() {}
