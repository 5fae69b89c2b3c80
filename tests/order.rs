//! Reverse loops that may run forwards, and loops that look like them and may not.

#![allow(
    clippy::all,
    clippy::pedantic,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod support;

use std::hint::black_box;

use retrograde::gradient;
use support::check;

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| (1.7 * i as f64 + 0.3).sin() + 1.5).collect()
}

#[gradient]
fn even_and_odd(x: &[f64], n: usize) -> f64 {
    let mut a = vec![1.0; 2 * n];
    for i in 0..n {
        let even = 2 * i;
        let odd = even + 1;
        a[even] = x[i] * a[odd];
        a[odd] = x[i] * x[i];
    }
    let mut sum = 0.0;
    for i in 0..2 * n {
        sum += a[i] * a[i];
    }
    sum
}

/// Each iteration overwrites what the one before wrote.
#[gradient]
fn one_further(x: &[f64], n: usize) -> f64 {
    let mut a = vec![0.0; n + 1];
    for i in 0..n {
        let here = i;
        let next = here + 1;
        a[here] = x[i] * 3.0;
        a[next] = x[i];
    }
    let mut sum = 0.0;
    for i in 0..n + 1 {
        sum += a[i] * a[i];
    }
    sum
}

#[gradient]
fn two_further(x: &[f64], n: usize) -> f64 {
    let mut a = vec![0.0; 2 * n + 2];
    for i in 0..n {
        a[2 * i] = x[i] * 3.0;
        a[2 * i + 2] = x[i];
    }
    let mut sum = 0.0;
    for i in 0..2 * n + 2 {
        sum += a[i] * a[i];
    }
    sum
}

/// The same element again if `stride` is 0, overlapping rows if it is less than `n`.
#[gradient]
fn rows(x: &[f64], m: usize, n: usize, stride: usize) -> f64 {
    let mut a = vec![0.0; m * (n + stride) + 1];
    for i in 0..m {
        a[i * stride] = x[i];
        for j in 0..n {
            let p = i * stride + j;
            a[p] = x[i] * x[j];
        }
    }
    let mut b = vec![0.0; m * n];
    for i in 0..m {
        let row = i * n;
        for j in 0..n {
            b[row + j] = x[i] * x[j].sin();
        }
        for j in 0..n {
            let e = b[row + j];
            b[row + j] = e * e + x[j];
        }
    }
    let mut sum = 0.0;
    for p in 0..m * (n + stride) {
        sum += a[p] * a[p];
    }
    for p in 0..m * n {
        sum += b[p] * b[p];
    }
    sum
}

/// Two halves that meet where `shift` is small.
#[gradient]
fn shifted(x: &[f64], n: usize, shift: usize) -> f64 {
    let mut a = vec![0.0; n + shift];
    for i in 0..n {
        a[i] = x[i] * 3.0;
        a[shift + i] = x[i];
    }
    let mut sum = 0.0;
    for i in 0..n + shift {
        sum += a[i] * a[i];
    }
    sum
}

/// Rows that the last column of the one before reaches into.
#[gradient]
fn one_too_long(x: &[f64], m: usize, n: usize) -> f64 {
    let mut a = vec![0.0; m * n + 1];
    for i in 0..m {
        for j in 0..=n {
            a[i * n + j] = x[i] * x[j];
        }
    }
    let mut sum = 0.0;
    for p in 0..m * n + 1 {
        sum += a[p] * a[p];
    }
    sum
}

/// Two blocks of rows, which meet where `shift` is a multiple of `n`.
#[gradient]
fn two_blocks(x: &[f64], m: usize, n: usize, shift: usize) -> f64 {
    let mut a = vec![0.0; m * n + shift];
    for i in 0..m {
        for j in 0..n {
            a[i * n + j] = x[i] * 3.0;
            a[shift + i * n + j] = x[j] * x[i];
        }
    }
    let mut sum = 0.0;
    for p in 0..m * n + shift {
        sum += a[p] * a[p];
    }
    sum
}

#[test]
fn elements_of_different_iterations() {
    let x = numbers(9);
    for n in [0_usize, 1, 2, 5, 8] {
        check(
            |x| even_and_odd(x, black_box(n)),
            |x| even_and_odd_grad(x, black_box(n)),
            &[&x],
        );
        check(
            |x| one_further(x, black_box(n)),
            |x| one_further_grad(x, black_box(n)),
            &[&x],
        );
        check(
            |x| two_further(x, black_box(n)),
            |x| two_further_grad(x, black_box(n)),
            &[&x],
        );
        for shift in [0_usize, 1, 4, 8, 20] {
            let (n, shift) = (black_box(n), black_box(shift));
            check(
                |x| shifted(x, n, shift),
                |x| shifted_grad(x, n, shift),
                &[&x],
            );
        }
    }
}

#[test]
fn rows_of_a_matrix() {
    let x = numbers(9);
    for m in [0_usize, 1, 2, 5] {
        for n in [0_usize, 1, 3, 6] {
            let (m, n) = (black_box(m), black_box(n));
            check(
                |x| one_too_long(x, m, n),
                |x| one_too_long_grad(x, m, n),
                &[&x],
            );
            for shift in [0_usize, 1, 3, 6, 40] {
                let shift = black_box(shift);
                check(
                    |x| two_blocks(x, m, n, shift),
                    |x| two_blocks_grad(x, m, n, shift),
                    &[&x],
                );
            }
            for stride in [0_usize, 1, 2, 6, 9] {
                let stride = black_box(stride);
                check(
                    |x| rows(x, m, n, stride),
                    |x| rows_grad(x, m, n, stride),
                    &[&x],
                );
            }
        }
    }
}
