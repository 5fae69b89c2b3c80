use retrograde::gradient;

trait Energy {
    fn energy(&self, x: f64) -> f64;

    #[gradient]
    fn twice(&self, x: f64) -> f64 {
        2.0 * self.energy(x)
    }
}

struct Spring;

impl Energy for Spring {
    #[gradient]
    fn energy(&self, x: f64) -> f64 {
        x * x
    }
}

fn main() {}
