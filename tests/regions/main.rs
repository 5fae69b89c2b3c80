//! Fields of tuples that are overwritten, read and recorded each by itself: what is done to one field says nothing of
//! the others, and what is done to all of them says it of each.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod arrays;
#[path = "../support/mod.rs"]
mod support;
mod whole;

use retrograde::gradient;
use support::check;

const PAIRS: &[&[f64]] = &[&[0.7, 0.4], &[-1.3, 0.9], &[1.4, -1.1]];

/// Compares the value bit for bit, and the gradient with differences, for a function of two numbers and a count.
macro_rules! for_counts {
    ($f:ident, $grad:ident) => {
        for n in [0, 1, 2, 5] {
            let n = std::hint::black_box(n);
            crate::support::check(
                |p| $f(p[0], p[1], n),
                |p| $grad(p[0], p[1], n),
                crate::PAIRS,
            );
        }
    };
}
pub(crate) use for_counts;

#[gradient]
fn sibling_overwritten(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, y);
    let mut s = 0.0;
    for k in 0..n {
        s += t.1 * t.1 * x;
        t.0 += (s + k as f64).sin();
    }
    s * t.1 + t.0
}

#[test]
fn one_field_changes_while_the_other_is_read() {
    for_counts!(sibling_overwritten, sibling_overwritten_grad);
}

#[gradient]
fn both_overwritten(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, y);
    let mut s = 0.0;
    for k in 0..n {
        s += t.0 * t.1;
        t.0 = t.0.sin() + t.1;
        s += t.0 * t.0;
        t.1 = t.1 * t.0 * 0.5;
    }
    s + t.0 * t.1
}

#[test]
fn each_field_changes_after_it_is_read() {
    for_counts!(both_overwritten, both_overwritten_grad);
}

#[gradient]
fn nested(x: f64, y: f64, n: usize) -> f64 {
    let mut t = ((x, y), (x * y, [y, 0.5]));
    let mut s = 0.0;
    for k in 0..n {
        s += t.0.0 * t.1.1[0];
        t.0.1 = t.0.1 * 0.5 + t.0.0;
        s *= t.0.1;
        t.1.1[0] = s.sin();
        t.1.0 -= t.0.1 * t.0.1;
        t.0 = (t.0.1, t.1.0);
    }
    s + t.0.0 * t.0.1 * t.1.0 + t.1.1[0] * t.1.1[1]
}

#[test]
fn fields_of_fields() {
    for_counts!(nested, nested_grad);
}

#[gradient]
fn exchanged(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, y, 0.3);
    let mut s = 0.0;
    for _ in 0..n {
        s += t.0 * t.0 * t.2;
        std::mem::swap(&mut t.0, &mut t.1);
        t.0 = (t.0 * 0.9 + s).sin();
        std::mem::swap(&mut t.2, &mut t.1);
        s += t.1 * t.1;
    }
    s + t.0 * t.1 * t.2
}

#[test]
fn two_fields_change_places() {
    for_counts!(exchanged, exchanged_grad);
}

#[gradient]
fn other_fields_exchanged(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, y, 0.3);
    let mut s = x;
    for _ in 0..n {
        s *= t.2 * t.2;
        std::mem::swap(&mut t.0, &mut t.1);
        t.0 += 0.5;
    }
    s * t.2 + t.0 - 2.0 * t.1
}

#[test]
fn two_fields_change_places_while_a_third_is_read() {
    for_counts!(other_fields_exchanged, other_fields_exchanged_grad);
}

#[gradient]
fn arms(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, y, x - y);
    let mut s = 0.0;
    for k in 0..n {
        s += t.0 * t.1 * t.2;
        if s > 0.2 {
            t.0 = t.0 * 0.7 + t.1;
        } else if k % 2 == 0 {
            t.1 = t.1 * t.1 - 0.4;
        } else {
            t = (t.2, t.0, s);
        }
        s -= t.2 * t.2;
    }
    s * t.1
}

#[test]
fn branches_overwrite_different_fields() {
    for_counts!(arms, arms_grad);
}

#[gradient]
fn left_early(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, y, 0);
    while t.2 < n {
        t.0 += t.1 * t.1 * x;
        if t.0 > 2.0 {
            return t.0 * t.1;
        }
        t.2 += 1;
        if t.2 == 3 {
            continue;
        }
        t.1 *= 0.9;
    }
    t.0 * t.1 * t.2 as f64
}

#[test]
fn a_field_counts_the_trips() {
    for_counts!(left_early, left_early_grad);
}

#[gradient]
fn region(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, y, 1.0);
    let mut s = t.0 * t.1;
    for _ in 0..n {
        #[checkpoint]
        {
            let d = t.0 * t.1;
            t.0 = d.sin() * t.2;
            s += t.0 * d;
        }
        t.1 -= t.0 * t.0;
        s *= t.2;
    }
    s + t.0 + t.1 * t.2
}

#[test]
fn a_region_overwrites_one_field() {
    for_counts!(region, region_grad);
}

#[gradient]
fn recomputed(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, y);
    let mut s = 0.0;
    for _ in 0..n {
        let d = t.0 * t.0 + 1.0;
        let e = t.1 * t.1 + 1.0;
        t.1 = (e * x).sin();
        s += d * d + e * e;
    }
    s * t.1
}

#[test]
fn what_is_computed_from_one_field_while_the_other_changes() {
    for_counts!(recomputed, recomputed_grad);
}

#[gradient]
fn copied(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, y);
    let mut s = 0.0;
    for _ in 0..n {
        let before = t;
        t.0 = t.0 * t.1;
        let mut after = t;
        after.1 += t.0;
        t.1 = 0.3 * (after.1 * before.0).cos();
        s += before.0 * before.1 * after.0 * after.1;
    }
    s + t.0 * t.1
}

#[test]
fn copies_of_all_fields() {
    for_counts!(copied, copied_grad);
}

#[gradient]
fn unused_field(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, y, 0.0, 2.0);
    let mut s = 0.0;
    for k in 0..n {
        t.2 = t.0 * t.0; // nothing comes of it
        t.3 += k as f64; // it depends on nothing
        s += t.1 * t.3;
        t.1 = t.1.cos() * t.0;
        t.2 += s * t.3;
    }
    let u = t;
    s * u.0 + u.1 * u.3
}

#[test]
fn a_field_that_is_not_useful_and_one_that_does_not_vary() {
    for_counts!(unused_field, unused_field_grad);
}
