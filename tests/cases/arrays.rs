//! Arrays and slices, changed in place or re-pointed.

use crate::support::number::{D, num};
use crate::{exact, near};
use retrograde::{Tape, gradient};

// 26. Input array overwritten while being summed.
#[gradient]
fn input_slice_scaled_in_place(a: &mut [f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        a[i] *= b[i];
        s += a[i];
    }
    s
}

#[test]
fn an_input_is_overwritten_while_it_is_summed() {
    let primal = |p: &[f64]| {
        let mut a = [p[0], p[1], p[2]];
        input_slice_scaled_in_place(&mut a, &p[3..6])
    };
    let gradient = |p: &[f64]| {
        let (mut a, mut da, mut db) = ([p[0], p[1], p[2]], [0.0; 3], [0.0; 3]);
        let value = input_slice_scaled_in_place_adjoint(
            &mut Tape::new(),
            &mut a,
            &mut da,
            &p[3..6],
            &mut db,
            1.0,
        );
        (value, (da, db))
    };
    exact(
        primal,
        gradient,
        &[1.0, 1.0, 1.0, 2.0, 5.0, 2.0],
        9.0,
        &[2.0, 5.0, 2.0, 1.0, 1.0, 1.0],
    );
}

// 27. Like a prefix sum but nonlinear, so old values matter.
#[gradient]
fn running_product_recurrence_in_place(v: &mut [f64]) -> f64 {
    for i in 1..v.len() {
        v[i] = v[i] * v[i - 1] + v[i - 1].sin();
    }
    v[v.len() - 1]
}

fn running_product_recurrence_in_place_dual(p: &[D]) -> D {
    let mut v = p.to_vec();
    for i in 1..v.len() {
        v[i] = v[i] * v[i - 1] + v[i - 1].sin();
    }
    v[v.len() - 1]
}

#[test]
fn a_recurrence_in_place_needs_its_old_values() {
    let primal = |p: &[f64]| running_product_recurrence_in_place(&mut p.to_vec());
    let gradient = |p: &[f64]| {
        let (mut a, mut da) = (p.to_vec(), vec![0.0; p.len()]);
        let value =
            running_product_recurrence_in_place_adjoint(&mut Tape::new(), &mut a, &mut da, 1.0);
        (value, da)
    };
    near(
        primal,
        gradient,
        running_product_recurrence_in_place_dual,
        &[0.5, 1.5, 0.8, 1.2],
        3.2486368106418806,
        &[
            2.2997245367395447,
            0.48362664111259135,
            1.047927206543712,
            1.92583707063919,
        ],
    );
}

// 28. Array literal with constants, zero and an active entry.
#[gradient]
fn zero_padded_local_array(x: &[f64], y: f64) -> f64 {
    let mut prod = 0.0;
    for i in 0..2 {
        let a = [1.0 + i as f64, 0.0, y, 0.0];
        for k in 0..4 {
            prod += a[k] * x[k];
        }
    }
    prod
}

#[test]
fn an_array_literal_holds_constants_and_an_active_entry() {
    let primal = |p: &[f64]| zero_padded_local_array(&p[0..4], p[4]);
    let gradient = |p: &[f64]| zero_padded_local_array_grad(&p[0..4], p[4]);
    exact(
        primal,
        gradient,
        &[1.0, 2.0, 3.0, 4.0, 5.0],
        33.0,
        &[3.0, 0.0, 10.0, 0.0, 6.0],
    );
}

// 29. Callee squares the element in place and returns it.
#[gradient]
fn sq_in_place(e: &mut f64) -> f64 {
    *e = *e * *e;
    *e
}
#[gradient]
fn squares_by_mutating_callee(v: &mut [f64]) -> f64 {
    let mut r = 0.0;
    for i in 0..v.len() {
        r += sq_in_place(&mut v[i]);
    }
    r
}

#[test]
fn a_callee_squares_an_element_in_place_and_returns_it() {
    let primal = |p: &[f64]| squares_by_mutating_callee(&mut p.to_vec());
    let gradient = |p: &[f64]| {
        let (mut a, mut da) = (p.to_vec(), vec![0.0; p.len()]);
        let value = squares_by_mutating_callee_adjoint(&mut Tape::new(), &mut a, &mut da, 1.0);
        (value, da)
    };
    exact(
        primal,
        gradient,
        &[1.0, 2.0, 3.0, 4.0, 5.0],
        55.0,
        &[2.0, 4.0, 6.0, 8.0, 10.0],
    );
}

// 30. Two slice variables re-pointed at each other's data.
#[gradient]
fn two_slices_swap_roles(a0: &[f64], b0: &[f64]) -> f64 {
    let (mut a, mut b) = (a0, b0);
    let mut s = b[2];
    b = a;
    a = &a[1..];
    b = &b[1..];
    s += a[0] + b[0];
    b = &b[1..];
    a = &a[1..];
    s += a[0] + b[0];
    a = &a0[1..];
    b = a;
    s += a[0] + b[0];
    s + a0[0] + a0[0]
}

#[test]
fn two_slices_point_at_each_others_data() {
    let primal = |p: &[f64]| two_slices_swap_roles(&p[0..3], &p[3..6]);
    let gradient = |p: &[f64]| two_slices_swap_roles_grad(&p[0..3], &p[3..6]);
    exact(
        primal,
        gradient,
        &[1.0, 2.0, 3.0, 1.0, 2.0, 3.0],
        19.0,
        &[2.0, 4.0, 2.0, 0.0, 0.0, 1.0],
    );
}

// 31. Elementwise select in place; no storage should be needed.
#[gradient]
fn relu_in_place_then_sum(t: &mut [f64]) -> f64 {
    for i in 0..t.len() {
        t[i] = if t[i] > 0.0 { t[i] } else { 0.0 };
    }
    let mut s = 0.0;
    for i in 0..t.len() {
        s += (i as f64 + 1.0) * t[i] * t[i];
    }
    s
}

#[test]
fn an_elementwise_choice_in_place() {
    let primal = |p: &[f64]| relu_in_place_then_sum(&mut p.to_vec());
    let gradient = |p: &[f64]| {
        let (mut a, mut da) = (p.to_vec(), vec![0.0; p.len()]);
        let value = relu_in_place_then_sum_adjoint(&mut Tape::new(), &mut a, &mut da, 1.0);
        (value, da)
    };
    exact(primal, gradient, &[1.0, -2.0, 3.0], 28.0, &[2.0, 0.0, 18.0]);
}

// 51. Explicit nonlinear diffusion, two alternating buffers (heat1d shape).
#[gradient]
fn two_buffer_time_stepping(u: &[f64]) -> f64 {
    let n = u.len();
    let (mut a, mut b) = (u.to_vec(), u.to_vec());
    for _ in 0..6 {
        for i in 1..n - 1 {
            let (hr, hl) = (0.5 * (a[i] + a[i + 1]), 0.5 * (a[i - 1] + a[i]));
            b[i] = a[i] + 0.1 * (hr * hr * (a[i + 1] - a[i]) - hl * hl * (a[i] - a[i - 1]));
        }
        std::mem::swap(&mut a, &mut b);
    }
    let mut s = 0.0;
    for i in 0..n {
        s += a[i] * a[i];
    }
    s
}

fn two_buffer_time_stepping_dual(p: &[D]) -> D {
    let (mut a, mut b) = (p.to_vec(), p.to_vec());
    for _ in 0..6 {
        for i in 1..p.len() - 1 {
            let (hr, hl) = (num(0.5) * (a[i] + a[i + 1]), num(0.5) * (a[i - 1] + a[i]));
            b[i] = a[i] + num(0.1) * (hr * hr * (a[i + 1] - a[i]) - hl * hl * (a[i] - a[i - 1]));
        }
        std::mem::swap(&mut a, &mut b);
    }
    a.iter().fold(num(0.0), |s, x| s + *x * *x)
}

#[test]
fn two_buffers_change_places_in_each_step() {
    let primal = |p: &[f64]| two_buffer_time_stepping(p);
    let gradient = |p: &[f64]| two_buffer_time_stepping_grad(p);
    near(
        primal,
        gradient,
        two_buffer_time_stepping_dual,
        &[0.7, 1.3, 0.4, 1.1, 0.9],
        3.4959917402582223,
        &[
            1.786070802434573,
            0.9734657968940573,
            1.5185975666217228,
            1.0363175622304341,
            2.4959629548704227,
        ],
    );
}
