use retrograde::gradient;

#[gradient]
trait Potential {
    fn energy(x: f64) -> f64;
}

trait Force {
    #[gradient]
    fn force(x: f64) -> f64;
}

fn main() {}
