//! Recovers the state at the start from what was seen of the flight.

use std::cell::RefCell;

use argmin::core::observers::{Observe, ObserverMode};
use argmin::core::{CostFunction, Error, Executor, Gradient, IterState, KV, State as _};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use indicatif::ProgressBar;
use retrograde::{Differentiable, Flat, Tape, gradient};

use crate::body::{Body, State};
use crate::geometry::{Quaternion, Vec3};
use crate::integrator::Integrator;

/// What was seen of a flight: where the markers were, at even times.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Flight {
    /// Seconds from one frame to the next.
    pub(crate) interval: f64,
    /// Of each frame, where each marker was.
    pub(crate) frames: Vec<Vec<Vec3>>,
}

/// The states of a flight at the times of the frames, computed in `substeps` steps for each interval.
pub(crate) fn fly<I: Integrator>(
    integrator: &I,
    body: &Body,
    start: State,
    interval: f64,
    frames: usize,
    substeps: usize,
) -> Vec<State> {
    let dt = interval / substeps as f64;
    let mut states = vec![start];
    for _ in 1..frames {
        let mut state = states[states.len() - 1];
        for _ in 0..substeps {
            state = integrator.step(body, state, dt);
        }
        states.push(state);
    }
    states
}

/// Half of the mean squared distance between markers seen and computed, in m².
#[gradient]
pub(crate) fn misfit<I: Integrator + Differentiable>(
    #[constant] integrator: &I,
    #[constant] body: &Body,
    start: State,
    #[constant] flight: &Flight,
    substeps: usize,
) -> f64 {
    let dt = flight.interval / substeps as f64;
    let mut state = start;
    let mut sum = 0.0;
    let mut count = 0;
    for (number, frame) in flight.frames.iter().enumerate() {
        if number > 0 {
            for _ in 0..substeps {
                state = integrator.step(body, state, dt);
            }
        }
        for (marker, &seen) in frame.iter().enumerate() {
            let gap = body.marker(marker, state) - seen;
            sum += gap.dot(gap);
            count += 1;
        }
    }
    0.5 * sum / count as f64
}

/// The squared length of an attitude is 1 again.
fn normalised(state: State) -> State {
    let length = state.attitude.squared_length().sqrt();
    State {
        attitude: (1.0 / length) * state.attitude,
        ..state
    }
}

/// Pairs of steps and gradients that the approximate Hessian is made of.
const MEMORY: usize = 10;

/// Iterations for each part of the flight.
const ITERATIONS: u64 = 300;

/// A search ends where the gradient is so short, in m² per unit of the state.
const TOLERANCE: f64 = 1e-9;

/// Frames of the first part; each further one has twice as many.
const FIRST: usize = 6;

/// The misfit as a function of the state as a list.
struct Problem<'a, I> {
    integrator: &'a I,
    body: &'a Body,
    flight: &'a Flight,
    substeps: usize,
    start: State,
    /// Warm from one gradient to the next.
    tape: RefCell<Tape>,
}

impl<I> Problem<'_, I> {
    fn state(&self, list: &[f64]) -> State {
        let mut state = self.start;
        state.set_flat(list);
        state
    }
}

impl<I: Integrator + Differentiable> CostFunction for Problem<'_, I> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, list: &Self::Param) -> Result<f64, Error> {
        let start = self.state(list);
        Ok(misfit(
            self.integrator,
            self.body,
            start,
            self.flight,
            self.substeps,
        ))
    }
}

impl<I: Integrator + Differentiable> Gradient for Problem<'_, I> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, list: &Self::Param) -> Result<Vec<f64>, Error> {
        let start = self.state(list);
        let mut slope = start.zero_tangent();
        misfit_grad_into(
            &mut self.tape.borrow_mut(),
            self.integrator,
            self.body,
            start,
            &mut slope,
            self.flight,
            self.substeps,
        );
        Ok(slope.to_flat())
    }
}

/// What the search knows between iterations.
type Searching = IterState<Vec<f64>, Vec<f64>, (), (), (), f64>;

/// Tells the bar how far the search is.
struct Progress {
    bar: ProgressBar,
    frames: usize,
}

impl Observe<Searching> for Progress {
    fn observe_iter(&mut self, state: &Searching, _: &KV) -> Result<(), Error> {
        self.bar.set_message(format!(
            "{} frames, iteration {}: {:.2} mm",
            self.frames,
            state.get_iter(),
            1e3 * distance(state.get_cost())
        ));
        self.bar.tick();
        Ok(())
    }
}

/// The root of the mean squared distance that belongs to a misfit, in m.
pub(crate) fn distance(misfit: f64) -> f64 {
    (2.0 * misfit).sqrt()
}

/// A state from the first two frames alone: no rotation, and the velocity of the markers' centre.
///
/// # Panics
///
/// If there are fewer frames, or no markers.
pub(crate) fn guess(body: &Body, flight: &Flight) -> State {
    let centre = |points: &[Vec3]| {
        let zero = Vec3::default();
        (1.0 / points.len() as f64) * points.iter().fold(zero, |sum, &point| sum + point)
    };
    let [first, second] = [0, 1].map(|frame| centre(&flight.frames[frame]));
    State {
        position: first - centre(&body.markers),
        velocity: (1.0 / flight.interval) * (second - first),
        attitude: Quaternion::rotation(Vec3::new(0.0, 0.0, 1.0), 0.0),
        spin: Vec3::default(),
    }
}

/// The state at the start that explains a flight best, and the misfit that is left. A long flight has many minima, so
/// longer and longer beginnings are fitted.
///
/// # Errors
///
/// When a search breaks down.
///
/// # Panics
///
/// As [`guess`] does.
pub(crate) fn recover<I: Integrator + Differentiable>(
    integrator: &I,
    body: &Body,
    flight: &Flight,
    substeps: usize,
    bar: &ProgressBar,
) -> Result<(State, f64), Error> {
    let mut start = guess(body, flight);
    let mut frames = FIRST;
    loop {
        frames = frames.min(flight.frames.len());
        let part = Flight {
            frames: flight.frames[..frames].to_vec(),
            ..*flight
        };
        let problem = Problem {
            integrator,
            body,
            flight: &part,
            substeps,
            start,
            tape: RefCell::default(),
        };
        let solver = LBFGS::new(MoreThuenteLineSearch::new(), MEMORY)
            .with_tolerance_grad(TOLERANCE)?
            .with_tolerance_cost(0.0)?;
        let progress = Progress {
            bar: bar.clone(),
            frames,
        };
        let found = Executor::new(problem, solver)
            .configure(|state| state.param(start.to_flat()).max_iters(ITERATIONS))
            .add_observer(progress, ObserverMode::Always)
            .run()?;
        if let Some(list) = found.state.get_best_param() {
            start.set_flat(list);
        }
        start = normalised(start);
        if frames == flight.frames.len() {
            return Ok((start, found.state.get_best_cost()));
        }
        frames *= 2;
    }
}
