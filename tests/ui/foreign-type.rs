//! What has no functions of its own, and cannot have the sweeps of a trait's in its `impl`.

use retrograde::gradient;

trait Energy {
    fn energy(&self, x: f64) -> f64;
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

#[gradient]
impl Energy for [f64] {
    fn energy(&self, x: f64) -> f64 {
        self[0] * x
    }
}

fn main() {}
