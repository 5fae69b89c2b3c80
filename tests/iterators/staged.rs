//! Adapters that look at one item after another: `filter`, `take_while`, `scan` and their relatives.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::support::{check, check_exact};
use retrograde::gradient;

const SIX: &[&[f64]] = &[
    &[0.7, 0.4, -0.3, 1.2, -0.5, 0.9],
    &[-1.3, 0.9, 1.1, 0.2, 0.8, -0.7],
    &[-1.0, -0.9, -1.1, -0.2, -0.8, -0.7],
    &[1.0, 0.9, 1.1, 0.2, 0.8, 0.7],
];
const NONE: &[&[f64]] = &[&[]];

/// Compared with differences at several points, and where there is no item at all.
macro_rules! agrees {
    ($test:ident, $f:ident, $g:ident) => {
        #[test]
        fn $test() {
            check(|p| $f(p), |p| $g(p), SIX);
            check(|p| $f(p), |p| $g(p), NONE);
        }
    };
}

#[gradient]
fn filtered(v: &[f64]) -> f64 {
    v.iter().filter(|x| **x > 0.0).map(|x| x * x).sum()
}
agrees!(filter_by_reference, filtered, filtered_grad);

#[gradient]
fn filtered_patterns(v: &[f64]) -> f64 {
    let a: f64 = v.iter().filter(|&x| *x > 0.0).sum();
    let b: f64 = v.iter().filter(|&&x| x < 0.5).map(|&x| x.sin()).sum();
    let c: f64 = v
        .iter()
        .copied()
        .filter(|x| *x < 0.85)
        .map(f64::exp)
        .product();
    let d: f64 = v
        .iter()
        .cloned()
        .filter(|&x| x < 0.85)
        .fold(0.5, |s, x| s * x + x);
    a * c + b * d
}
agrees!(
    patterns_of_closures,
    filtered_patterns,
    filtered_patterns_grad
);

#[gradient]
fn filtered_pairs(v: &[f64]) -> f64 {
    let even: f64 = v
        .iter()
        .enumerate()
        .filter(|(i, _)| i % 2 == 0)
        .map(|(i, x)| x * (i + 1) as f64)
        .sum();
    let late: f64 = v
        .iter()
        .enumerate()
        .filter(|&(i, x)| i > 1 && *x > 0.1)
        .map(|(_, x)| x.cos())
        .sum();
    let pairs: f64 = v
        .iter()
        .zip(v.iter().skip(1))
        .filter(|(a, b)| **a < **b)
        .map(|(a, b)| a * b)
        .sum();
    even * late + pairs
}
agrees!(filter_of_pairs, filtered_pairs, filtered_pairs_grad);

#[gradient]
fn filtered_loop(v: &[f64]) -> f64 {
    let mut product = 1.0;
    for x in v.iter().filter(|x| **x > 0.0) {
        if *x > 1.15 {
            continue;
        }
        product *= x.sin() + 1.5;
        if product > 8.0 {
            break;
        }
    }
    for (i, x) in v.iter().copied().filter(|x| x.abs() < 0.95).enumerate() {
        product += x * i as f64;
    }
    product
}
agrees!(loops_over_filtered_items, filtered_loop, filtered_loop_grad);

#[gradient]
fn mapped_options(v: &[f64]) -> f64 {
    let roots: f64 = v
        .iter()
        .filter_map(|x| if *x > 0.0 { Some(x.sqrt()) } else { None })
        .sum();
    let mut other = 0.0;
    for y in v.iter().filter_map(|&x| match x {
        x if x < 0.3 => Some(x * x),
        _ => None,
    }) {
        other += y * 0.5;
    }
    roots * other + roots
}
agrees!(filter_map, mapped_options, mapped_options_grad);

#[gradient]
fn while_taken(v: &[f64]) -> f64 {
    let a: f64 = v.iter().take_while(|x| **x > -0.4).map(|x| x * x).sum();
    let b: f64 = v.iter().skip_while(|x| **x > 0.0).map(|x| x.exp()).sum();
    let c: f64 = v
        .iter()
        .map_while(|x| if *x < 1.15 { Some(2.0 * x) } else { None })
        .sum();
    a * b + c
}
agrees!(take_while_and_skip_while, while_taken, while_taken_grad);

#[gradient]
fn scanned(v: &[f64], decay: f64) -> f64 {
    v.iter()
        .scan(0.25, |state, x| {
            *state = *state * decay + x;
            if *state > 3.0 {
                None
            } else {
                Some(*state * *state)
            }
        })
        .sum()
}

#[test]
fn scan_carries_its_state() {
    let last = |p: &[f64]| p.len() - 1;
    let points: &[&[f64]] = &[SIX[0], SIX[1], SIX[3], &[0.5], &[2.0, 2.0, 1.0, 0.1, 0.9]];
    check(
        |p| scanned(&p[..last(p)], p[last(p)]),
        |p| scanned_grad(&p[..last(p)], p[last(p)]),
        points,
    );
}

#[gradient]
fn counted(v: &[f64], n: usize, skip: usize) -> f64 {
    let first: f64 = v.iter().filter(|x| **x > -0.6).take(n).map(|x| x * x).sum();
    let rest: f64 = v
        .iter()
        .filter(|x| **x > -0.6)
        .skip(skip)
        .map(|x| x.sin())
        .sum();
    let numbered: f64 = v
        .iter()
        .filter(|x| **x > -0.6)
        .enumerate()
        .map(|(i, x)| x * i as f64)
        .sum();
    let weighted: f64 = v
        .iter()
        .filter(|x| **x > -0.6)
        .zip(v.iter().rev())
        .map(|(a, b)| a * b)
        .sum();
    let mut stopped = 1.0;
    for x in v.iter().filter(|x| **x < 0.95).take(n) {
        if *x < 0.3 {
            continue;
        }
        stopped *= x + 1.0;
    }
    first * rest + numbered * weighted + stopped
}

#[test]
fn take_skip_enumerate_and_zip_behind_filter() {
    for (n, skip) in [(0, 0), (1, 2), (2, 1), (3, 5), (7, 9)] {
        check(|p| counted(p, n, skip), |p| counted_grad(p, n, skip), SIX);
        check(|p| counted(p, n, skip), |p| counted_grad(p, n, skip), NONE);
    }
}

#[gradient]
fn taken_in_time(v: &[f64], n: usize, stop: usize) -> f64 {
    v.iter()
        .enumerate()
        .filter(|(i, _)| {
            assert!(*i < stop, "an item behind the last one was asked for");
            true
        })
        .take(n)
        .map(|(_, x)| x * x)
        .sum()
}

#[test]
fn nothing_is_asked_for_behind_the_last_item_taken() {
    let p = [0.5, 0.25, 2.0];
    for n in 0..=2 {
        assert_eq!(taken_in_time(&p, n, n), taken_in_time_grad(&p, n, n).0);
    }
    let late = catch_unwind(AssertUnwindSafe(|| taken_in_time_grad(&p, 3, 2)));
    assert!(late.is_err(), "the third item is asked for");
}

#[gradient]
fn reversed(v: &[f64]) -> f64 {
    v.iter()
        .filter(|x| **x > -0.6)
        .map(|x| x * 0.5)
        .rev()
        .fold(0.1, |s, x| s * x + x)
}
agrees!(filter_from_the_end, reversed, reversed_grad);

#[gradient]
fn collected(v: &[f64]) -> f64 {
    let positive: Vec<f64> = v.iter().copied().filter(|x| *x > 0.0).collect();
    let roots = v
        .iter()
        .filter(|x| **x > 0.0)
        .map(|x| x.sqrt())
        .collect::<Vec<_>>();
    let mut sum = 0.0;
    for i in 0..positive.len() {
        sum += positive[i] * roots[positive.len() - 1 - i];
    }
    sum
}
agrees!(filtered_items_are_collected, collected, collected_grad);

#[gradient]
fn in_place(v: &mut [f64], x: f64) {
    v.iter_mut().filter(|t| **t > 0.0).for_each(|t| *t *= x);
    for t in v.iter_mut().filter(|t| **t < 0.5) {
        *t += x * x;
    }
}

#[gradient]
fn written_through(p: &[f64]) -> f64 {
    let mut v = p.to_vec();
    in_place(&mut v, 1.5 + p.len() as f64 * 0.1);
    let mut w = v.clone();
    w.iter_mut()
        .enumerate()
        .filter(|(i, _)| i % 2 == 1)
        .for_each(|(_, t)| *t = t.sin());
    w.iter().zip(&v).map(|(a, b)| a * b).sum()
}
agrees!(items_are_written_to, written_through, written_through_grad);

#[gradient]
fn over_range(x: f64, n: usize) -> f64 {
    let mut sum = 0.0;
    for i in (0..n).filter(|i| i % 3 != 1) {
        sum = sum * x + i as f64;
    }
    sum + (1..=n)
        .filter(|i| i % 2 == 1)
        .map(|i| x / i as f64)
        .sum::<f64>()
}

#[test]
fn filtered_ranges() {
    for n in [0, 1, 2, 7] {
        check(
            |p| over_range(p[0], n),
            |p| over_range_grad(p[0], n),
            &[&[0.7], &[-1.1]],
        );
    }
}

#[gradient]
fn single(v: &[f32]) -> f32 {
    v.iter().filter(|x| **x > 0.0).map(|x| x * x * 0.5).sum()
}

#[test]
fn single_precision() {
    let p = [0.5f32, -2.0, 3.0];
    assert_eq!(single_grad(&p), (single(&p), vec![0.5, 0.0, 3.0]));
}

#[gradient]
fn ties(v: &[f64], bound: f64) -> f64 {
    v.iter().filter(|x| **x >= bound).map(|x| x * bound).sum()
}

#[test]
fn ties_and_nan_go_where_the_function_sends_them() {
    let (value, (dv, bound)) = ties_grad(&[1.0, 2.0, f64::NAN, 0.5], 1.0);
    assert_eq!((value, dv, bound), (3.0, vec![1.0, 1.0, 0.0, 0.0], 3.0));
}

#[gradient]
fn behind_map(v: &[f64], n: usize) -> f64 {
    let back: f64 = v.iter().map(|x| x * x).rev().fold(0.3, |s, x| s * x + x);
    let front: f64 = v.iter().map(|x| x.sin()).take(n).sum();
    let rest: f64 = v.iter().map(|x| x.cos()).skip(n).sum();
    let mut both = 0.0;
    for (i, x) in v.iter().map(|x| x * 2.0).rev().enumerate() {
        both += x * i as f64;
    }
    back * front + rest * both
}

#[test]
fn rev_take_and_skip_behind_map() {
    for n in [0, 2, 6, 9] {
        check(|p| behind_map(p, n), |p| behind_map_grad(p, n), SIX);
    }
}

#[gradient]
fn skipped_with_care(v: &[f64], n: usize) -> f64 {
    v.iter()
        .map(|x| {
            assert!(*x > 0.0, "negative");
            x * x
        })
        .skip(n)
        .sum()
}

#[test]
fn map_runs_for_what_is_skipped() {
    let plain = catch_unwind(|| skipped_with_care(&[-1.0, 2.0], 1));
    let gradient = catch_unwind(|| skipped_with_care_grad(&[-1.0, 2.0], 1));
    assert!(plain.is_err() && gradient.is_err());
    assert_eq!(
        skipped_with_care_grad(&[1.0, 2.0], 1),
        (4.0, vec![0.0, 4.0])
    );
}
