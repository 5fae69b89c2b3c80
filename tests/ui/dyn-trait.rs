use retrograde::gradient;

trait Potential {
    fn energy(&self, x: f64) -> f64;
}

#[gradient]
fn energy(potential: &dyn Potential, x: f64) -> f64 {
    potential.energy(x)
}

fn main() {}
