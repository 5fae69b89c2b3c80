use retrograde::gradient;

trait Smooth {
    fn smooth(self) -> f64;
}

impl Smooth for f64 {
    fn smooth(self) -> f64 {
        self * self / (1.0 + self * self)
    }
}

#[gradient]
fn smoothed(x: f64) -> f64 {
    x * x.smooth()
}

fn main() {}
