//! Maximum likelihood: argmin's L-BFGS over the flat view of the parameters.

use std::cell::RefCell;

use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{CostFunction, Error, Executor, Gradient, IterState, KV, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use indicatif::ProgressBar;
use nalgebra::DMatrix;
use retrograde::{Differentiable, Flat, Tape};

use crate::model::{LocalLevel, Year};

/// Pairs of steps and gradients that the approximate Hessian is made of.
const MEMORY: usize = 7;

/// Iterations after which the search is given up.
const ITERATIONS: u64 = 200;

/// The search ends where the gradient is so short.
const TOLERANCE: f64 = 1e-8;

/// Distance of the gradients of which differences give second derivatives.
const STEP: f64 = 1e-4;

/// The maximum, and how well the record determines it.
#[derive(Debug)]
pub(crate) struct Fit {
    /// Where the likelihood is greatest.
    pub(crate) model: LocalLevel,
    /// The logarithm of it.
    pub(crate) log_likelihood: f64,
    /// The length of the gradient there.
    pub(crate) gradient: f64,
    /// Iterations of the search.
    pub(crate) iterations: u64,
    /// Standard errors of the parameters, in the order of the flat view. Not a number where the record does not
    /// determine them.
    pub(crate) errors: Vec<f64>,
}

/// Minus the logarithm of the likelihood, by parameters as a list.
struct Misfit<'a> {
    record: &'a [Year],
    /// Warm from one gradient to the next.
    tape: RefCell<Tape>,
    shape: LocalLevel,
}

impl Misfit<'_> {
    fn model(&self, parameters: &[f64]) -> LocalLevel {
        let mut model = self.shape.clone();
        model.set_flat(parameters);
        model
    }
}

impl CostFunction for Misfit<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, parameters: &Self::Param) -> Result<f64, Error> {
        Ok(-self.model(parameters).log_likelihood(self.record))
    }
}

impl Gradient for Misfit<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, parameters: &Self::Param) -> Result<Vec<f64>, Error> {
        let model = self.model(parameters);
        let mut slope = model.zero_tangent();
        model.log_likelihood_grad_into(&mut self.tape.borrow_mut(), &mut slope, self.record);
        Ok(slope.to_flat().iter().map(|entry| -entry).collect())
    }
}

/// Tells the bar how far the search is.
struct Progress(ProgressBar);

/// What the search knows between iterations.
type Searching = IterState<Vec<f64>, Vec<f64>, (), (), (), f64>;

impl Observe<Searching> for Progress {
    fn observe_iter(&mut self, state: &Searching, _: &KV) -> Result<(), Error> {
        self.0.set_position(state.get_iter());
        self.0
            .set_message(format!("log likelihood {:.4}", -state.get_cost()));
        Ok(())
    }
}

/// A guess for the search: half of the record's variance each.
pub(crate) fn guess(record: &[Year]) -> LocalLevel {
    let flows: Vec<f64> = record.iter().filter_map(|year| year.flow).collect();
    let count = flows.len() as f64;
    let mean = flows.iter().sum::<f64>() / count;
    let variance = flows.iter().map(|flow| (flow - mean).powi(2)).sum::<f64>() / count;
    LocalLevel {
        log_noise: (0.5 * variance).ln(),
        log_drift: (0.5 * variance).ln(),
    }
}

/// Finds the parameters that make the record most likely, from `start`.
///
/// # Errors
///
/// When the search breaks down, as it does on a record that never changes.
pub(crate) fn fit(record: &[Year], start: LocalLevel, bar: ProgressBar) -> Result<Fit, Error> {
    let misfit = Misfit {
        record,
        tape: RefCell::default(),
        shape: start.clone(),
    };
    let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY).with_tolerance_grad(TOLERANCE)?;
    let found = Executor::new(misfit, solver)
        .configure(|state| state.param(start.to_flat()).max_iters(ITERATIONS))
        .add_observer(Progress(bar), ObserverMode::Always)
        .run()?;
    let mut model = start;
    if let Some(parameters) = found.state.get_best_param() {
        model.set_flat(parameters);
    }
    let (log_likelihood, slope) = model.log_likelihood_grad(record);
    Ok(Fit {
        errors: errors(&model, record),
        log_likelihood,
        gradient: slope.to_flat().iter().map(|g| g * g).sum::<f64>().sqrt(),
        iterations: found.state.get_iter(),
        model,
    })
}

/// Standard errors: roots of the diagonal of the inverse of minus the Hessian, which is made of differences of exact
/// gradients.
fn errors(model: &LocalLevel, record: &[Year]) -> Vec<f64> {
    let at = model.to_flat();
    let gradient = |parameters: &[f64]| {
        let mut model = model.clone();
        model.set_flat(parameters);
        model.log_likelihood_grad(record).1.to_flat()
    };
    let count = at.len();
    let mut information = DMatrix::zeros(count, count);
    for column in 0..count {
        let (mut above, mut below) = (at.clone(), at.clone());
        above[column] += STEP;
        below[column] -= STEP;
        let (above, below) = (gradient(&above), gradient(&below));
        for row in 0..count {
            information[(row, column)] = (below[row] - above[row]) / (2.0 * STEP);
        }
    }
    match information.try_inverse() {
        Some(covariance) => covariance.diagonal().iter().map(|v| v.sqrt()).collect(),
        None => vec![f64::NAN; count],
    }
}
