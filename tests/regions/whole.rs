//! What touches all fields at once: assignments, calls, references, moves.

use std::ops::{Deref, DerefMut};

use retrograde::gradient;

use crate::for_counts;
use crate::support::check;

#[gradient]
fn assigned(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, y);
    let mut s = 0.0;
    for _ in 0..n {
        s += t.0 * t.1;
        t = (t.1, t.0 * 0.5 + s);
        s += t.0 * t.0 * t.1;
    }
    s + t.0 * t.1
}

#[test]
fn an_assignment_overwrites_all_fields() {
    for_counts!(assigned, assigned_grad);
}

#[gradient]
fn mix(t: &mut (f64, f64), by: f64) {
    let first = t.0;
    t.0 = t.1 * by;
    t.1 = first * first;
}

#[gradient]
fn lent(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, y);
    let mut s = 0.0;
    for _ in 0..n {
        s += t.0 * t.1;
        mix(&mut t, 0.5);
        s += t.1 * t.1;
    }
    s * t.0 + t.1
}

#[test]
fn a_callee_overwrites_all_fields() {
    for_counts!(lent, lent_grad);
}

#[gradient]
fn bump(a: &mut f64, by: f64) -> f64 {
    *a = *a * by + 0.1;
    *a * *a
}

#[gradient]
fn field_lent(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, y, 0.5);
    let mut s = 0.0;
    for _ in 0..n {
        let product = t.0 * t.1;
        s += bump(&mut t.0, t.2) * product;
        s += bump(&mut t.1, t.0 * t.2);
        t.2 = (t.2 * 0.5 + s).sin();
    }
    s * t.0 * t.1 * t.2
}

#[test]
fn a_callee_overwrites_one_field() {
    for_counts!(field_lent, field_lent_grad);
}

#[gradient]
fn dot(t: &(f64, f64), u: &mut f64) -> f64 {
    *u += t.0;
    t.0 * t.1
}

#[gradient]
fn part_lent(x: f64, y: f64, n: usize) -> f64 {
    let mut t = ((x, y), 0.5);
    let mut s = 0.0;
    for _ in 0..n {
        s += dot(&t.0, &mut t.1) * t.1;
        t.0.1 = t.0.1 * t.1 + s;
    }
    s * t.0.1 * t.1
}

#[test]
fn a_callee_reads_one_part_and_overwrites_another() {
    for_counts!(part_lent, part_lent_grad);
}

#[gradient]
fn referred(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (x, [y, x, 0.2], 0.7);
    let mut s = 0.0;
    for k in 0..n {
        let all = &mut t;
        s += all.0 * all.1[k % 3];
        let part = &mut all.1;
        part[k % 3] = part[(k + 1) % 3] * 0.5 + s;
        let last = &mut t.2;
        *last *= t.1[0];
        s += t.2 * t.2;
    }
    s + t.0 * t.1[1]
}

#[test]
fn references_to_fields() {
    for_counts!(referred, referred_grad);
}

#[gradient]
fn payload(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (Some((x, y)), y);
    let mut s = 0.0;
    for k in 0..n {
        if let Some(both) = &mut t.0 {
            s += both.0 * both.1;
            both.0 = both.1 * t.1;
            both.1 *= 0.8;
        }
        if k == 2 {
            t.0 = None;
        }
        t.1 += s;
    }
    match t.0 {
        Some(both) => s * both.0 * both.1 + t.1,
        None => s * t.1,
    }
}

#[test]
fn what_is_in_an_option_is_one_region() {
    for_counts!(payload, payload_grad);
}

#[gradient]
fn moved(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (vec![x, y], vec![x * y]);
    let mut s = 0.0;
    for k in 0..n {
        let first = t.0;
        s += first[0] * t.1[k];
        t.0 = vec![first[1], s, y];
        t.1.push(t.0[0] * t.0[1]);
        s += t.1[k + 1];
    }
    let (a, b) = t;
    s * a[0] + b[0]
}

#[test]
fn a_field_is_moved_out_and_back() {
    for_counts!(moved, moved_grad);
}

#[gradient]
fn lengths(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (vec![1.0], x, vec![y]);
    let before = t.clone();
    for k in 0..n {
        t.0 = vec![2.0; k + 2];
        t.1 += t.0[k] * t.2[k] * y;
        t.2.push(t.1);
    }
    let after = t.clone();
    before.1 * after.1 * after.0[0] + after.2[n] * before.2[0] * t.1
}

#[test]
fn a_field_without_derivative_changes_its_length() {
    for_counts!(lengths, lengths_grad);
}

#[derive(Clone, retrograde::Duplicate)]
struct Inner {
    k: usize,
}

/// Its field `k` lies in its field `inner`.
#[derive(Clone, retrograde::Duplicate)]
struct Outer {
    inner: Inner,
}

impl Deref for Outer {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}

impl DerefMut for Outer {
    fn deref_mut(&mut self) -> &mut Inner {
        &mut self.inner
    }
}

#[gradient]
fn dereferenced(#[constant] at: &mut Outer, w: &[f64], out: &mut f64) {
    *out = w[at.k] * w[at.k];
    at.inner.k = 1;
    *out *= w[at.k];
    at.k = 2;
    *out *= w[at.inner.k];
}

#[test]
fn a_field_of_what_a_type_dereferences_to() {
    let w = [0.7, -1.3, 0.4];
    let value = |w: &[f64]| w[0] * w[0] * w[1] * w[2];
    let mut at = Outer {
        inner: Inner { k: 0 },
    };
    let mut out = 0.0;
    let mut w_bar = [0.0; 3];
    let (mut out_bar, tape) = (1.0, &mut retrograde::Tape::new());
    dereferenced_adjoint(tape, &mut at, &w, &mut w_bar, &mut out, &mut out_bar, ());
    let want = [
        2.0 * w[0] * w[1] * w[2],
        w[0] * w[0] * w[2],
        w[0] * w[0] * w[1],
    ];
    for (got, want) in w_bar.iter().zip(want) {
        assert!((got - want).abs() <= 1e-14, "{got} is not {want}");
    }
}
