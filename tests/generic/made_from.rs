//! Parameters from which other types are made: `where Celsius: From<T>`.

use retrograde::{Differentiable, Record, gradient};

use crate::support::check;

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Differentiable, Record)]
struct Kelvin(f64);

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Differentiable, Record)]
struct Celsius(f64);

#[derive(Clone, Copy, Debug, PartialEq, Differentiable, Record)]
struct Pressure(f64);

#[gradient]
impl From<Celsius> for Kelvin {
    fn from(t: Celsius) -> Self {
        Kelvin(1.5 * t.0 + 273.15)
    }
}

#[gradient]
impl From<Kelvin> for Celsius {
    fn from(t: Kelvin) -> Self {
        Celsius((t.0 - 273.15) / 1.5)
    }
}

trait Temperature: Copy {}

impl Temperature for Kelvin {}
impl Temperature for Celsius {}

#[gradient]
fn pressure<T>(t: T) -> Option<Pressure>
where
    T: Temperature + PartialOrd<Celsius>,
    Celsius: From<T>,
{
    if t > Celsius(100.0) {
        return None;
    }
    let Celsius(t) = Celsius::from(t);
    Some(Pressure(6.1 * f64::exp(17.6 * t / (t + 243.3))))
}

impl PartialEq<Celsius> for Kelvin {
    fn eq(&self, other: &Celsius) -> bool {
        Celsius::from(*self).0 == other.0
    }
}

impl PartialOrd<Celsius> for Kelvin {
    fn partial_cmp(&self, other: &Celsius) -> Option<std::cmp::Ordering> {
        Celsius::from(*self).0.partial_cmp(&other.0)
    }
}

/// The same parameter is made into two types, and another one into one of these.
#[gradient]
fn ratio<S, T>(s: S, t: T, by: f64) -> f64
where
    S: Temperature,
    T: Temperature,
    Kelvin: From<S> + From<T>,
    Celsius: From<S>,
{
    let (kelvin, Celsius(celsius)) = (Kelvin::from(s), Celsius::from(s));
    let Kelvin(other) = Kelvin::from(t);
    by * kelvin.0 * celsius / other
}

#[gradient]
fn of_kelvin(t: f64) -> f64 {
    pressure(Kelvin(t)).map_or(0.0, |p| p.0)
}

#[gradient]
fn of_celsius(t: f64) -> f64 {
    pressure(Celsius(t)).map_or(0.0, |p| p.0)
}

#[gradient]
fn of_both(s: f64, t: f64, by: f64) -> f64 {
    ratio(Celsius(s), Kelvin(t), by) + ratio(Kelvin(s), Celsius(t), by)
}

#[test]
fn each_conversion_has_its_own_slope() {
    check(
        |p| of_kelvin(p[0]),
        |p| of_kelvin_grad(p[0]),
        &[&[290.0], &[260.0]],
    );
    check(
        |p| of_celsius(p[0]),
        |p| of_celsius_grad(p[0]),
        &[&[20.0], &[-10.0], &[120.0]],
    );
    check(
        |p| of_both(p[0], p[1], p[2]),
        |p| {
            let (value, (ds, dt, dby)) = of_both_grad(p[0], p[1], p[2]);
            (value, [ds, dt, dby])
        },
        &[&[20.0, 280.0, 1.5]],
    );
}
