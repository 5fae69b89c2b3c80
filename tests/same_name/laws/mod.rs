//! Functions beside modules of their names, which others import with the module.

/// With a function of its name beside it.
pub(crate) mod cdf;
pub(crate) mod scale;

mod tail;

pub(crate) use self::tail::*;
pub(crate) use scale::scale;

/// A module of the text.
pub(crate) mod spread {
    #[retrograde::gradient]
    pub(crate) fn width(x: f64) -> f64 {
        x.cosh()
    }
}

#[retrograde::gradient]
pub(crate) fn cdf(x: f64) -> f64 {
    cdf::logistic(x, 0.5)
}

#[retrograde::gradient]
pub(crate) fn spread(x: f64) -> f64 {
    spread::width(2.0 * x)
}

/// A type with a method of the name of a module, which no function has.
pub(crate) struct Law;

impl Law {
    pub(crate) fn width(&self) -> f64 {
        2.0
    }
}
