//! A fit: Levenberg–Marquardt over a model's gradients, then a refinement.
//!
//! The minimiser is the crate `levenberg-marquardt`, a port of MINPACK's `lmder`. Every problem and
//! every start has the same settings:
//!
//! - `ftol = xtol = gtol = 0`: it goes on until no step in double precision reduces the residual
//!   sum of squares, which the crate reports as `NoImprovementPossible` and which is success here.
//! - `stepbound = 1`: the first step is at most as long as the scaled starting point. MINPACK's
//!   default of 100 lets that step leave the region where a model depends on its parameters at
//!   all; from its first start `BoxBOD` then ends on a plateau.
//!
//! At a minimum the sum of squares is flat, so comparing two of them places the parameters to about
//! half the digits of a double. The gradient is not flat there: where the minimiser has arrived,
//! Gauss–Newton steps go on until the gradient is rounding noise.

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use nalgebra::DVector;

use super::archive::Problem;
use super::models::Model;
use super::regression::Regression;

/// Bound for the first step, relative to the scaled starting point.
const STEP_BOUND: f64 = 1.0;

/// At most so many evaluations of the residuals, times the number of parameters plus one.
const PATIENCE: usize = 2000;

/// A larger relative offset than this is not the neighbourhood of a minimum: nothing to refine.
const ARRIVED: f64 = 1e-4;

/// Steps of the refinement at most.
const REFINEMENTS: usize = 20;

/// Where a fit ended, and what it took.
#[derive(Debug, Clone)]
pub(crate) struct Fit {
    /// Where Levenberg–Marquardt ended.
    pub(crate) minimised: Vec<f64>,
    /// The fitted parameters: the same, refined.
    pub(crate) parameters: Vec<f64>,
    /// Residual sum of squares at the fitted parameters.
    pub(crate) rss: f64,
    /// Jacobians computed, one an iteration.
    pub(crate) iterations: usize,
    /// Residual vectors computed.
    pub(crate) evaluations: usize,
    /// Why Levenberg–Marquardt ended.
    pub(crate) ending: &'static str,
}

/// Fits `model` to the data of `problem` from `start`.
pub(crate) fn fit(problem: &Problem, model: &Model, start: &[f64]) -> Fit {
    let settings = LevenbergMarquardt::new()
        .with_ftol(0.0)
        .with_xtol(0.0)
        .with_gtol(0.0)
        .with_stepbound(STEP_BOUND)
        .with_patience(PATIENCE);
    let (mut regression, report) = settings.minimize(Regression::new(problem, model, start));
    let minimised = regression.params().as_slice().to_vec();
    refine(&mut regression);
    Fit {
        minimised,
        parameters: regression.params().as_slice().to_vec(),
        rss: regression
            .residuals()
            .map_or(f64::NAN, |r| r.norm_squared()),
        iterations: regression.jacobians(),
        evaluations: regression.evaluations(),
        ending: explain(&report.termination),
    }
}

/// Gauss–Newton steps for as long as each has a smaller relative offset than the one before.
fn refine(regression: &mut Regression<'_>) {
    let mut last = ARRIVED;
    for _ in 0..REFINEMENTS {
        match gauss_newton(regression) {
            Some((step, offset)) if offset < last => {
                last = offset;
                let refined = regression.params() - step;
                regression.set_params(&refined);
            }
            _ => break,
        }
    }
}

/// The step that solves the linearised problem, and the relative offset: the part of the residuals
/// that a change of the parameters can still remove, relative to all of them (Bates and Watts, "A
/// relative offset orthogonality convergence criterion for nonlinear least squares",
/// Technometrics 23, 1981).
fn gauss_newton(regression: &Regression<'_>) -> Option<(DVector<f64>, f64)> {
    let residuals = regression.residuals()?;
    let qr = regression.jacobian()?.qr();
    let removable = qr.q().tr_mul(&residuals);
    let step = qr.r().solve_upper_triangular(&removable)?;
    Some((step, removable.norm() / residuals.norm()))
}

/// The minimiser's end in words.
fn explain(termination: &TerminationReason) -> &'static str {
    match termination {
        TerminationReason::NoImprovementPossible(_) | TerminationReason::Converged { .. } => {
            "no step in double precision reduces the sum of squares"
        }
        TerminationReason::Orthogonal => "the gradient vanishes exactly",
        TerminationReason::ResidualsZero => "the residuals vanish exactly",
        TerminationReason::LostPatience => "too many evaluations",
        TerminationReason::Numerical(_) => "infinite or NaN values",
        TerminationReason::User(_)
        | TerminationReason::NoParameters
        | TerminationReason::NoResiduals
        | TerminationReason::WrongDimensions(_) => "the model does not match the data",
    }
}
