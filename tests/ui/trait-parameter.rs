use retrograde::gradient;

#[gradient]
trait Mixed<V> {
    fn mixed(&self, y: &V) -> f64;
}

#[gradient]
impl Mixed<f64> for f64 {
    fn mixed(&self, y: &f64) -> f64 {
        self * y
    }
}

fn main() {}
