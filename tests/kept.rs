//! Values that the reverse sweep reads back from an array instead of recording them, and arrays that hold something
//! else by then.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    unused,
    unreachable_pub,
    unused_qualifications,
    reason = "the functions are written as users write them"
)]

mod support;

use std::hint::black_box;

use retrograde::{Tape, gradient};
use support::number::{D, num};
use support::{check, check_dual, check_exact};

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| 0.8 * (1.7 * i as f64 + 0.3).sin()).collect()
}

const SIZES: [usize; 5] = [0, 1, 2, 5, 33];

/// Compares with differences at all sizes.
macro_rules! at_all_sizes {
    ($f:ident, $grad:ident) => {
        for n in SIZES {
            let n = black_box(n);
            check(|x| $f(x, n), |x| $grad(x, n), &[&numbers(n.max(2))]);
        }
    };
}

#[gradient]
fn layers(w: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n];
    for k in 0..n {
        let mut s = w[k];
        for i in 0..n {
            s += w[i] * 0.25;
        }
        h[k] = s.tanh();
    }
    let mut g = vec![0.0; n];
    for k in 0..n {
        let mut s = 0.1;
        for i in 0..n {
            s += w[k] * h[i];
        }
        g[k] = s.tanh();
    }
    let mut sum = 0.0;
    for k in 0..n {
        sum += g[k];
    }
    sum
}

fn layers_dual(w: &[D], n: usize) -> D {
    let mut h = Vec::new();
    for k in 0..n {
        let mut s = w[k].clone();
        for i in 0..n {
            s += w[i].clone() * num(0.25);
        }
        h.push(s.tanh());
    }
    let mut sum = num(0.0);
    for k in 0..n {
        let mut s = num(0.1);
        for i in 0..n {
            s += w[k].clone() * h[i].clone();
        }
        sum += s.tanh();
    }
    sum
}

#[test]
fn layers_of_a_network() {
    for n in SIZES {
        let n = black_box(n);
        check_dual(
            |p| layers(p, n),
            |p| layers_grad(p, n),
            |p| layers_dual(p, n),
            &[&numbers(n)],
        );
    }
}

#[test]
fn layers_record_nothing() {
    for n in [1_usize, 33, 1000] {
        let (w, mut dw) = (numbers(n), vec![0.0; n]);
        let mut tape = Tape::new();
        layers_grad_into(&mut tape, &w, &mut dw, n);
        assert_eq!(tape.stats().high_water, 0);
    }
}

#[gradient]
fn rows(x: &[f64], m: usize) -> f64 {
    let n = 3;
    let mut c = vec![0.0; m * n];
    for i in 0..m {
        let row = i * n;
        for j in 0..n {
            c[row + j] = x[i];
        }
        for a in 0..2 {
            for j in 0..n {
                c[row + j] += x[j % x.len()] * x[a];
            }
        }
        for j in 0..n {
            c[row + j] = c[row + j].exp();
        }
    }
    let mut sum = 0.0;
    for p in 0..m * n {
        sum += c[p] * (p as f64 + 1.0).recip();
    }
    sum
}

#[gradient]
fn time_steps(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n];
    let mut a = x.to_vec();
    for t in 0..3 * n.min(3) {
        for k in 0..n {
            h[k] = (a[k] * 0.5).exp();
        }
        for k in 0..n {
            a[k] = 0.3 * a[k] * h[(k + t) % n] + 0.1;
        }
    }
    let mut sum = 0.0;
    for k in 0..n {
        sum += a[k] * a[k];
    }
    sum
}

#[gradient]
fn changes_again(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n];
    for k in 0..n {
        h[k] = x[k].exp();
        h[k] *= 2.0;
    }
    for k in 0..n {
        h[k] = (h[k] + x[k]).tanh();
    }
    for k in 0..n {
        h[k] *= h[k];
    }
    let mut sum = 0.0;
    for k in 0..n {
        sum += h[k];
    }
    sum
}

#[gradient]
fn overwritten_later(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n + 1];
    let mut sum = 0.0;
    for k in 0..n {
        h[k] = x[k].exp();
    }
    for k in 0..n {
        sum += h[k] * h[k + 1];
    }
    for k in 0..n {
        h[k] = x[0] + h[k + 1];
    }
    h[n] = 3.0;
    h.fill(x[0]);
    for k in 0..n {
        sum += h[k] * x[k];
    }
    sum
}

#[gradient]
fn shared_elements(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n + 2];
    for k in 0..n {
        h[k / 2] = x[k].exp();
        h[k + 1] = x[k].tanh();
    }
    let mut one = [0.0];
    let mut sum: f64 = 0.0;
    for k in 0..n {
        one[0] = x[k].exp() * sum.cos();
        sum += one[0] * 0.1;
    }
    for k in 0..n {
        sum += h[k] * h[k];
    }
    sum
}

/// Each store alone writes its array, the same element again in later iterations; what is read in between enters a sum,
/// so that nothing but the derivative of the stored value needs it.
#[gradient]
fn stored_again(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    let mut halves = vec![0.0; n + 1];
    for k in 0..n {
        halves[k / 2] = x[k].exp();
        sum += halves[k / 2];
    }
    let mut steps = vec![0.0; n];
    for t in 0..3 * n.min(2) {
        for k in 0..n {
            steps[k] = (x[k] * t as f64 * 0.3).exp();
            sum += steps[k];
        }
    }
    let mut diagonals = vec![0.0; 2 * n];
    for i in 0..n {
        for j in 0..n {
            diagonals[i + j] = (x[i] * 0.3 - x[j]).exp();
            sum += 0.1 * diagonals[i + j];
        }
    }
    let mut long = vec![0.0; n * n + n + 1];
    for i in 0..n {
        for j in 0..=n {
            long[i * n + j] = (x[i] * 0.3 + j as f64 * 0.01).exp();
            sum += 0.1 * long[i * n + j];
        }
    }
    let mut places = vec![0.0; 3];
    for k in 0..n {
        let at = [2, 0, 2, 1, 1][k % 5];
        places[at] = (x[k] * 0.5).tanh();
        sum += places[at] - places[0];
    }
    sum + places[0] - places[1] + 2.0 * places[2]
}

#[gradient]
fn stored_by_two(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    let mut twice = vec![0.0; 2 * n + 2];
    for k in 0..n {
        twice[2 * k] = x[k].exp();
        sum += twice[2 * k];
        twice[2 * k + 2] = (x[k] * 0.5).exp();
        sum += twice[2 * k + 2];
    }
    for k in 0..n {
        twice[k] = (x[k] * 1.5).exp();
        sum += twice[k];
    }
    for k in 0..n {
        twice[k] = 1.0;
    }
    for k in 0..n {
        let v = x[k].exp();
        twice[k] = v;
        twice[0] += v * x[0];
        sum += v * v;
    }
    sum
}

/// The value is needed once more after the element or its index has changed.
#[gradient]
fn needed_after_a_change(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n + 1];
    let mut sum = 0.0;
    let mut p = 0;
    while p < n {
        let v = x[p].exp();
        h[p] = v;
        p += 1;
        sum += v * v;
    }
    for k in 0..n {
        let v = (x[k] * 0.5).exp();
        sum += h[k] * h[k];
        h[k] = v;
        sum += h[k] * h[k];
        h[k] += x[k];
        sum += v * v * h[k];
    }
    sum
}

#[gradient]
fn moving_index(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n + 1];
    let mut p = 0;
    while p < n {
        let v = x[p].exp();
        h[p] = v;
        p += 1;
        h[p] = v * v;
    }
    let mut q = n;
    for k in 0..n {
        q -= 1;
        let v = (x[k] + h[k]).tanh();
        h[q] = v;
        q += k % 2;
        h[n] += v * v;
        q = q.saturating_sub(k % 2);
    }
    let mut sum = 0.0;
    for k in 0..=n {
        sum += h[k] * h[k];
    }
    sum
}

#[gradient]
fn swapped(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n];
    let mut g = vec![0.5; n];
    for t in 0..4 {
        for k in 0..n {
            h[k] = (0.2 * x[k] * g[k]).exp();
        }
        std::mem::swap(&mut h, &mut g);
        if n > 1 {
            h[0] = x[1];
            g[1] = g[0] * 0.5;
            h.swap(0, n - 1);
        }
    }
    let mut sum = 0.0;
    for k in 0..n {
        sum += h[k] + g[k] * g[k];
    }
    sum
}

#[gradient]
fn sometimes(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n];
    let mut sum = 0.0;
    for k in 0..n {
        let v = x[k].exp();
        if x[k] > 0.1 {
            h[k] = v;
        } else {
            let w = (v * x[k]).tanh();
            h[k] = w;
            sum += w * v;
        }
        if sum > 5.0 {
            break;
        }
        let u = (v + x[k]).ln_1p();
        h[k] = u;
        sum += u * u;
    }
    for k in 0..n {
        sum += h[k] * h[k];
    }
    sum
}

#[gradient]
fn inner_arrays(x: &[f64], n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        let mut h = vec![0.0; 3];
        for k in 0..3 {
            h[k] = (x[i] * k as f64).exp();
        }
        let mut small = [0.0; 2];
        for k in 0..2 {
            small[k] = (x[i] + h[k]).tanh();
        }
        sum += h[0] * h[1] * h[2] + small[0] * small[1];
    }
    sum
}

#[gradient]
fn used_after_the_store(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; 2 * n];
    let mut sum = 0.0;
    for i in 0..n {
        let at = 2 * i;
        let v = x[i].exp();
        h[at] = v;
        let w = v * x[i];
        h[at + 1] = w.tanh();
        for k in 0..3 {
            sum += v * w * k as f64;
        }
    }
    for p in 0..2 * n {
        sum += h[p];
    }
    sum
}

#[gradient]
fn beside_regions(x: &[f64], n: usize) -> f64 {
    let mut h = vec![0.0; n];
    let mut g = vec![0.0; n];
    #[checkpoint]
    for k in 0..n {
        h[k] = x[k].exp();
    }
    for k in 0..n {
        g[k] = x[k].exp();
    }
    #[checkpoint]
    for k in 0..n {
        g[k] = g[k] * h[k] + g[0];
    }
    let mut sum = 0.0;
    for k in 0..n {
        sum += g[k] + h[k];
    }
    sum
}

#[test]
fn arrays_of_all_kinds() {
    at_all_sizes!(rows, rows_grad);
    at_all_sizes!(time_steps, time_steps_grad);
    at_all_sizes!(changes_again, changes_again_grad);
    at_all_sizes!(overwritten_later, overwritten_later_grad);
    at_all_sizes!(shared_elements, shared_elements_grad);
    at_all_sizes!(stored_again, stored_again_grad);
    at_all_sizes!(stored_by_two, stored_by_two_grad);
    at_all_sizes!(needed_after_a_change, needed_after_a_change_grad);
    at_all_sizes!(moving_index, moving_index_grad);
    at_all_sizes!(swapped, swapped_grad);
    at_all_sizes!(inner_arrays, inner_arrays_grad);
    at_all_sizes!(used_after_the_store, used_after_the_store_grad);
    at_all_sizes!(beside_regions, beside_regions_grad);
}

#[test]
fn arrays_on_some_paths() {
    for n in [0, 1, 2, 5, 12] {
        let x: Vec<f64> = (0..n).map(|i| (2.1 * i as f64 + 0.5).sin() + 0.3).collect();
        check(|x| sometimes(x, n), |x| sometimes_grad(x, n), &[&x]);
    }
}

#[gradient]
fn fill_with(a: &mut [f64], x: &[f64]) {
    for k in 0..x.len() {
        a[k] = x[k].exp();
    }
}

#[gradient]
fn through_a_reference(a: &mut [f64], x: f64) -> f64 {
    let mut sum = 0.0;
    for k in 0..a.len() {
        let v = (a[k] * x).exp();
        a[k] = v;
        sum += v * v;
    }
    sum
}

#[gradient]
fn filled_twice(x: &[f64], n: usize) -> f64 {
    let mut a = vec![0.25; n];
    fill_with(&mut a, &x[..n]);
    let mut sum = 0.0;
    for k in 0..n {
        let v = (a[k] * 0.5).tanh();
        a[k] = v;
        sum += v;
    }
    sum += through_a_reference(&mut a, x[0]);
    fill_with(&mut a, &x[..n]);
    for k in 0..n {
        sum += a[k] * x[k];
    }
    sum
}

#[test]
fn arrays_of_the_caller() {
    at_all_sizes!(filled_twice, filled_twice_grad);
    for n in SIZES {
        let p = numbers(n + 1);
        let value = |p: &[f64]| {
            let mut a = p[..n].to_vec();
            let sum = through_a_reference(&mut a, p[n]);
            sum + a.iter().map(|v| 2.0 * v).sum::<f64>()
        };
        let gradient = |p: &[f64]| {
            let (mut a, mut bars, mut dx) = (p[..n].to_vec(), vec![2.0; n], 0.0);
            let mut tape = Tape::new();
            let sum = through_a_reference_adjoint(&mut tape, &mut a, &mut bars, p[n], &mut dx, 1.0);
            (sum + a.iter().map(|v| 2.0 * v).sum::<f64>(), (bars, dx))
        };
        check(value, gradient, &[&p]);
    }
}

#[gradient]
fn in_single_precision(x: &[f32]) -> f32 {
    let mut h = vec![0.0_f32; x.len()];
    for k in 0..x.len() {
        h[k] = x[k].exp();
    }
    let mut sum = 0.0_f32;
    for k in 0..x.len() {
        sum += h[k];
    }
    sum
}

#[test]
fn the_same_bits_as_the_function_gave() {
    for n in SIZES {
        let x: Vec<f32> = numbers(n).iter().map(|v| *v as f32 * 3.0).collect();
        let (value, g) = in_single_precision_grad(black_box(&x));
        assert_eq!(
            value.to_bits(),
            in_single_precision(black_box(&x)).to_bits()
        );
        for (g, x) in g.iter().zip(&x) {
            assert_eq!(g.to_bits(), black_box(*x).exp().to_bits());
        }
    }
}
