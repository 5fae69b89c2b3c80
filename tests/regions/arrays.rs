//! Arrays in tuples, and tuples in arrays.

use retrograde::gradient;

use crate::for_counts;
use crate::support::check;

#[gradient]
fn stepped(x: f64, y: f64, n: usize) -> f64 {
    let m = 7;
    let mut state = (vec![x; m], vec![y; m], 0.01);
    for i in 0..m {
        state.0[i] += 0.1 * i as f64;
    }
    for _ in 0..n {
        for i in 0..m {
            state.1[i] -= state.2 * state.0[i].sin();
        }
        for i in 0..m {
            state.0[i] += state.2 * state.1[i];
        }
        state.2 *= 1.5;
    }
    let mut energy = 0.0;
    for i in 0..m {
        energy += state.1[i] * state.1[i] - state.0[i].cos();
    }
    energy
}

#[test]
fn a_state_of_two_arrays() {
    for_counts!(stepped, stepped_grad);
}

#[gradient]
fn kept_in_a_field(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (vec![0.0; n + 1], vec![y; n + 1], 0.0);
    for k in 0..n {
        let v = (x * k as f64 + y).tanh();
        t.0[k] = v;
        t.1[k] = t.1[k + 1] * v;
        t.2 += v * v;
    }
    for k in 0..n {
        t.1[k] += t.0[k] * t.0[k] * t.2;
    }
    t.1[0] * t.1[n / 2] + t.2
}

#[test]
fn an_array_in_a_field_holds_a_value() {
    for_counts!(kept_in_a_field, kept_in_a_field_grad);
}

#[gradient]
fn overwritten_in_a_field(x: f64, y: f64, n: usize) -> f64 {
    let mut t = (vec![0.0; n + 2], vec![y; n + 2], 0.0);
    for k in 0..n {
        let v = (x * k as f64 + t.2).tanh();
        t.0[k] = v;
        t.2 += v * v * t.1[k];
        t.0[k + 1] = t.2;
        t.1[k + 1] = t.2 * 0.5;
    }
    t.0 = vec![t.2; n + 2];
    t.0[0] * t.1[n / 2] + t.2
}

#[test]
fn an_array_in_a_field_is_overwritten() {
    for_counts!(overwritten_in_a_field, overwritten_in_a_field_grad);
}

#[gradient]
fn tuples(x: f64, y: f64, n: usize) -> f64 {
    let mut a = [(x, y), (y, x), (0.3, x * y), (x, 0.8)];
    let mut s = 0.0;
    for k in 0..n {
        let (i, j) = (k % 4, (3 * k + 1) % 4);
        s += a[i].0 * a[j].1;
        a[j].0 = a[i].1 * a[i].0 + s;
        a[i].1 *= 0.5 * a[j].0;
        a.swap(i, (j + 1) % 4);
    }
    s + a[0].0 * a[1].1 + a[2].0 * a[3].1
}

#[test]
fn fields_of_elements_are_told_apart_by_nothing_but_the_field() {
    for_counts!(tuples, tuples_grad);
}

#[gradient]
fn indexed(x: f64, y: f64, n: usize) -> f64 {
    let w = [x, y, x * y, 0.4];
    let mut t = (0, x, 3);
    let mut s = 0.0;
    for _ in 0..n {
        s += w[t.0] * t.1;
        t.1 = w[t.2] * t.1;
        t.0 = (t.0 + 1) % 4;
        s *= w[t.0];
        t.2 = (t.2 + t.0) % 4;
    }
    s + t.1 * w[t.0]
}

#[test]
fn a_field_is_an_index() {
    for_counts!(indexed, indexed_grad);
}

#[gradient]
fn element_of_a_field(x: f64, y: f64, n: usize) -> f64 {
    let mut t = ([x, y, 0.5], 0, [y; 3]);
    let mut s = 0.0;
    for _ in 0..n {
        s += t.0[t.1] * t.2[t.1];
        t.0[t.1] = s.cos() * t.2[1];
        t.1 = (t.1 + 1) % 3;
        t.2[t.1] *= t.0[2 - t.1];
        t.2.swap(0, t.1);
        s -= t.0[t.1] * t.0[t.1];
    }
    s + t.0[0] * t.0[1] * t.2[2]
}

#[test]
fn a_field_is_the_index_of_another_one() {
    for_counts!(element_of_a_field, element_of_a_field_grad);
}

#[gradient]
fn sums(x: f64, y: f64, n: usize) -> f64 {
    let (m, mut t) = (4, (0.0, x, y));
    for k in 0..n {
        let factor = t.0 * t.2;
        for i in 0..m {
            t.0 += t.1 * i as f64;
            t.2 -= 0.1 * t.1;
        }
        t.1 = factor * 0.3 + t.1;
    }
    t.0 * t.1 * t.2
}

#[test]
fn fields_that_are_sums_of_an_inner_loop() {
    for_counts!(sums, sums_grad);
}

#[gradient]
fn filled(x: f64, y: f64, n: usize) -> f64 {
    let mut t = ([x; 3], [y; 3], [0.1, 0.2, 0.3]);
    let mut s = 0.0;
    for k in 0..n {
        s += t.0[k % 3] * t.1[0] * t.2[1];
        t.1.fill(s);
        s += t.1[2] * t.1[2];
        t.0.copy_from_slice(&t.2);
        t.2[k % 3] = s * t.0[1];
    }
    s * t.0[0] + t.2[2]
}

#[test]
fn a_field_is_filled_and_copied_into() {
    for_counts!(filled, filled_grad);
}
