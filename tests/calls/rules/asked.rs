//! When rules run, what they may run, and functions that are instances or yield options.

use crate::support::check;
use retrograde::{derivative_of, gradient};

/// Counts how often the rule runs.
fn counted(x: f64) -> f64 {
    x
}

static RUNS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);

#[derivative_of(counted)]
fn counted_rule(x: f64, seed: f64, dx: &mut f64) {
    RUNS.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    *dx += seed;
}

#[gradient]
fn asks_once(x: f64, k: f64) -> f64 {
    let fixed = counted(2.0);
    let unused = counted(x);
    if counted(x) > 100.0 {
        return 0.0;
    }
    counted(x) * fixed * k
}

#[test]
fn rules_run_where_a_derivative_is_asked_for() {
    assert_eq!(asks_once_grad(3.0, 2.0), (12.0, (4.0, 6.0)));
    assert_eq!(RUNS.load(std::sync::atomic::Ordering::SeqCst), 1);
}

#[test]
fn the_check_finds_a_wrong_rule() {
    mod wrong {
        pub fn cube(x: f64) -> f64 {
            x * x * x
        }
        #[retrograde::derivative_of(cube)]
        fn rule(x: f64) -> f64 {
            2.0 * x * x
        }
        #[retrograde::gradient]
        pub fn f(x: f64) -> f64 {
            cube(x)
        }
    }
    let found = retrograde::check::check_gradient(
        |x| wrong::f(x[0]),
        |x| {
            let (value, slope) = wrong::f_grad(x[0]);
            (value, vec![slope])
        },
        &[1.5],
    );
    assert!(!found.passed());
}

/// A rule that runs sweeps of its own, on the tape of the thread.
fn accumulated(x: f64, n: usize) -> f64 {
    recorded(x, n)
}

#[gradient]
fn recorded(x: f64, n: usize) -> f64 {
    let mut y = x;
    for _ in 0..n {
        y = (y * x).sin() + y;
    }
    y
}

#[derivative_of(accumulated)]
fn accumulated_rule(x: f64, n: usize) -> f64 {
    recorded_grad(x, n).1
}

#[gradient]
fn around(x: f64, n: usize) -> f64 {
    let mut y = x;
    for k in 0..n {
        y = 0.5 * accumulated(y, k) * y;
    }
    y
}

#[test]
fn a_rule_may_run_sweeps() {
    for n in [0, 1, 4] {
        check(
            |p| around(p[0], n),
            |p| around_grad(p[0], n),
            &[&[0.7], &[-1.2]],
        );
    }
}

/// For an instance of a generic function of another crate.
#[derivative_of(num_traits::clamp)]
fn clamp_rule(x: f64, low: f64, high: f64, #[result] y: f64) -> (f64, f64, f64) {
    let at = |edge: f64| f64::from(u8::from(y == edge));
    (at(x), at(low), at(high))
}

#[gradient]
fn clamped(x: f64, low: f64) -> f64 {
    use num_traits::clamp;
    clamp(x * x, low, 2.0) * x
}

#[test]
fn an_instance_of_a_generic_function() {
    assert_eq!(clamped_grad(1.0, 0.5), (1.0, (3.0, 0.0)));
    assert_eq!(clamped_grad(0.5, 0.5), (0.25, (0.5, 0.5)));
    assert_eq!(clamped_grad(2.0, 0.5), (4.0, (2.0, 0.0)));
}

fn largest(x: Option<f64>, y: f64) -> Option<f64> {
    x.filter(|x| *x > y)
}

#[derivative_of(largest)]
fn largest_rule(_x: Option<f64>, _y: f64, seed: &Option<f64>, dx: &mut Option<f64>, _dy: &mut f64) {
    if let (Some(seed), Some(dx)) = (seed, dx) {
        *dx += seed;
    }
}

#[gradient]
fn through_options(x: f64, y: f64) -> f64 {
    match largest(Some(x * y), 0.5) {
        Some(z) => z * x,
        None => y,
    }
}

#[test]
fn options() {
    check(
        |p| through_options(p[0], p[1]),
        |p| through_options_grad(p[0], p[1]),
        &[&[0.7, 0.4], &[1.4, 1.1]],
    );
}
