use retrograde::gradient;

struct Spring {
    stiffness: f64,
}

trait Energy {
    fn energy(&self, x: f64) -> f64;
}

#[gradient]
impl Energy for Spring {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * x * x
    }
}

fn main() {}
