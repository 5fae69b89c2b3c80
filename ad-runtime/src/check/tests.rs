//! The gradient check on right and wrong gradients.

use super::*;

fn rosenbrock(x: &[f64]) -> f64 {
    x.windows(2)
        .map(|w| 100.0 * (w[1] - w[0] * w[0]).powi(2) + (1.0 - w[0]).powi(2))
        .sum()
}

fn rosenbrock_grad(x: &[f64]) -> (f64, Vec<f64>) {
    let mut bar = vec![0.0; x.len()];
    for i in 0..x.len() - 1 {
        let d = x[i + 1] - x[i] * x[i];
        bar[i] += -400.0 * d * x[i] - 2.0 * (1.0 - x[i]);
        bar[i + 1] += 200.0 * d;
    }
    (rosenbrock(x), bar)
}

fn point(n: usize) -> Vec<f64> {
    (0..n).map(|i| (i as f64).sin()).collect()
}

#[test]
fn a_right_gradient_passes_at_every_length() {
    for n in [1, 2, 7, 1000] {
        let report = check_gradient(rosenbrock, rosenbrock_grad, &point(n));
        assert!(report.passed(), "{report}");
        assert!(
            report.to_string().starts_with("gradient check passed"),
            "{report}"
        );
    }
}

#[test]
fn a_wrong_entry_is_named() {
    let wrong = |x: &[f64]| {
        let (value, mut bar) = rosenbrock_grad(x);
        bar[3] *= 1.0 + 1e-4;
        (value, bar)
    };
    let report = check_gradient(rosenbrock, wrong, &point(7));
    assert_eq!(report.worst().map(|entry| entry.index), Some(3));
    let text = report.to_string();
    assert!(
        text.contains("failed") && text.contains("entry 3") && text.contains("help:"),
        "{text}"
    );
}

#[test]
fn a_wrong_entry_outside_of_the_sample_is_seen_along_the_direction() {
    let f = |x: &[f64]| x.iter().map(|x| x.sin()).sum::<f64>();
    let n = 500;
    let mut missed = 0;
    for at in 0..20 {
        let wrong = |x: &[f64]| {
            let mut bar: Vec<f64> = x.iter().map(|x| x.cos()).collect();
            bar[at] = 5.0;
            (f(x), bar)
        };
        let report = GradientCheck::new().entries(3).run(f, wrong, &point(n));
        assert!(!report.passed());
        if report.worst().is_some_and(|entry| entry.index != at) {
            missed += 1;
            assert!(
                report.to_string().contains("raise `.entries(…)`"),
                "{report}"
            );
        }
    }
    assert!(missed > 10);
}

#[test]
fn a_value_that_differs_in_the_last_bit_fails() {
    let f = |x: &[f64]| x[0] * 3.0;
    let grad = |x: &[f64]| (f64::from_bits((x[0] * 3.0).to_bits() + 1), vec![3.0]);
    let report = check_gradient(f, grad, &[0.7]);
    assert!(!report.passed() && !report.value_agrees());
    assert!(report.to_string().contains("same operations"), "{report}");
}

#[test]
fn a_gradient_that_is_not_finite_fails() {
    let report = check_gradient(|x| x[0], |x| (x[0], vec![f64::NAN]), &[1.0]);
    assert!(!report.passed());
    assert!(
        report.to_string().contains("gradient is not finite"),
        "{report}"
    );
}

#[test]
fn the_edge_of_a_domain_is_said_to_be_one() {
    let grad = |x: &[f64]| (x[0].sqrt(), vec![f64::INFINITY]);
    let report = check_gradient(|x| x[0].sqrt(), grad, &[0.0]);
    assert!(!report.passed());
    assert!(
        report.to_string().contains("check at another one"),
        "{report}"
    );
}

#[test]
fn a_function_of_nothing_passes() {
    check_gradient(|_| 1.0, |_| (1.0, vec![]), &[]).assert_passed();
}

#[test]
#[should_panic(expected = "the gradient has 2 entries, the point has 1")]
fn a_gradient_of_another_length_is_refused() {
    let _ = check_gradient(|_| 1.0, |_| (1.0, vec![0.0; 2]), &[1.0]);
}

#[test]
fn a_sample_is_ascending_and_in_range() {
    let mut random = SplitMix(1);
    for (n, count) in [(10, 3), (1000, 7), (8, 8), (5, 9), (0, 4)] {
        let picked = sample(n, count, &mut random);
        assert_eq!(picked.len(), n.min(count));
        assert!(picked.is_sorted_by(|a, b| a < b) && picked.iter().all(|&i| i < n));
    }
}
