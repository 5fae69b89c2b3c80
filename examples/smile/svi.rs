//! A smile with five parameters, and its fit to volatilities.
//!
//! J. Gatheral, *A parsimonious arbitrage-free implied volatility parameterization with application to the valuation
//! of volatility derivatives*, Global Derivatives, Madrid 2004.

use std::fmt;

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::{DMatrix, DVector, Dyn, Owned};
use retrograde::{Differentiable, Flat, gradient};

/// The variance `a + b (ρ (k - m) + √((k - m)² + σ²))` until expiry, of the logarithm `k` of strike over forward.
#[derive(Clone, Debug, PartialEq, Differentiable)]
pub(crate) struct Svi {
    /// The level.
    pub(crate) a: f64,
    /// How steep the wings are.
    pub(crate) b: f64,
    /// How much steeper the right one is than the left, between -1 and 1.
    pub(crate) rho: f64,
    /// Where the wings meet.
    pub(crate) m: f64,
    /// How round the curve is there.
    pub(crate) sigma: f64,
}

#[gradient]
impl Svi {
    /// The volatility, per square root of a year.
    pub(crate) fn volatility(&self, #[constant] k: f64, #[constant] years: f64) -> f64 {
        let k = k - self.m;
        let variance = self.a + self.b * (self.rho * k + k.hypot(self.sigma));
        (variance / years).sqrt()
    }
}

/// A volatility that a price implies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Implied {
    /// The logarithm of strike over forward.
    pub(crate) k: f64,
    pub(crate) volatility: f64,
    /// How far it may be off, as the price is rounded.
    pub(crate) error: f64,
}

/// Why there is no smile.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NoSmile {
    /// So many volatilities.
    TooFew(usize),
    /// The search ended at parameters that are no smile.
    Ended(Svi),
}

impl fmt::Display for NoSmile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSmile::TooFew(found) => write!(
                f,
                "{found} quotes do not determine five parameters\nhelp: give quotes of more strikes"
            ),
            NoSmile::Ended(svi) => write!(
                f,
                "the search ended at {svi:?}, which is no smile\nhelp: look for quotes that are out of line, and check \
                 `--forward`"
            ),
        }
    }
}

impl std::error::Error for NoSmile {}

/// The smile for which the sum of squared differences, in units of the volatilities' errors, is least.
///
/// # Errors
///
/// When there are fewer volatilities than parameters, or the search does not find a smile.
pub(crate) fn fit(implied: &[Implied], years: f64) -> Result<Svi, NoSmile> {
    let guess = guess(implied, years);
    if implied.len() < guess.len_flat() {
        return Err(NoSmile::TooFew(implied.len()));
    }
    let start = Misfit {
        implied,
        years,
        svi: guess,
    };
    let (Misfit { mut svi, .. }, report) = LevenbergMarquardt::new().minimize(start);
    // The curve depends on the square.
    svi.sigma = svi.sigma.abs();
    let smile = svi.b >= 0.0 && svi.rho.abs() <= 1.0;
    if report.termination.was_successful() && smile {
        Ok(svi)
    } else {
        Err(NoSmile::Ended(svi))
    }
}

/// A symmetric smile whose level is that of the least volatility.
fn guess(implied: &[Implied], years: f64) -> Svi {
    const SLOPE: f64 = 0.1;
    const WIDTH: f64 = 0.1;
    let least = implied
        .iter()
        .map(|i| i.volatility)
        .fold(f64::INFINITY, f64::min);
    let level = least * least * years;
    Svi {
        a: 0.5 * level,
        b: SLOPE,
        rho: 0.0,
        m: 0.0,
        sigma: WIDTH,
    }
}

/// What the minimiser asks for.
struct Misfit<'a> {
    implied: &'a [Implied],
    years: f64,
    svi: Svi,
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Misfit<'_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, parameters: &DVector<f64>) {
        self.svi.set_flat(parameters.as_slice());
    }

    fn params(&self) -> DVector<f64> {
        self.svi.to_flat().into()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        let residual =
            |i: &Implied| (self.svi.volatility(i.k, self.years) - i.volatility) / i.error;
        let residuals =
            DVector::from_iterator(self.implied.len(), self.implied.iter().map(residual));
        residuals.iter().all(|r| r.is_finite()).then_some(residuals)
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let mut jacobian = DMatrix::zeros(self.implied.len(), self.svi.len_flat());
        for (mut row, i) in jacobian.row_iter_mut().zip(self.implied) {
            let (_, slope) = self.svi.volatility_grad(i.k, self.years);
            row.copy_from_slice(&slope.to_flat());
            row /= i.error;
        }
        jacobian.iter().all(|d| d.is_finite()).then_some(jacobian)
    }
}
