//! A problem and its model as what a minimiser asks for: residuals and their Jacobian.

use std::cell::Cell;

use levenberg_marquardt::LeastSquaresProblem;
use nalgebra::{DMatrix, DVector, Dyn, Owned};

use super::archive::Problem;
use super::models::Model;

/// The residuals `model(b, x) − y` of a problem as a function of `b`.
pub(crate) struct Regression<'a> {
    problem: &'a Problem,
    model: &'a Model,
    parameters: DVector<f64>,
    evaluations: Cell<usize>,
    jacobians: Cell<usize>,
}

impl<'a> Regression<'a> {
    /// The regression at the parameters `start`, nothing evaluated yet.
    pub(crate) fn new(problem: &'a Problem, model: &'a Model, start: &[f64]) -> Regression<'a> {
        Regression {
            problem,
            model,
            parameters: DVector::from_column_slice(start),
            evaluations: Cell::new(0),
            jacobians: Cell::new(0),
        }
    }

    /// How often the residuals were computed.
    pub(crate) fn evaluations(&self) -> usize {
        self.evaluations.get()
    }

    /// How often the Jacobian was computed.
    pub(crate) fn jacobians(&self) -> usize {
        self.jacobians.get()
    }
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Regression<'_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, b: &DVector<f64>) {
        self.parameters.copy_from(b);
    }

    fn params(&self) -> DVector<f64> {
        self.parameters.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        self.evaluations.set(self.evaluations.get() + 1);
        let b = self.parameters.as_slice();
        let observations = &self.problem.observations;
        let mut residuals = DVector::zeros(observations.len());
        for (residual, observation) in residuals.iter_mut().zip(observations) {
            let value = (self.model.value)(b, &observation.x)?;
            *residual = value - self.model.response.of(observation.y);
        }
        Some(residuals)
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        self.jacobians.set(self.jacobians.get() + 1);
        let b = self.parameters.as_slice();
        let observations = &self.problem.observations;
        let mut jacobian = DMatrix::zeros(observations.len(), b.len());
        for (mut row, observation) in jacobian.row_iter_mut().zip(observations) {
            let (_, gradient) = (self.model.gradient)(b, &observation.x)?;
            row.copy_from_slice(&gradient);
        }
        Some(jacobian)
    }
}
