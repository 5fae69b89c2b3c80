//! Least squares, and how well the data determine the parameters.
//!
//! With the Jacobian `J = QR` at the minimum and the residual variance `s²`, the parameters have the covariance
//! `s² R⁻¹ R⁻ᵀ` (Bates and Watts, *Nonlinear Regression Analysis and Its Applications*, section 2.2), and intervals
//! are quantiles of Student's t times standard errors.

use std::fmt;

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::{DMatrix, DVector, Dyn, Owned};
use retrograde::special::student_t_cdf;

use crate::models::{Model, Point};

/// A parameter.
#[derive(Debug)]
pub(crate) struct Estimate {
    pub(crate) value: f64,
    /// Its standard error.
    pub(crate) error: f64,
    /// Its ends hold the true value with the confidence of the fit, as far as the model is linear.
    pub(crate) interval: [f64; 2],
}

/// A fitted curve.
#[derive(Debug)]
pub(crate) struct Fit {
    pub(crate) model: &'static Model,
    pub(crate) estimates: Vec<Estimate>,
    /// The residual standard error.
    pub(crate) scale: f64,
    /// Observations less parameters.
    pub(crate) freedom: usize,
    pub(crate) confidence: f64,
    /// The quantile of Student's t that belongs to the confidence.
    quantile: f64,
    /// `R⁻¹`.
    inverse: DMatrix<f64>,
}

impl Fit {
    /// The curve at `x`, and half of the width of its confidence band there.
    pub(crate) fn at(&self, x: f64) -> (f64, f64) {
        let parameters: Vec<f64> = self.estimates.iter().map(|e| e.value).collect();
        let (value, gradient) = (self.model.gradient)(&parameters, x);
        let spread = self.inverse.tr_mul(&DVector::from_vec(gradient)).norm();
        (value, self.quantile * self.scale * spread)
    }
}

/// Why there is no fit, and what to do.
#[derive(Debug, PartialEq)]
pub(crate) enum NoFit {
    /// Not between 0 and 1.
    Confidence(f64),
    /// Numbers in `--start`, parameters.
    Start(usize, usize),
    /// Points, parameters.
    TooFew(usize, usize),
    /// The model has no finite value or slope where the search came to.
    NotFinite,
    /// The Jacobian at the end has linearly dependent columns.
    Undetermined,
}

impl fmt::Display for NoFit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoFit::Confidence(found) => write!(
                f,
                "{found} is no confidence\nhelp: it lies between 0 and 1: `--confidence 0.95`"
            ),
            NoFit::Start(found, wanted) => write!(
                f,
                "the model has {wanted} parameters, `--start` has {found} numbers"
            ),
            NoFit::TooFew(points, parameters) => write!(
                f,
                "{points} points do not determine {parameters} parameters and their errors\nhelp: there have to be \
                 more points than parameters"
            ),
            NoFit::NotFinite => f.write_str(
                "the model is not finite at the data\nhelp: give other parameters to start from: `--start a,b,…`",
            ),
            NoFit::Undetermined => f.write_str(
                "the data do not determine the parameters: several changes of them have the same effect\nhelp: choose \
                 a model with fewer parameters, or other parameters to start from: `--start a,b,…`",
            ),
        }
    }
}

impl std::error::Error for NoFit {}

/// Fits `model` to the points.
///
/// # Errors
///
/// When the arguments do not fit together, or the search ends where the errors of the parameters are not defined.
pub(crate) fn fit(
    model: &'static Model,
    points: &[Point],
    start: &[f64],
    confidence: f64,
) -> Result<Fit, NoFit> {
    let parameters = model.parameters.len();
    if !(confidence > 0.0 && confidence < 1.0) {
        return Err(NoFit::Confidence(confidence));
    }
    if start.len() != parameters {
        return Err(NoFit::Start(start.len(), parameters));
    }
    if points.len() <= parameters {
        return Err(NoFit::TooFew(points.len(), parameters));
    }
    let regression = Regression {
        model,
        points,
        parameters: DVector::from_column_slice(start),
    };
    let (regression, _) = LevenbergMarquardt::new().minimize(regression);
    let residuals = regression.residuals().ok_or(NoFit::NotFinite)?;
    let jacobian = regression.jacobian().ok_or(NoFit::NotFinite)?;
    let inverse = determined(jacobian).ok_or(NoFit::Undetermined)?;
    let freedom = points.len() - parameters;
    let scale = (residuals.norm_squared() / freedom as f64).sqrt();
    let quantile = student_t_quantile(0.5 + 0.5 * confidence, freedom as f64);
    let estimates = (regression.parameters.iter().enumerate()).map(|(k, &value)| {
        let error = scale * inverse.row(k).norm();
        Estimate {
            value,
            error,
            interval: [value - quantile * error, value + quantile * error],
        }
    });
    Ok(Fit {
        model,
        estimates: estimates.collect(),
        scale,
        freedom,
        confidence,
        quantile,
        inverse,
    })
}

/// `R⁻¹` of `J = QR`, unless the columns of `J` are linearly dependent up to rounding.
fn determined(mut jacobian: DMatrix<f64>) -> Option<DMatrix<f64>> {
    // Whatever units the parameters have.
    let lengths: Vec<f64> = jacobian.column_iter().map(|column| column.norm()).collect();
    for (mut column, &length) in jacobian.column_iter_mut().zip(&lengths) {
        column /= length;
    }
    let r = jacobian.qr().r();
    let smallest = r.diagonal().amin();
    // A NaN is no determined parameter either.
    if smallest.is_nan() || smallest <= f64::EPSILON.sqrt() {
        return None;
    }
    let identity = DMatrix::identity(lengths.len(), lengths.len());
    let mut inverse = r.solve_upper_triangular(&identity)?;
    for (mut row, length) in inverse.row_iter_mut().zip(lengths) {
        row /= length;
    }
    Some(inverse)
}

/// The number that Student's t with `nu` degrees of freedom stays below with probability `p`, by bisection.
fn student_t_quantile(p: f64, nu: f64) -> f64 {
    let mut high = 1.0;
    while student_t_cdf(high, nu) < p && high < f64::MAX / 2.0 {
        high *= 2.0;
    }
    let mut low = -high;
    loop {
        let middle = 0.5 * (low + high);
        // No number lies between them any more.
        if middle <= low || middle >= high {
            return high;
        }
        if student_t_cdf(middle, nu) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// What the minimiser asks for.
struct Regression<'a> {
    model: &'static Model,
    points: &'a [Point],
    parameters: DVector<f64>,
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Regression<'_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, parameters: &DVector<f64>) {
        self.parameters.copy_from(parameters);
    }

    fn params(&self) -> DVector<f64> {
        self.parameters.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        let b = self.parameters.as_slice();
        let residuals = self
            .points
            .iter()
            .map(|&(x, y)| (self.model.value)(b, x) - y);
        let residuals = DVector::from_iterator(self.points.len(), residuals);
        residuals.iter().all(|r| r.is_finite()).then_some(residuals)
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let b = self.parameters.as_slice();
        let mut jacobian = DMatrix::zeros(self.points.len(), b.len());
        for (mut row, &(x, _)) in jacobian.row_iter_mut().zip(self.points) {
            let (_, gradient) = (self.model.gradient)(b, x);
            row.copy_from_slice(&gradient);
        }
        jacobian.iter().all(|d| d.is_finite()).then_some(jacobian)
    }
}
