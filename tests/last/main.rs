//! Writes under a condition, of which only the last one has a part in the gradient.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod searches;
#[path = "../support/mod.rs"]
mod support;
#[path = "../transforms/twins.rs"]
mod twins;

use twins::{numbers, twins};

macro_rules! same {
    ($f:ident, $g:ident, $($arg:expr),*) => {
        twins::agree(|| on::$f($($arg),*), || on::$g($($arg),*), || off::$g($($arg),*))
    };
}
use same;

twins! {
    /// applied `last`
    pub(super) fn largest(x: &[f64]) -> f64 {
        let mut m = x[0];
        for i in 1..x.len() {
            if x[i] > m {
                m = x[i];
            }
        }
        m
    }

    /// By value, without an index.
    ///
    /// applied `last`
    pub(super) fn by_value(x: &[f64]) -> f64 {
        let mut m = x[0];
        for &v in x.iter() {
            if v > m {
                m = v;
            }
        }
        m * m
    }

    /// A value of the iteration's own, computed from two elements.
    ///
    /// applied `last`
    pub(super) fn of_pairs(x: &[f64], w: &[f64]) -> f64 {
        let mut m = -2.0;
        for (v, u) in x.iter().zip(w.iter()) {
            let p = 0.5 * v - u;
            if p > m {
                m = p;
            }
        }
        m * m
    }

    /// The iteration's own value is used outside of the branch, too.
    ///
    /// not applied `last`
    pub(super) fn own_value_used_twice(x: &[f64]) -> f64 {
        let mut m = -2.0;
        let mut s = 0.0;
        for &v in x.iter() {
            if v > m {
                m = v;
            }
            s += v * v;
        }
        m * s
    }

    /// The last of equal elements, and the array on the other side.
    ///
    /// applied `last`
    pub(super) fn last_largest(x: &[f64], m: f64) -> f64 {
        let mut m = m;
        for i in 0..x.len() {
            if m <= x[i] {
                m = x[i];
            }
        }
        m * 2.0
    }

    /// applied `last`
    pub(super) fn first_smallest(x: &[f32], from: usize) -> f32 {
        let mut m = 0.25;
        let mut at = 0;
        for i in 3..x.len() - from {
            if x[i + from] < m {
                m = x[i + from];
                at = i;
            }
        }
        m * at as f32
    }

    /// applied `last`
    pub(super) fn last_smallest(x: &[f64]) -> f64 {
        let mut m = 0.25;
        for i in 0..x.len() {
            if x[i] <= m {
                m = x[i];
            }
        }
        m
    }

    /// A product is taken over, and its place is noted.
    ///
    /// applied `last`
    pub(super) fn smallest_weighted(x: &[f64], w: &[f64]) -> f64 {
        let mut m = 2.0;
        let mut at = 0;
        for i in 0..x.len() {
            if x[i] * w[i] < m {
                m = x[i] * w[i];
                at = i;
            }
        }
        m * m + at as f64
    }

    /// Sums, signs and quotients of what is taken over.
    ///
    /// not applied `last`
    pub(super) fn mixed(x: &[f64], w: &[f64], t: f64) -> f64 {
        let mut m = t;
        for i in 0..x.len() {
            if x[i] > 0.3 {
                m = -x[i] / (w[i] + 3.0) + t * w[i] - x[0];
            }
        }
        m * m
    }

    /// One for each row, in a loop around.
    ///
    /// applied `last`
    pub(super) fn rows(x: &[f64], n: usize, m: usize) -> f64 {
        let mut total = 0.0;
        for i in 0..n {
            let mut best = -0.5;
            for j in 0..m {
                if x[i * m + j] > best {
                    best = x[i * m + j];
                }
            }
            total += best * best * (i as f64 + 1.0);
        }
        total
    }

    /// applied `last`
    pub(super) fn backwards(x: &[f64]) -> f64 {
        let mut m = 0.0;
        for i in (0..x.len()).rev() {
            if x[i] > m {
                m = x[i];
            }
        }
        3.0 * m
    }

    /// applied `last`
    pub(super) fn every_third(x: &[f64]) -> f64 {
        let mut m = 0.0;
        for i in (0..x.len()).step_by(3) {
            if x[i] > m {
                m = x[i];
            }
        }
        3.0 * m
    }

    /// not applied `last`
    pub(super) fn left_early(x: &[f64]) -> f64 {
        let mut m = 0.0;
        for i in 0..x.len() {
            if x[i] < -0.9 {
                break;
            }
            if x[i] > m {
                m = x[i];
            }
        }
        3.0 * m
    }

    /// not applied `last`
    pub(super) fn inclusive(x: &[f64], last: usize) -> f64 {
        let mut m = 0.0;
        for i in 0..=last {
            if x[i] > m {
                m = x[i];
            }
        }
        3.0 * m
    }

    /// The other branch.
    ///
    /// applied `last`
    pub(super) fn otherwise(x: &[f64]) -> f64 {
        let mut m = 0.5;
        for i in 0..x.len() {
            if x[i] <= m {
            } else {
                m = x[i];
            }
        }
        m * m
    }

    /// What is written feeds on what was there: all writes count.
    ///
    /// not applied `last`
    pub(super) fn fed_back(x: &[f64]) -> f64 {
        let mut m = 0.5;
        for i in 0..x.len() {
            if x[i] > m {
                m = 0.5 * m + x[i];
            }
        }
        m * m
    }

    /// Both branches write.
    ///
    /// not applied `last`
    pub(super) fn both(x: &[f64]) -> f64 {
        let mut m = 0.5;
        for i in 0..x.len() {
            if x[i] > m {
                m = x[i];
            } else {
                m = 0.9 * m;
            }
        }
        m * m
    }

    /// The write is of one variable, and another one adds up.
    ///
    /// not applied `last`
    pub(super) fn beside_a_sum(x: &[f64]) -> f64 {
        let mut m = 0.5;
        let mut s = 0.0;
        for i in 0..x.len() {
            if x[i] > m {
                m = x[i];
                s += m;
            }
        }
        m * s
    }

    /// Two variables change places.
    ///
    /// not applied `last`
    pub(super) fn two_largest(x: &[f64]) -> f64 {
        let (mut m, mut second) = (-2.0, -3.0);
        for i in 0..x.len() {
            if x[i] > m {
                second = m;
                m = x[i];
            } else if x[i] > second {
                second = x[i];
            }
        }
        m * second
    }

    /// Written in the loop without the condition, too.
    ///
    /// not applied `last`
    pub(super) fn written_always(x: &[f64]) -> f64 {
        let mut m = 0.5;
        for i in 0..x.len() {
            m = m * 0.75;
            if x[i] > m {
                m = x[i];
            }
        }
        m * m
    }

    /// The index comes out of another array.
    ///
    /// applied `last`
    pub(super) fn by_index(x: &[f64], at: &[usize]) -> f64 {
        let mut m = -2.0;
        for i in 0..at.len() {
            if x[at[i]] > m {
                m = x[at[i]];
            }
        }
        m * m
    }

    /// The array is overwritten behind: an element counts as it was.
    ///
    /// not applied `last`
    pub(super) fn overwritten(a: &[f64]) -> f64 {
        let mut x = a.to_vec();
        let mut m = -2.0;
        for i in 0..x.len() {
            if x[i] > m {
                m = x[i] * x[i];
            }
            x[i] = x[i] * 0.5;
        }
        m * m
    }

    /// A flag that the iteration before has set.
    ///
    /// applied `last`
    pub(super) fn outer_flag(x: &[f64], w: &[f64], t: f64) -> f64 {
        let mut m = t;
        let mut up = true;
        for i in 0..x.len() {
            if up {
                m = x[i] * w[i];
            }
            up = w[i] > 0.0;
        }
        m * m
    }

    /// Left where something else is found, too.
    ///
    /// not applied `last`
    pub(super) fn found_or_stop(x: &[f64], w: &[f64], t: f64) -> f64 {
        let mut m = t;
        for i in 0..x.len() {
            if x[i] > t {
                m = x[i] * w[i];
                if w[i] > 0.5 {
                    break;
                }
            }
        }
        m * m
    }

    /// The place before the last one.
    ///
    /// applied `last`
    pub(super) fn searched_prev(x: &[f64]) -> f64 {
        let mut m = -1.0;
        let mut at = 0;
        let mut last = 0;
        for i in 0..x.len() {
            if x[i] > m {
                last = at;
                m = x[i];
                at = i;
            }
        }
        m * x[last % x.len().max(1)] + at as f64
    }

    /// In branches, and in a loop around.
    ///
    /// applied `last`
    pub(super) fn nested_last(x: &[f64], t: f64, go: bool) -> f64 {
        let mut m = t;
        if go {
            for i in 0..x.len() {
                if x[i] > 0.2 {
                    m = x[i] * t;
                }
            }
            m = m * m;
        } else {
            for i in 0..x.len() {
                if x[i] < 0.2 {
                    m = x[i] * x[0];
                }
            }
        }
        for k in 0..3 {
            if m > 0.1 {
                for i in 0..x.len() {
                    if x[i] > m {
                        m = x[i];
                    }
                }
                m = m * 0.5;
            }
        }
        m
    }

    /// In iterations that run again.
    ///
    /// applied `last`
    pub(super) fn checkpointed_last(x: &[f64], n: usize) -> f64 {
        let mut s = 0.25;
        #[checkpoint]
        for k in 0..n {
            let mut m = s;
            for i in 0..x.len() {
                if x[i] > m {
                    m = x[i] * x[i];
                }
            }
            s = m * 0.75 + s * s;
        }
        s
    }

    /// What is noted with an element overflows for some, and the end of the search is another one.
    ///
    /// applied `last`
    pub(super) fn overflows(x: &[f64], number: &[usize]) -> f64 {
        let mut m = -2.0;
        let mut at = 0;
        for i in 0..x.len() {
            if x[i] > m {
                m = x[i];
                at = number[i] - 1;
            }
        }
        m * at as f64
    }

    /// A division by zero on the way.
    ///
    /// applied `last`
    pub(super) fn divides(x: &[f64], number: &[i32]) -> f64 {
        let mut m = -2.0;
        let mut q = 0;
        for i in 0..x.len() {
            if x[i] > m {
                m = x[i];
                q = 100 / number[i];
            }
        }
        m * f64::from(q)
    }

    /// The element behind the largest.
    ///
    /// applied `last`
    pub(super) fn behind(x: &[f64]) -> f64 {
        let mut m = -2.0;
        let mut at = 0;
        for i in 0..x.len() {
            if x[i] > m {
                m = x[i];
                at = i + 1;
            }
        }
        m * at as f64
    }
}

#[test]
fn only_the_last_write_counts() {
    for n in twins::SIZES {
        for seed in [1, 2, 5] {
            let (x, w) = (numbers(n, seed), numbers(n, seed + 1));
            same!(largest, largest_grad, &x);
            same!(by_value, by_value_grad, &x);
            same!(of_pairs, of_pairs_grad, &x, &w);
            same!(own_value_used_twice, own_value_used_twice_grad, &x);
            same!(smallest_weighted, smallest_weighted_grad, &x, &w);
            same!(mixed, mixed_grad, &x, &w, 0.7);
            same!(backwards, backwards_grad, &x);
            same!(every_third, every_third_grad, &x);
            same!(left_early, left_early_grad, &x);
            same!(otherwise, otherwise_grad, &x);
            same!(fed_back, fed_back_grad, &x);
            same!(both, both_grad, &x);
            same!(beside_a_sum, beside_a_sum_grad, &x);
            same!(two_largest, two_largest_grad, &x);
            same!(written_always, written_always_grad, &x);
            same!(overwritten, overwritten_grad, &x);
            same!(searched_prev, searched_prev_grad, &x);
            same!(checkpointed_last, checkpointed_last_grad, &x, 3);
            for t in [-0.3, 0.3] {
                same!(outer_flag, outer_flag_grad, &x, &w, t);
                same!(found_or_stop, found_or_stop_grad, &x, &w, t);
                same!(nested_last, nested_last_grad, &x, t, seed > 1);
            }
            if n > 0 {
                same!(inclusive, inclusive_grad, &x, n - 1);
                same!(inclusive, inclusive_grad, &x, n);
                let at: Vec<usize> = (0..2 * n).map(|k| k * 7 % n).collect();
                same!(by_index, by_index_grad, &x, &at);
            }
            for m in [0, 1, 4, 33] {
                let x = numbers(n * m, seed);
                same!(rows, rows_grad, &x, n, m);
            }
        }
    }
}

/// Few different numbers, so that it shows which of equal ones is taken, and with which sign.
#[test]
fn equal_elements() {
    let values = [0.0, -0.0, 1.0, -1.0, f64::NAN, 1.0, 0.5];
    for n in [40, 47, 48, 49, 64, 100, 131] {
        for kinds in 1..=values.len() {
            for seed in 0..4 {
                let pick = |k: usize| values[(k * k * 31 + k * (seed + 3) + seed) % 101 % kinds];
                let x: Vec<f64> = (0..n).map(pick).collect();
                same!(largest, largest_grad, &x);
                same!(by_value, by_value_grad, &x);
                same!(last_smallest, last_smallest_grad, &x);
                for m in [-2.0, 0.0, -0.0, f64::NAN] {
                    same!(last_largest, last_largest_grad, &x, m);
                }
                let single: Vec<f32> = x.iter().map(|v| *v as f32).collect();
                for from in [0, 2] {
                    let found = on::first_smallest_grad(&single, from);
                    let expected = off::first_smallest_grad(&single, from);
                    assert_eq!(found.0.to_bits(), first(&single, from).to_bits());
                    assert_eq!(found.1, expected.1);
                }
            }
        }
    }
}

fn first(x: &[f32], from: usize) -> f32 {
    on::first_smallest(x, from)
}

#[test]
fn ties_and_what_is_not_a_number() {
    let cases: [&[f64]; 7] = [
        &[1.0, 1.0, 1.0],
        &[0.0, -0.0, 0.0],
        &[f64::NAN, 1.0, 2.0],
        &[1.0, f64::NAN, 0.5],
        &[1.0, 2.0, f64::NAN],
        &[f64::NEG_INFINITY, f64::INFINITY, 3.0],
        &[3.0, 2.0, 1.0],
    ];
    for x in cases {
        same!(largest, largest_grad, x);
        same!(backwards, backwards_grad, x);
        same!(otherwise, otherwise_grad, x);
        same!(written_always, written_always_grad, x);
    }
    let (_, ones) = on::largest_grad(&[1.0, 3.0, 3.0, 2.0]);
    assert_eq!(ones, [0.0, 1.0, 0.0, 0.0]);
}

/// A panic of an iteration that finds an element comes, even if a later one finds a larger.
#[test]
fn what_an_element_panics_with() {
    for n in twins::SIZES {
        for seed in [1, 2, 5] {
            let x = numbers(n, seed);
            same!(behind, behind_grad, &x);
            for bad in 0..=n.min(5) {
                let number: Vec<usize> = (0..n).map(|k| usize::from(k != bad)).collect();
                same!(overflows, overflows_grad, &x, &number);
                let number: Vec<i32> = (0..n).map(|k| i32::from(k != bad)).collect();
                same!(divides, divides_grad, &x, &number);
            }
        }
    }
}
