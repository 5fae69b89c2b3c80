use retrograde::gradient;

#[gradient]
trait Mixed<V> {
    fn mixed(&self, y: &V) -> f64;
}

trait Low {
    fn low(&self) -> f64;
}

#[gradient]
impl<V: Low> Mixed<V> for f64 {
    fn mixed(&self, y: &V) -> f64 {
        self * y.low()
    }
}

fn main() {}
