//! Prices of options by Black's formula, and the volatility that a price implies.
//!
//! F. Black, *The pricing of commodity contracts*, Journal of Financial Economics 3 (1976), 167–179.

use std::fmt;

use retrograde::special::normal_cdf;
use retrograde::{Differentiable, gradient};

use crate::roots::root;

/// Volatilities between which one is looked for, per square root of a year.
const LOWEST: f64 = 1e-3;
const HIGHEST: f64 = 10.0;

/// What all options of one expiry share.
#[derive(Clone, Copy, Debug, Differentiable)]
pub(crate) struct Expiry {
    /// The price, agreed upon today, of the asset at expiry.
    pub(crate) forward: f64,
    /// The value today of one unit of money at expiry.
    pub(crate) discount: f64,
    /// Years from today.
    pub(crate) years: f64,
}

/// Whether an option is the right to buy or to sell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    Call,
    Put,
}

/// The price of an option at which it is traded.
#[derive(Clone, Copy, Debug, Differentiable)]
pub(crate) struct Quote {
    #[constant]
    pub(crate) right: Right,
    pub(crate) strike: f64,
    pub(crate) price: f64,
}

/// No volatility between the bounds gives an option its price: it is below what exercise is worth, or above what the
/// option can ever bring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NoVolatility {
    pub(crate) strike: f64,
    pub(crate) price: f64,
}

impl fmt::Display for NoVolatility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no volatility explains the price {} of the option with strike {}\nhelp: take the quote out, or check \
             `--forward`, `--rate` and `--years`",
            self.price, self.strike
        )
    }
}

impl std::error::Error for NoVolatility {}

/// Black's price.
#[gradient]
pub(crate) fn black(
    expiry: &Expiry,
    #[constant] right: Right,
    strike: f64,
    volatility: f64,
) -> f64 {
    let spread = volatility * expiry.years.sqrt();
    let d1 = (expiry.forward / strike).ln() / spread + 0.5 * spread;
    let d2 = d1 - spread;
    let undiscounted = match right {
        Right::Call => expiry.forward * normal_cdf(d1) - strike * normal_cdf(d2),
        Right::Put => strike * normal_cdf(-d2) - expiry.forward * normal_cdf(-d1),
    };
    expiry.discount * undiscounted
}

/// The volatility with which Black's formula gives the price that is quoted.
///
/// # Errors
///
/// When there is none.
#[gradient]
pub(crate) fn implied_volatility(expiry: &Expiry, quote: &Quote) -> Result<f64, NoVolatility> {
    let excess =
        |volatility: f64| black(expiry, quote.right, quote.strike, volatility) - quote.price;
    root(excess, LOWEST, HIGHEST).ok_or(NoVolatility {
        strike: quote.strike,
        price: quote.price,
    })
}
