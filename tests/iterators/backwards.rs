//! Ranges that run backwards.

use std::panic::catch_unwind;

use super::support::check;
use retrograde::gradient;

/// Ranges that run backwards and are no counter of their own: in front of other adapters, in `zip`, and reversed again.
#[gradient]
fn backwards(x: &[f64]) -> f64 {
    let n = x.len();
    let mut sum = 0.5;
    for (k, i) in (3..6).rev().enumerate() {
        sum = sum * 0.9 + x[i] * x[k];
    }
    for i in (2..n).rev().skip(1) {
        sum = sum * 0.8 + x[i] * x[i];
    }
    for (i, v) in (1..=n / 2).rev().zip(x) {
        sum += x[i] * v;
    }
    for ((v, i), k) in x
        .iter()
        .zip((0..n).step_by(2).rev())
        .zip((2..n).rev().rev())
    {
        sum = sum * 0.7 + v * x[i] * x[k];
    }
    let chain: f64 = (1..n).rev().take(2).map(|i| x[i] * x[i - 1]).sum();
    let last = (1..n)
        .rev()
        .skip(2)
        .step_by(2)
        .map(|i| x[i])
        .fold(1.0, |p, v| p * v + 0.1);
    let mut rest = (2..n).rev().zip(x).map(|(i, v)| x[i] * v);
    if let Some(v) = rest.next() {
        sum += v;
    }
    if let Some(v) = rest.nth(1) {
        sum += v * v;
    }
    sum * chain + last
}

#[test]
fn ranges_that_run_backwards() {
    check(
        |p| backwards(p),
        |p| backwards_grad(p),
        &[
            &[0.7, 0.4, -0.3, 1.2, -0.5, 0.9],
            &[-1.3, 0.9, 1.1, 0.2, 0.8, -0.7, 0.35, 1.6],
        ],
    );
}

#[gradient]
fn up_to_the_last(x: &[f64], n: usize) -> f64 {
    (0..=n.wrapping_sub(1))
        .zip(x)
        .map(|(k, v)| (1 + k) as f64 * v * v)
        .sum()
}

#[gradient]
fn down_from_the_last(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for (at, k) in (0..=n.wrapping_sub(1)).rev().enumerate() {
        sum += x[k] * x[at];
    }
    sum
}

/// What is indexed panics in the function where the range wraps around, and what is zipped goes on: neither is a sum
/// without terms.
#[test]
fn inclusive_ranges_that_end_at_the_last_number() {
    let x = [0.7, -1.5, 2.0, 0.25];
    for n in 1..5 {
        check(
            |x| up_to_the_last(x, n),
            |x| up_to_the_last_grad(x, n),
            &[&x, &[0.0, 1.0, -1.0, 3.0]],
        );
        check(
            |x| down_from_the_last(x, n),
            |x| down_from_the_last_grad(x, n),
            &[&x, &[0.0, 1.0, -1.0, 3.0]],
        );
    }
    assert!(catch_unwind(|| down_from_the_last(&x, 0)).is_err());
    let payloads = [
        catch_unwind(|| up_to_the_last_grad(&x, 0)).expect_err("a panic"),
        catch_unwind(|| down_from_the_last_grad(&x, 0)).expect_err("a panic"),
    ];
    for payload in payloads {
        let text = payload.downcast_ref::<&str>().expect("a text");
        assert!(text.contains("write an open one"), "{text}");
    }
}

/// Numbers from the last one down, behind code that looks at each item.
#[gradient]
fn numbered_from_the_end(x: &[f64]) -> f64 {
    let mut seen = 0.0;
    let mut sum = 0.5;
    for (k, v) in x
        .iter()
        .skip(1)
        .inspect(|v| seen = seen * 0.5 + **v)
        .enumerate()
        .rev()
    {
        sum = sum * 0.5 + v * v * k as f64;
    }
    let even: f64 = x
        .iter()
        .inspect(|v| assert!(**v < 9.0))
        .map(|v| v.sin())
        .enumerate()
        .filter(|(k, _)| k % 2 == 0)
        .rev()
        .fold(0.25, |sum, (k, v)| sum * v + (k + 1) as f64 * v);
    sum * even + seen
}

#[test]
fn numbers_that_run_backwards() {
    check(
        |p| numbered_from_the_end(p),
        |p| numbered_from_the_end_grad(p),
        &[
            &[0.7, 0.4, -0.3, 1.2, -0.5, 0.9],
            &[-1.3, 0.9, 1.1, 0.2, 0.8, -0.7, 0.35, 1.6],
            &[1.5],
        ],
    );
}
