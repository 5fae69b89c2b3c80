//! A function beside a module of its name.

use retrograde::gradient;

use crate::support::check;

mod earth {
    pub const TERMS: [(f64, f64); 3] = [(1.0, 0.3), (0.25, 1.1), (0.01, 5.0)];
    pub fn scale() -> f64 {
        2.0
    }
}
mod sun {
    pub fn weight() -> f64 {
        0.5
    }
}

/// As in tables of series: the data lie in the module, the function beside it.
#[gradient]
fn earth(t: f64) -> f64 {
    let mut sum = 0.0;
    for (amplitude, phase) in earth::TERMS.iter() {
        sum += amplitude * (phase + t).cos();
    }
    sum * earth::scale()
}

#[gradient]
pub fn sun(t: f64, k: f64) -> f64 {
    earth(t) * sun::weight() * k
}

/// Calls both, one of them in a closure, one as an argument.
#[gradient]
fn both(t: f64, k: f64) -> f64 {
    let at = |s: f64| earth(s * k);
    at(t) + sun(t, k) + twice(earth, t)
}

#[gradient]
fn twice(f: impl Fn(f64) -> f64, t: f64) -> f64 {
    f(t) + f(2.0 * t)
}

mod inner {
    use retrograde::gradient;

    mod moon {}

    #[gradient]
    pub fn moon(t: f64) -> f64 {
        let deeper = || moon_of(t);
        deeper() * t
    }

    #[gradient]
    fn moon_of(t: f64) -> f64 {
        t.sin()
    }

    #[gradient]
    pub fn orbit(t: f64) -> f64 {
        if t > 0.0 { moon(t) } else { t }
    }
}

/// A module of this name is no crate.
mod libm {
    use retrograde::gradient;

    #[gradient]
    pub fn tan(x: f64) -> f64 {
        x * x
    }
}

#[gradient]
fn own_library(x: f64) -> f64 {
    libm::tan(x) + x
}

#[test]
fn a_module_of_the_name_is_not_in_the_way() {
    check(|p| earth(p[0]), |p| earth_grad(p[0]), &[&[0.4], &[-2.0]]);
    check(
        |p| sun(p[0], p[1]),
        |p| sun_grad(p[0], p[1]),
        &[&[0.4, 1.5]],
    );
    check(
        |p| both(p[0], p[1]),
        |p| both_grad(p[0], p[1]),
        &[&[0.4, 1.5]],
    );
    check(
        |p| inner::orbit(p[0]),
        |p| inner::orbit_grad(p[0]),
        &[&[0.4], &[-0.4]],
    );
    check(|p| own_library(p[0]), |p| own_library_grad(p[0]), &[&[0.4]]);
}
