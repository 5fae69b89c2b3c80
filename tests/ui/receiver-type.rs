use retrograde::gradient;

struct Spring {
    stiffness: f64,
}

impl Spring {
    #[gradient]
    fn energy(self: Box<Self>, x: f64) -> f64 {
        0.5 * self.stiffness * x * x
    }
}

fn main() {}
