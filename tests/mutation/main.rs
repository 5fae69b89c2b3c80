//! Overwritten scalars, elements and vectors; swaps; aliasing at run time.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::too_many_lines,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod chosen;
mod containers;
mod from_others;
mod lookups;
mod maps;
mod missing_parts;
#[path = "../support/outcomes.rs"]
mod outcomes;
mod queues;
mod rearranged;
mod refilled;
mod scalars;
mod side_by_side;
#[path = "../support/mod.rs"]
mod support;
mod through_methods;

use retrograde::{Tape, gradient};
use support::{assert_close, check, check_exact, differences};

const PAIRS: &[&[f64]] = &[&[0.7, 0.4], &[-1.3, 0.9], &[1.4, -1.1]];
const TRIPLES: &[&[f64]] = &[&[0.7, 0.4, -0.3], &[-1.3, 0.9, 1.1]];

#[gradient]
fn overwrites(x: f64, y: f64) -> f64 {
    let mut a = x * y;
    let b = a * a;
    a = a.sin();
    let c = a * b;
    a = y;
    a += c;
    a = a * a - b;
    a /= y;
    a * c
}

#[test]
fn scalar_overwritten_after_use() {
    check(
        |p| overwrites(p[0], p[1]),
        |p| overwrites_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn parameter(mut x: f64, mut y: f64) -> f64 {
    x *= y;
    y = x * x;
    x = y + x;
    x * y
}

#[test]
fn parameters_overwritten() {
    check(
        |p| parameter(p[0], p[1]),
        |p| parameter_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn killed(mut x: f64, y: f64) -> f64 {
    let used = x * x;
    x = 0.0;
    let none = x * y;
    x = y;
    used + none + x
}

#[test]
fn value_killed_by_a_constant() {
    check_exact(
        |p| killed(p[0], p[1]),
        |p| killed_grad(p[0], p[1]),
        |p| vec![2.0 * p[0], 1.0],
        PAIRS,
    );
}

#[gradient]
fn aliased(v: &[f64], i: usize, j: usize) -> f64 {
    let mut a = [v[0], v[1], v[2]];
    a[i] = a[j].sin() * a[i];
    a[i] *= a[j];
    a[j] += a[i] * a[j];
    a[i] = -a[i];
    a[j] /= a[i] * a[i] + 1.0;
    a[0] + 2.0 * a[1] + 3.0 * a[2]
}

#[test]
fn elements_that_may_be_the_same_at_run_time() {
    for i in 0..3 {
        for j in 0..3 {
            check(|p| aliased(p, i, j), |p| aliased_grad(p, i, j), TRIPLES);
        }
    }
}

#[gradient]
fn swaps(v: &[f64], i: usize, j: usize) -> f64 {
    let mut a = v.to_vec();
    a[0] *= a[1];
    a.swap(i, j);
    a[1] *= a[2];
    a.swap(j, 0);
    a[i] = a[i] * a[i];
    a[0] + 2.0 * a[1] + 3.0 * a[2]
}

/// Of one element is known that it is in the part, of the other it is not.
#[gradient]
fn swap_in_a_part(v: &[f64], at: usize, k: usize) -> f64 {
    let mut a = v.to_vec();
    let part = &mut a[at..at + 2];
    part.swap(0, k % part.len());
    a[0] * a[0] + 3.0 * a[1] * a[2]
}

#[test]
fn swap_of_elements_of_a_part() {
    for (at, k) in [(0, 0), (0, 1), (1, 0), (1, 3)] {
        let value = |p: &[f64]| swap_in_a_part(p, at, k);
        check(value, |p| swap_in_a_part_grad(p, at, k), TRIPLES);
    }
}

#[test]
fn swap_of_elements_also_with_themselves() {
    for i in 0..3 {
        for j in 0..3 {
            check(|p| swaps(p, i, j), |p| swaps_grad(p, i, j), TRIPLES);
        }
    }
}

#[gradient]
fn mem_functions(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x * x, y);
    std::mem::swap(&mut a, &mut b);
    let old = std::mem::replace(&mut a, b * y);
    b = core::mem::replace(&mut a, old * x) + 1.0;
    std::mem::swap(&mut b, &mut a);
    a * old + b
}

#[test]
fn mem_swap_and_replace() {
    check(
        |p| mem_functions(p[0], p[1]),
        |p| mem_functions_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn take(x: f64, y: f64) -> f64 {
    let mut a = x * y;
    let b = std::mem::take(&mut a);
    let mut v = vec![b, x];
    let w = std::mem::take(&mut v);
    a + b * w[1] + w[0] + v.len() as f64
}

#[test]
fn mem_take() {
    check(|p| take(p[0], p[1]), |p| take_grad(p[0], p[1]), PAIRS);
}

#[gradient]
fn swapped_buffers(v: &[f64], steps: usize) -> f64 {
    let mut a = v.to_vec();
    let mut b = vec![0.0; v.len()];
    for _ in 0..steps {
        for i in 0..a.len() {
            let left = if i > 0 { a[i - 1] } else { 0.0 };
            b[i] = a[i] * a[i] * 0.5 + left;
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().sum::<f64>() + b[0]
}

#[test]
fn buffers_that_swap_roles() {
    for steps in [0, 1, 2, 5] {
        check(
            |p| swapped_buffers(p, steps),
            |p| swapped_buffers_grad(p, steps),
            TRIPLES,
        );
    }
}

#[gradient]
fn swap_parts(x: f64, y: f64) -> f64 {
    let mut a = [x, x * y, 2.0];
    let mut t = (y, x);
    std::mem::swap(&mut a[0], &mut t.1);
    std::mem::swap(&mut t.0, &mut t.1);
    let mut other = [y, y, x * x];
    std::mem::swap(&mut a, &mut other);
    a[0] * a[2] + t.0 * other[1] - t.1
}

#[test]
fn swap_of_elements_fields_and_whole_arrays() {
    check(
        |p| swap_parts(p[0], p[1]),
        |p| swap_parts_grad(p[0], p[1]),
        PAIRS,
    );
}

/// The elements have different numbers, and stand in different arrays of one variable.
#[gradient]
fn swap_between_fields(t: &mut ([f64; 2], [f64; 2]), by: f64) -> f64 {
    std::mem::swap(&mut t.0[0], &mut t.1[1]);
    t.0[0] *= by;
    2.0 * t.0[0] + 3.0 * t.0[1] + 5.0 * t.1[0] + 7.0 * t.1[1]
}

#[test]
fn swap_of_elements_of_two_fields() {
    let start = ([2.0, 3.0], [5.0, 7.0]);
    let (mut value, mut output) = (start, start);
    let (mut bar, mut by_bar) = (([0.0; 2], [0.0; 2]), 0.0);
    let expected = swap_between_fields(&mut value, 0.5);
    let mut tape = retrograde::Tape::new();
    let found =
        swap_between_fields_adjoint(&mut tape, &mut output, &mut bar, 0.5, &mut by_bar, 1.0);
    assert_eq!((found, output), (expected, value));
    assert_eq!((bar, by_bar), (([7.0, 3.0], [5.0, 1.0]), 14.0));
}

#[gradient]
fn swap_between_rows(v: &[f64]) -> f64 {
    let mut a = [[v[0], v[1]], [v[2], v[0] * v[1]]];
    let [p, q] = &mut a;
    std::mem::swap(&mut p[0], &mut q[1]);
    a[0][0] *= v[2];
    a[0][0] * a[0][1] + 3.0 * a[1][0] + a[1][1] * a[1][1]
}

#[test]
fn swap_of_elements_of_two_rows() {
    check(swap_between_rows, swap_between_rows_grad, TRIPLES);
}

#[gradient]
fn fills(x: f64, y: f64) -> f64 {
    let mut a = [x; 4];
    a[2] *= y;
    let before = a[2];
    a[1..3].fill(y * y);
    a[0] += a[1];
    let mut v = vec![x * y; 3];
    v.fill(before);
    let all = a[0] * a[3];
    a.fill(all);
    a[2] * v[1] + before
}

#[test]
fn fill_of_arrays_and_parts() {
    check(|p| fills(p[0], p[1]), |p| fills_grad(p[0], p[1]), PAIRS);
}

#[gradient]
fn copies(v: &[f64]) -> f64 {
    let mut a = [1.0, 2.0, 3.0];
    a.copy_from_slice(v);
    a[1] *= a[0];
    let mut b = vec![0.0; 5];
    b[1..4].copy_from_slice(&a);
    b[2] *= b[1];
    b[..2].copy_from_slice(&v[1..]);
    let c = a.to_vec();
    a[0] = 5.0;
    let mut d = c.clone();
    d[0] *= c[1];
    b[0] * b[1] + b[2] * b[3] + a[0] * c[0] + d[0] * d[1]
}

#[test]
fn copy_from_slice_to_vec_and_clone() {
    check(|p| copies(p), |p| copies_grad(p), TRIPLES);
}

#[gradient]
fn stack(x: f64, y: f64, n: usize) -> f64 {
    let mut v = Vec::with_capacity(n);
    v.push(x);
    for i in 0..n {
        let top = v[v.len() - 1];
        v.push(top * y + i as f64);
        if i % 3 == 2 {
            v.pop();
        }
    }
    let mut s = 0.0;
    while let Some(t) = v.pop() {
        s = s * 0.5 + t;
        if v.len() == 1 {
            break;
        }
    }
    s + v.len() as f64 * x
}

#[test]
fn push_and_pop() {
    for n in [0, 1, 3, 8] {
        check(
            |p| stack(p[0], p[1], n),
            |p| stack_grad(p[0], p[1], n),
            PAIRS,
        );
    }
}

#[gradient]
fn pop_restores(x: f64, y: f64) -> f64 {
    let mut v = vec![x, x * y];
    v[1] *= v[0];
    let a = v.pop().unwrap();
    v.push(y);
    v[1] = v[1] * a;
    let b = v.pop().unwrap_or(0.0);
    v.push(b * b);
    v[0] * v[1] + a
}

#[test]
fn popped_slot_is_used_again() {
    check(
        |p| pop_restores(p[0], p[1]),
        |p| pop_restores_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn shrink(v: &[f64], x: f64) -> f64 {
    let mut a = v.to_vec();
    for i in 0..a.len() {
        a[i] *= x;
    }
    let first = a[0] * a[2];
    a.truncate(1);
    a.push(first);
    a[0] *= a[1];
    let kept = a[0];
    a.clear();
    a.push(kept * x);
    a.push(x);
    a[0] * a[1]
}

#[test]
fn truncate_and_clear() {
    check(
        |p| shrink(&p[..3], p[3]),
        |p| shrink_grad(&p[..3], p[3]),
        &[&[0.7, 0.4, -0.3, 1.2], &[-1.3, 0.9, 1.1, 0.6]],
    );
}

#[gradient]
fn in_place(v: &mut [f64], x: f64) -> f64 {
    for i in 0..v.len() {
        v[i] = v[i] * x + v[0];
    }
    for i in (0..v.len()).rev() {
        v[i] *= v[i];
    }
    v[0] * x
}

#[test]
fn in_out_slice_updated_in_place() {
    let mut tape = Tape::new();
    for p in [[0.7, 0.4, -0.3, 1.2], [-1.3, 0.9, 1.1, 0.6]] {
        let weights = [0.5, -1.0, 2.0];
        let whole = |p: &[f64]| {
            let mut v = p[..3].to_vec();
            let r = in_place(&mut v, p[3]);
            0.75 * r + v.iter().zip(&weights).map(|(a, b)| a * b).sum::<f64>()
        };
        let mut v = p[..3].to_vec();
        let mut dv = weights.to_vec();
        let mut dx = 0.25;
        let value = in_place_adjoint(&mut tape, &mut v, &mut dv, p[3], &mut dx, 0.75);
        let mut primal = p[..3].to_vec();
        assert_eq!(value, in_place(&mut primal, p[3]));
        assert_eq!(v, primal, "the outputs are put back");
        dv.push(dx - 0.25);
        assert_close(&dv, &differences(whole, &p), 1e-7, &p);
    }
}

#[gradient]
fn tuples(x: f64, y: f64) -> f64 {
    let mut t = (x, [y, x * y], 3);
    t.0 *= t.1[1];
    t.1[0] += t.0;
    t.2 += 1;
    let copy = t;
    t.1 = [copy.0, copy.1[0]];
    t.0 = t.1[0] * t.1[1];
    t.0 * copy.0 + t.2 as f64 * copy.1[1]
}

#[test]
fn tuples_with_arrays_inside() {
    check(|p| tuples(p[0], p[1]), |p| tuples_grad(p[0], p[1]), PAIRS);
}

#[gradient]
fn references(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    let r = &mut a;
    *r *= y;
    let s = &mut *r;
    *s = s.sin() + *s;
    {
        let q = &mut b;
        *q += a;
        *q *= *q;
    }
    let read = &b;
    *read * a + *read
}

#[test]
fn mutable_references_to_locals() {
    check(
        |p| references(p[0], p[1]),
        |p| references_grad(p[0], p[1]),
        PAIRS,
    );
}

#[gradient]
fn chosen(x: f64, y: f64, first: bool) -> f64 {
    let (mut a, mut b) = (x * y, y);
    let mut c = [x, y];
    *(if x > y { &mut a } else { &mut b }) *= 3.0 * y;
    let r = if first { &mut a } else { &mut c[1] };
    *r = *r * *r + x;
    *r += 1.0;
    let s = match first {
        true => &mut b,
        false => &mut c[0],
    };
    *s *= x;
    a * b + c[0] * c[1]
}

#[test]
fn mutable_references_chosen_by_a_condition() {
    for first in [true, false] {
        check(
            |p| chosen(p[0], p[1], first),
            |p| chosen_grad(p[0], p[1], first),
            PAIRS,
        );
    }
}

#[gradient]
fn order(x: f64, mut y: f64) -> f64 {
    let t = x * {
        y = x * y;
        y
    };
    let u = y * {
        y = 5.0;
        y
    } + y;
    let mut a = [x, t];
    let mut i = 0;
    a[{
        i += 1;
        i
    }] += {
        a[0] = y * x;
        a[0]
    };
    t * u + a[0] * a[1]
}

#[test]
fn operands_are_copied_before_later_operands_run() {
    check(|p| order(p[0], p[1]), |p| order_grad(p[0], p[1]), PAIRS);
}

#[gradient]
fn destructuring(x: f64, y: f64) -> f64 {
    let (mut a, mut b) = (x, y);
    (a, b) = (b * b, a);
    [a, b] = [b, a * b];
    a * b
}

#[test]
fn destructuring_assignment() {
    check(
        |p| destructuring(p[0], p[1]),
        |p| destructuring_grad(p[0], p[1]),
        PAIRS,
    );
}
