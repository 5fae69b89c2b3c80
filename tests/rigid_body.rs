//! Runs the example `rigid_body` as a test: the gradient is that of the misfit, the methods have their orders, and the
//! flight is recovered.

#[path = "../examples/rigid_body/body.rs"]
mod body;
#[path = "../examples/rigid_body/geometry.rs"]
mod geometry;
#[path = "../examples/rigid_body/integrator.rs"]
mod integrator;
#[path = "../examples/rigid_body/plot.rs"]
mod plot;
#[path = "../examples/rigid_body/recover.rs"]
mod recover;
#[path = "../examples/rigid_body/scene.rs"]
mod scene;

use indicatif::ProgressBar;
use retrograde::{Differentiable, Flat};

use body::State;
use geometry::Vec3;
use integrator::{Integrator, Midpoint, RungeKutta};
use recover::{Flight, distance, fly, misfit, misfit_grad, recover};

const INTERVAL: f64 = 0.02;

/// Another state, of which no number is special.
fn elsewhere() -> State {
    let mut state = scene::thrown();
    let moved: Vec<f64> = (1..)
        .zip(state.to_flat())
        .map(|(n, x)| x + 0.03 * f64::from(n))
        .collect();
    state.set_flat(&moved);
    state
}

fn seen(frames: usize, noise: f64) -> (Vec<State>, Flight) {
    scene::seen(
        &scene::racket(),
        scene::thrown(),
        INTERVAL,
        frames,
        noise,
        7,
    )
}

fn gradient_agrees<I: Integrator + Differentiable>(integrator: &I) {
    let body = scene::racket();
    for (frames, substeps) in [(1, 1), (2, 3), (20, 2)] {
        let (_, flight) = seen(frames, 0.01);
        for start in [scene::thrown(), elsewhere()] {
            let (value, slope) = misfit_grad(integrator, &body, start, &flight, substeps);
            assert_eq!(value, misfit(integrator, &body, start, &flight, substeps));
            let at = start.to_flat();
            for (entry, exact) in slope.to_flat().into_iter().enumerate() {
                for step in [1e-5, 3e-6] {
                    let [above, below] = [step, -step].map(|step| {
                        let (mut moved, mut list) = (start, at.clone());
                        list[entry] += step;
                        moved.set_flat(&list);
                        misfit(integrator, &body, moved, &flight, substeps)
                    });
                    let difference = (above - below) / (2.0 * step);
                    let error = (exact - difference).abs();
                    assert!(
                        error < 1e-7 * (1.0 + exact.abs()),
                        "{entry}: {exact} {difference}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_gradient_is_that_of_the_misfit() {
    gradient_agrees(&Midpoint);
    gradient_agrees(&RungeKutta);
}

/// Twice as many steps divide the error by two to the power of the order.
fn has_its_order<I: Integrator>(integrator: &I) {
    let body = scene::racket();
    let end = |substeps: usize| fly(integrator, &body, scene::thrown(), 0.4, 2, substeps)[1];
    let exact = fly(&RungeKutta, &body, scene::thrown(), 0.4, 2, 4096)[1];
    let error = |substeps: usize| {
        let pairs = end(substeps).to_flat().into_iter().zip(exact.to_flat());
        pairs.map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
    };
    let order = (error(64) / error(128)).log2();
    assert!(
        (order - f64::from(I::ORDER)).abs() < 0.1,
        "{order} instead of {}",
        I::ORDER
    );
}

#[test]
fn the_methods_have_their_orders() {
    has_its_order(&Midpoint);
    has_its_order(&RungeKutta);
}

#[test]
fn a_free_body_keeps_its_energy() {
    let body = scene::racket();
    let states = fly(&RungeKutta, &body, scene::thrown(), INTERVAL, 100, 10);
    let energy = body.rotational_energy(states[0]);
    for state in &states {
        assert!((body.rotational_energy(*state) / energy - 1.0).abs() < 1e-6);
        assert!((state.attitude.squared_length() - 1.0).abs() < 1e-6);
    }
    // The racket turns over: the axis in the middle is unstable.
    assert!(states.iter().any(|state| state.spin.y < -8.0));
}

#[test]
fn a_flight_without_noise_is_recovered_exactly() {
    let body = scene::racket();
    let flight = Flight {
        interval: INTERVAL,
        frames: scene::positions(
            &body,
            &fly(&RungeKutta, &body, scene::thrown(), INTERVAL, 24, 2),
        ),
    };
    let bar = ProgressBar::hidden();
    let (start, left) = recover(&RungeKutta, &body, &flight, 2, &bar).expect("a state");
    assert!(distance(left) < 1e-6, "{left}");
    for (found, thrown) in start.to_flat().into_iter().zip(scene::thrown().to_flat()) {
        assert!((found - thrown).abs() < 1e-3, "{start:?}");
    }
}

#[test]
fn a_flight_with_noise_is_recovered_as_well_as_the_noise_allows() {
    let body = scene::racket();
    let (truth, flight) = seen(40, 0.005);
    let bar = ProgressBar::hidden();
    let (start, left) = recover(&RungeKutta, &body, &flight, 2, &bar).expect("a state");
    // Nothing explains what was seen better than the minimum, the truth included.
    assert!(left <= misfit(&RungeKutta, &body, truth[0], &flight, 2));
    let states = fly(&RungeKutta, &body, start, INTERVAL, 40, 2);
    let [found, true_] = [states, truth].map(|states| scene::positions(&body, &states));
    let gaps = found.iter().flatten().zip(true_.iter().flatten());
    let gap = |(a, b): (&Vec3, &Vec3)| (*a - *b).dot(*a - *b).sqrt();
    assert!(gaps.map(gap).fold(0.0, f64::max) < 0.01);
}

#[test]
fn the_picture_is_written() {
    let body = scene::racket();
    let (truth, flight) = seen(10, 0.005);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("new").join("flight.svg");
    plot::draw(&body, &flight, &truth, &truth, &file).unwrap_or_else(|error| panic!("{error}"));
    let svg = std::fs::read_to_string(&file).expect("the picture");
    assert_eq!(svg.matches("<circle").count(), 10 * body.markers.len());

    let error = plot::draw(&body, &flight, &truth, &truth, folder.path()).expect_err("no file");
    assert!(error.to_string().contains("--out"), "{error}");
}
