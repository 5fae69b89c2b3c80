use retrograde::gradient;

struct Model;

impl Model {
    fn scale() -> f64 {
        2.0
    }

    #[gradient]
    fn energy(x: f64) -> f64 {
        x * x * Self::scale()
    }
}

fn main() {}
