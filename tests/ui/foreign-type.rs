//! What has no functions of its own: there is no place for what stands beside those of a trait.

use retrograde::gradient;

trait Energy {
    fn energy(&self, x: f64) -> f64;
}

#[gradient]
impl Energy for f64 {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self * x * x
    }
}

#[gradient]
impl Energy for [f64; 2] {
    fn energy(&self, x: f64) -> f64 {
        0.5 * self[0] * x * x
    }
}

#[gradient]
impl<E: Energy> Energy for Box<E> {
    fn energy(&self, x: f64) -> f64 {
        (**self).energy(x)
    }
}

#[gradient]
impl<E: Energy> Energy for &E {
    fn energy(&self, x: f64) -> f64 {
        (**self).energy(x)
    }
}

fn main() {}
