//! Single loops.

use retrograde::gradient;

use crate::{SIZES, checked, numbers};

/// A carried dependence through an array.
///
/// not applied `reslice`: forward: `u` is written at an element that another iteration reads or writes
///
/// not applied `fuse`: the reverse of an iteration reads `u`, which the loop changes
#[gradient]
fn carried_in_an_array(x: &[f64]) -> f64 {
    let mut u = x.to_vec();
    for i in 1..u.len() {
        u[i] = u[i] * u[i - 1];
    }
    u.iter().sum()
}

/// A carried dependence through a variable.
///
/// not applied `fuse`: the reverse of an iteration reads `s`, which the loop changes
///
/// not applied `forward_order`: each iteration restores `s`
#[gradient]
fn carried_in_a_variable(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        s = (s * x[i]).sin();
    }
    s
}

/// An element is read before another iteration overwrites it.
///
/// not applied `reslice`: forward: `u` is written at an element that another iteration reads or writes
///
/// not applied `bulk`: the reverse of the body reads earlier values of `u`
#[gradient]
fn write_after_read(x: &[f64]) -> f64 {
    let mut u = x.to_vec();
    for i in 0..u.len() - 1 {
        u[i] = u[i + 1] * u[i];
    }
    u.iter().sum()
}

/// Two writes of an iteration overlap with those of its neighbours.
///
/// not applied `forward_order`: each iteration overwrites what `u` holds after the one before: the adjoint goes from
/// iteration to iteration
///
/// not applied `reslice`: reverse: `u_bar` is written at an element that another iteration reads or writes
#[gradient]
fn overlapping_writes(x: &[f64]) -> f64 {
    let mut u = vec![0.5; x.len() + 1];
    for i in 0..x.len() {
        u[i] = x[i] * x[i];
        u[i + 1] = x[i] * 3.0;
    }
    u.iter().map(|v| v * v).sum()
}

/// What is read may be what another iteration writes: the distance is an argument.
///
/// not applied `forward_order`: each iteration restores `u`
///
/// not applied `bulk`: the reverse of the body reads earlier values of `u`
#[gradient]
fn distance_unknown(x: &[f64], k: usize) -> f64 {
    let mut u = x.to_vec();
    for i in 0..u.len() - k {
        u[i] = u[i + k] * u[i + k];
    }
    u.iter().sum()
}

/// Two views of one array: their elements are others in each iteration, but the adjoints of both views meet.
///
/// not applied `assign`: `x`: an iteration uses it at more than one index
#[gradient]
fn views_of_one_array(x: &[f64], k: usize) -> f64 {
    let (a, b) = (&x[..], &x[k..]);
    let mut s = 0.0;
    for i in 0..b.len() {
        s += a[i] * b[i] * b[i];
    }
    s
}

/// The loop may be left before the end of its range.
///
/// not applied `reslice`: forward: the loop is no `for` over a range that runs to its end
///
/// not applied `fuse`: the loop is no `for` over a range that runs to its end
#[gradient]
fn early_exit(x: &[f64], limit: u32) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * x[i];
        if s > f64::from(limit) {
            break;
        }
    }
    s
}

/// An index that comes from the data.
///
/// not applied `reslice`: reverse: `u_bar`: its index is not the counter plus something fixed
#[gradient]
fn index_from_an_array(x: &[f64], at: &[usize]) -> f64 {
    let mut u = vec![0.0; x.len()];
    for i in 0..at.len() {
        u[at[i]] += x[i] * x[at[i]];
    }
    u.iter().map(|v| v * v).sum()
}

/// An index that is not linear in the counter.
///
/// not applied `reslice`: forward: `x`: its index is not the counter plus something fixed
#[gradient]
fn index_of_degree_two(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x[i * i] * x[i];
    }
    s
}

/// An index that comes round.
///
/// not applied `reslice`: forward: `x`: its index is not the counter plus something fixed
#[gradient]
fn index_with_a_remainder(x: &[f64], n: usize) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x[i % 3] * x[i];
    }
    s
}

/// Elements that do not lie side by side.
///
/// not applied `reslice`: forward: `u`: its index does not go up or down by one with the counter
#[gradient]
fn every_other_element(x: &[f64]) -> f64 {
    let mut u = x.to_vec();
    let step = 2 + x.len() % 2;
    for i in 0..u.len() / 4 {
        u[step * i] = x[i] * u[step * i + 1];
    }
    u.iter().map(|v| v * v).sum()
}

/// A side effect that the compiler cannot look into.
///
/// not applied `reslice`: forward: the body holds code that is kept as it is
#[gradient]
fn side_effect(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        eprint!("");
        s += x[i] * x[i];
    }
    s
}

/// A call, which may do anything with its record.
///
/// not applied `forward_order`: the body calls a function, which takes its record off the tape
///
/// not applied `reslice`: forward: the body calls a function
#[gradient(no(inline))]
fn call(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += square(x[i]);
    }
    s
}

#[gradient]
fn square(x: f64) -> f64 {
    x * x
}

/// A gradient that is first added to under a condition cannot be assigned.
///
/// not applied `assign`: `x`: it is first used under a condition
#[gradient]
fn under_a_condition(x: &[f64], flag: bool) -> f64 {
    let mut s = 0.0;
    if flag {
        for i in 0..x.len() {
            s += x[i] * x[i];
        }
    }
    s
}

/// A gradient of which two elements are added to in an iteration cannot be assigned.
///
/// not applied `assign`: `x`: an iteration uses it at more than one index
#[gradient]
fn two_elements(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 1..x.len() {
        s += x[i] * x[i - 1];
    }
    s
}

#[test]
fn gradients_are_right() {
    for n in SIZES {
        let x = numbers(n, 1);
        checked!(x, carried_in_an_array, carried_in_an_array_grad);
        checked!(x, carried_in_a_variable, carried_in_a_variable_grad);
        checked!(x, write_after_read, write_after_read_grad);
        checked!(x, overlapping_writes, overlapping_writes_grad);
        for k in [0, 1, n / 2, n] {
            checked!(x, distance_unknown, distance_unknown_grad, k);
            checked!(x, views_of_one_array, views_of_one_array_grad, k);
        }
        for limit in [0, 10, 1_000_000] {
            checked!(x, early_exit, early_exit_grad, limit);
        }
        let at: Vec<usize> = (0..n).map(|i| (i * i) % n).collect();
        checked!(x, index_from_an_array, index_from_an_array_grad, &at);
        let root = (0..n).take_while(|i| i * i < n).count();
        checked!(x, index_of_degree_two, index_of_degree_two_grad, root);
        checked!(
            x,
            index_with_a_remainder,
            index_with_a_remainder_grad,
            if n < 3 { 0 } else { n }
        );
        checked!(x, every_other_element, every_other_element_grad);
        checked!(x, side_effect, side_effect_grad);
        checked!(x, call, call_grad);
        checked!(x, under_a_condition, under_a_condition_grad, false);
        checked!(x, under_a_condition, under_a_condition_grad, true);
        checked!(x, two_elements, two_elements_grad);
    }
}
