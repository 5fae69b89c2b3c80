//! A racket that is thrown and tumbles, and what a camera sees of it.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use crate::body::{Body, State};
use crate::geometry::{Quaternion, Vec3};
use crate::integrator::RungeKutta;
use crate::recover::{Flight, fly};

/// Steps of the true flight between two frames.
const SUBSTEPS: usize = 20;

/// A racket: three different moments of inertia, four markers.
pub(crate) fn racket() -> Body {
    Body {
        inertia: Vec3::new(0.0015, 0.0165, 0.0180),
        gravity: Vec3::new(0.0, 0.0, -9.81),
        markers: vec![
            Vec3::new(0.30, 0.0, 0.0),
            Vec3::new(-0.30, 0.0, 0.0),
            Vec3::new(0.10, 0.12, 0.0),
            Vec3::new(0.10, -0.12, 0.03),
        ],
    }
}

/// Thrown up, turning about the axis in the middle: the rotation that is unstable.
pub(crate) fn thrown() -> State {
    State {
        position: Vec3::new(0.0, 0.0, 1.0),
        velocity: Vec3::new(1.0, 0.4, 5.0),
        attitude: Quaternion::rotation(Vec3::new(0.6, 0.0, 0.8), 0.7),
        spin: Vec3::new(0.2, 9.0, 0.1),
    }
}

/// Where the markers are at the times of the frames.
pub(crate) fn positions(body: &Body, states: &[State]) -> Vec<Vec<Vec3>> {
    let markers = 0..body.markers.len();
    let frame = |state: &State| markers.clone().map(|m| body.marker(m, *state)).collect();
    states.iter().map(frame).collect()
}

/// The true states, and what is seen of them with an error of so many metres in each direction.
pub(crate) fn seen(
    body: &Body,
    start: State,
    interval: f64,
    frames: usize,
    noise: f64,
    seed: u64,
) -> (Vec<State>, Flight) {
    let states = fly(&RungeKutta, body, start, interval, frames, SUBSTEPS);
    let mut frames = positions(body, &states);
    let mut random = StdRng::seed_from_u64(seed);
    for point in frames.iter_mut().flatten() {
        *point = *point + noise * normal(&mut random);
    }
    (states, Flight { interval, frames })
}

/// Three numbers of the standard normal distribution (Box and Muller).
fn normal(random: &mut StdRng) -> Vec3 {
    let mut one = || {
        let radius = (-2.0 * (1.0 - random.random::<f64>()).ln()).sqrt();
        radius * (std::f64::consts::TAU * random.random::<f64>()).cos()
    };
    Vec3::new(one(), one(), one())
}
