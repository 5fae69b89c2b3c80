use retrograde::gradient;

trait Cube {
    fn cube(self) -> Self;
}

impl Cube for f64 {
    fn cube(self) -> f64 {
        self * self * self
    }
}

#[gradient]
fn volume(x: f64) -> f64 {
    Cube::cube(x)
}

#[gradient]
trait Double {
    fn double(self) -> Self;
}

#[gradient]
impl Double for f64 {
    fn double(self) -> f64 {
        2.0 * self
    }
}

#[gradient]
fn doubled(x: f64) -> f64 {
    // Of a trait that has it, rustc finds the type.
    let y = <f64 as Double>::double(x);
    Double::double(y) * y.double()
}

fn main() {}
