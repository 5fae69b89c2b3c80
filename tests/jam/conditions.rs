use retrograde::gradient;

use crate::support::{check, panic_message};

/// Positive numbers without a pattern.
fn numbers(n: usize, seed: u32) -> Vec<f64> {
    (0..n)
        .map(|i| (1.7 * i as f64 + f64::from(seed)).sin() * 0.4 + 0.9)
        .collect()
}

/// Compares value and gradient of a function of `x`, and of other arguments, with the primal and with differences.
macro_rules! checked {
    ($x:expr, $f:ident, $gradient:ident $(, $arg:expr)*) => {
        check(|x| $f(x $(, $arg)*), |x| $gradient(x $(, $arg)*), &[&$x])
    };
}

/// An iteration reads the row that the one before wrote.
///
/// not applied `jam`: forward: `y` is written, and other iterations may reach the same elements
#[gradient]
fn carried_row(a: &[f64], n: usize) -> f64 {
    let mut y = vec![1.0; n];
    for i in 1..n {
        let mut s = 0.1;
        for j in 0..n {
            s += a[i * n + j] * y[j];
        }
        y[i] = s / n as f64;
    }
    y.iter().sum()
}

/// Integers might overflow in an iteration that never comes.
///
/// not applied `jam`: forward: it computes with integers
#[gradient]
fn integers(a: &[f64], n: usize) -> f64 {
    let mut out = 0.0;
    for i in 0..n {
        let mut s = 0.0;
        let mut count = 0u8;
        for j in 0..n {
            s += a[i * n + j] * a[j];
            count += 1;
        }
        out += s * s * f64::from(count);
    }
    out
}

/// `clamp` panics if its bounds are the wrong way round.
///
/// not applied `jam`: forward: `clamp` may panic
#[gradient]
fn may_panic(a: &[f64], lo: u8, hi: u8, n: usize) -> f64 {
    let mut out = 0.0;
    for i in 0..n {
        let mut s = 0.0;
        for j in 0..n {
            s += (a[i * n + j] * a[j]).clamp(f64::from(lo), f64::from(hi));
        }
        out += s * s;
    }
    out
}

/// A panic between the iterations.
///
/// not applied `jam`: forward: the body does more than compute with numbers
#[gradient]
fn panic_in_the_middle(a: &[f64], most: u32, n: usize) -> f64 {
    let mut out = 0.0;
    for i in 0..n {
        let mut s = 0.0;
        for j in 0..n {
            s += a[i * n + j] * a[j];
        }
        assert!(s < f64::from(most), "row {i}");
        out += s * s;
    }
    out
}

/// The outer loop may be left.
///
/// not applied `strips`: the loop can be left early (`break`, `return`)
///
/// not applied `jam`: forward: the loop is no `for` over a range that runs to its end
#[gradient]
fn left_early(a: &[f64], most: u32, n: usize) -> f64 {
    let mut out = 0.0;
    for i in 0..n {
        let mut s = 0.0;
        for j in 0..n {
            s += a[i * n + j] * a[j];
        }
        out += s * s;
        if out > f64::from(most) {
            break;
        }
    }
    out
}

/// The inner loop may be left.
///
/// not applied `jam`: forward: the inner loop is no `for` over a range that runs to its end
#[gradient]
fn inner_left_early(a: &[f64], most: u32, n: usize) -> f64 {
    let mut out = 0.0;
    for i in 0..n {
        let mut s = 0.0;
        for j in 0..n {
            s += a[i * n + j] * a[j];
            if s > f64::from(most) {
                break;
            }
        }
        out += s * s;
    }
    out
}

/// Not every iteration has an inner loop.
///
/// not applied `jam`: forward: the inner loop runs under a condition
#[gradient]
fn under_a_condition(a: &[f64], n: usize) -> f64 {
    let mut out = 0.0;
    for i in 0..n {
        let mut s = 0.5;
        if i % 2 == 0 {
            for j in 0..n {
                s += a[i * n + j] * a[j];
            }
        }
        out += s * s;
    }
    out
}

/// Each iteration has an inner loop of another length.
///
/// not applied `jam`: forward: the range of the inner loop changes with the outer one
#[gradient]
fn triangle(a: &[f64], n: usize) -> f64 {
    let mut out = 0.0;
    for i in 0..n {
        let mut s = 0.0;
        for j in 0..i {
            s += a[i * n + j] * a[j];
        }
        out += s * s;
    }
    out
}

#[test]
fn gradients_are_right() {
    for n in [1, 2, 3, 5, 7, 8, 9, 17, 33] {
        let a = numbers(n * n, 2);
        checked!(a, carried_row, carried_row_grad, n);
        checked!(a, integers, integers_grad, n);
        checked!(a, may_panic, may_panic_grad, 0, 2, n);
        checked!(
            a,
            panic_in_the_middle,
            panic_in_the_middle_grad,
            1_000_000,
            n
        );
        for most in [0, 9, 1_000_000] {
            checked!(a, left_early, left_early_grad, most, n);
            checked!(a, inner_left_early, inner_left_early_grad, most, n);
        }
        checked!(a, under_a_condition, under_a_condition_grad, n);
        checked!(a, triangle, triangle_grad, n);
    }
}

#[test]
fn panics_come_in_the_same_iteration() {
    for n in [1, 7, 8, 9, 17] {
        let mut a = numbers(n * n, 2);
        for bad in [0, n / 2, n - 1] {
            let kept = std::mem::replace(&mut a[bad * n], 1e9);
            let want = panic_message(|| {
                panic_in_the_middle(&a, 1000, n);
            });
            let got = panic_message(|| {
                panic_in_the_middle_grad(&a, 1000, n);
            });
            assert!(want.starts_with("row") && got == want, "{got}, not {want}");
            a[bad * n] = kept;
        }
        let want = panic_message(|| {
            may_panic(&a, 2, 1, n);
        });
        let got = panic_message(|| {
            may_panic_grad(&a, 2, 1, n);
        });
        assert_eq!(got, want);
    }
}
