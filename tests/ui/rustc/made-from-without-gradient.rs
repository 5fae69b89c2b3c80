//! The conversion that a `where` clause asks for needs a derivative where the function is called.

use retrograde::{Differentiable, Record, gradient};

#[derive(Clone, Copy, Differentiable, Record)]
struct Kelvin(f64);

#[derive(Clone, Copy, Differentiable, Record)]
struct Celsius(f64);

impl From<Celsius> for Kelvin {
    fn from(t: Celsius) -> Self {
        Kelvin(t.0 + 273.15)
    }
}

#[gradient]
fn energy<T>(t: T) -> f64
where
    T: Copy,
    Kelvin: From<T>,
{
    let Kelvin(t) = Kelvin::from(t);
    1.5 * t
}

#[gradient]
fn of_celsius(t: f64) -> f64 {
    energy(Celsius(t))
}

fn main() {}
