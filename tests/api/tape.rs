//! One tape for many runs, panics in user code, re-entrancy, threads.

use crate::support::panic_message;
use retrograde::{Tape, gradient};

#[gradient]
fn chain(x: f64, n: usize, fail_at: usize) -> f64 {
    let mut r = x;
    for i in 0..n {
        assert!(i != fail_at, "the user's own message");
        r = (r * 1.1).sin() + r * r * 0.1;
    }
    r
}

#[gradient]
fn inner(v: &[f64], at: usize) -> f64 {
    let mut s = 1.0;
    for i in 0..=at {
        s = s * v[i] + 0.5;
    }
    s
}

#[gradient]
fn outer(v: &[f64], at: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..at {
        s += inner(v, i).sin();
    }
    s
}

#[test]
fn a_panic_in_user_code_leaves_the_tape_reusable() {
    let mut tape = Tape::new();
    let mut want = 0.0;
    chain_grad_into(&mut tape, 0.7, &mut want, 1000, usize::MAX);
    for fail_at in [0, 1, 500, 999] {
        let mut dx = 0.0;
        let text = panic_message(|| drop(chain_grad_into(&mut tape, 0.7, &mut dx, 1000, fail_at)));
        assert!(text.contains("the user's own message"), "{text}");
        chain_grad_into(&mut tape, 0.7, &mut dx, 1000, usize::MAX);
        assert_eq!(dx, want);
    }
}

#[test]
fn a_panic_inside_a_callee_too() {
    let mut tape = Tape::new();
    let v = [0.7, 0.4, -0.3];
    let (value, g) = outer_grad(&v, 3);
    for _ in 0..3 {
        let mut dv = [0.0; 3];
        let text = panic_message(|| drop(outer_grad_into(&mut tape, &v, &mut dv, 5)));
        assert!(text.contains("index out of bounds"), "{text}");
        panic_message(|| drop(outer_grad(&v, 5)));
        assert_eq!(outer_grad_into(&mut tape, &v, &mut dv, 3), value);
        assert_eq!(dv.as_slice(), g.as_slice());
        assert_eq!(outer_grad(&v, 3), (value, g.clone()), "the pooled tape too");
    }
}

#[test]
fn one_tape_serves_different_functions_and_sizes() {
    let mut tape = Tape::new();
    for n in [0, 1, 10, 20_000, 3, 20_000] {
        let (mut with, mut dv) = (0.0, [0.0; 3]);
        chain_grad_into(&mut tape, 0.7, &mut with, n, usize::MAX);
        assert_eq!(with, chain_grad(0.7, n, usize::MAX).1);
        outer_grad_into(&mut tape, &[0.7, 0.4, -0.3], &mut dv, 3);
        assert_eq!(dv.as_slice(), outer_grad(&[0.7, 0.4, -0.3], 3).1.as_slice());
    }
}

/// Not differentiated: it computes a gradient itself.
fn newton(n: usize) -> f64 {
    let (value, slope) = chain_grad(0.3, n, usize::MAX);
    value / slope
}

#[gradient]
fn calls_gradients_while_recording(x: f64, n: usize) -> f64 {
    let mut r = x;
    for i in 0..n {
        let k = newton(i + 3);
        r = r * x + k;
    }
    r
}

#[test]
fn re_entrant_calls_get_a_tape_of_their_own() {
    let (value, dx) = calls_gradients_while_recording_grad(0.6, 4);
    assert_eq!(value, calls_gradients_while_recording(0.6, 4));
    let h = 1e-6;
    let slope = (calls_gradients_while_recording(0.6 + h, 4)
        - calls_gradients_while_recording(0.6 - h, 4))
        / (2.0 * h);
    assert!((dx - slope).abs() < 1e-7, "{dx} {slope}");
}

#[test]
fn threads_have_their_own_tapes_and_a_tape_can_be_sent() {
    let want = chain_grad(0.7, 5000, usize::MAX);
    let results: Vec<(f64, f64)> = std::thread::scope(|s| {
        let workers: Vec<_> = (0..4)
            .map(|_| s.spawn(|| chain_grad(0.7, 5000, usize::MAX)))
            .collect();
        workers.into_iter().map(|w| w.join().unwrap()).collect()
    });
    assert!(results.iter().all(|r| *r == want));
    let mut tape = Tape::new();
    let mut dx = 0.0;
    chain_grad_into(&mut tape, 0.7, &mut dx, 100, usize::MAX);
    let sent = std::thread::spawn(move || {
        let mut dx = 0.0;
        chain_grad_into(&mut tape, 0.7, &mut dx, 5000, usize::MAX);
        dx
    });
    assert_eq!(sent.join().unwrap(), want.1);
}

#[gradient]
fn counts(x: f64, #[constant] log: &std::cell::RefCell<Vec<usize>>, n: usize) -> f64 {
    let mut r = x;
    for i in 0..n {
        log.borrow_mut().push(i);
        r = r * x;
    }
    r
}

#[test]
fn statements_with_side_effects_run_once() {
    let log = std::cell::RefCell::new(Vec::new());
    assert_eq!(counts_grad(2.0, &log, 3), (16.0, 32.0));
    assert_eq!(*log.borrow(), [0, 1, 2]);
}

#[gradient]
fn straight(x: f64, y: f64) -> f64 {
    let a = x * y;
    if a > 0.0 { a.sin() * x } else { a / y }
}

#[test]
fn many_small_calls_in_a_row() {
    let mut sum = 0.0;
    for k in 0..100_000 {
        let x = f64::from(k) * 1e-5;
        sum += straight_grad(x, 1.5).1.0;
    }
    assert!(sum.is_finite());
}
