//! The cycle of hydrodynamics ends where the published one does, and its gradient is that of differences.

use retrograde::Tape;
use retrograde_kernels::numbers::Numbers;
use retrograde_workloads::lulesh::{Simulation, run, with_gradient};

fn at_the_end(side: usize) -> (usize, String) {
    let mut simulation = Simulation::new(side);
    while !simulation.finished() {
        simulation.step();
    }
    (simulation.cycles, format!("{:.6e}", simulation.state[6][0]))
}

#[test]
fn a_cube_of_five_ends_as_published() {
    assert_eq!(at_the_end(5), (72, "7.853665e3".to_owned()));
}

#[test]
fn a_cube_of_ten_ends_as_published() {
    assert_eq!(at_the_end(10), (231, "2.720531e4".to_owned()));
}

/// In each field, all entries change by their own share, so that nothing crosses a cut; the wave has reached all of it.
#[test]
fn the_gradient_is_that_of_differences() {
    let mut simulation = Simulation::new(3);
    let mut numbers = Numbers::new();
    // Symmetric states have ties.
    for field in &mut simulation.state[..3] {
        for entry in field {
            *entry *= 1.0 + numbers.draw(-0.02, 0.02);
        }
    }
    for _ in 0..15 {
        simulation.step();
    }
    assert!(!simulation.finished());
    let mut gradient = simulation
        .state
        .each_ref()
        .map(|field| vec![f64::NAN; field.len()]);
    let value = with_gradient(&simulation, &mut Tape::new(), &mut gradient);
    assert_eq!(
        value.to_bits(),
        run(&simulation, &simulation.state).to_bits()
    );
    for (field, derivatives) in gradient.iter().enumerate() {
        let state = &simulation.state[field];
        let direction: Vec<f64> = state.iter().map(|v| v * numbers.draw(-1.0, 1.0)).collect();
        let along: f64 = derivatives.iter().zip(&direction).map(|(d, v)| d * v).sum();
        assert!(along != 0.0, "field {field} has a derivative");
        for h in [1e-5, 1e-6] {
            let [above, below] = [h, -h].map(|h| {
                let mut moved = simulation.state.clone();
                for (entry, v) in moved[field].iter_mut().zip(&direction) {
                    *entry += h * v;
                }
                run(&simulation, &moved)
            });
            let difference = (above - below) / (2.0 * h);
            assert!(
                (difference - along).abs() <= 1e-6 * along.abs(),
                "field {field}, step {h}: {along} is not {difference}"
            );
        }
    }
}
