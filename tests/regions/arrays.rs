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

const SIZES: [usize; 6] = [0, 1, 2, 5, 33, 70];

/// Compares at all sizes with differences.
macro_rules! at_all_sizes {
    ($f:ident, $grad:ident) => {
        for n in SIZES {
            let x: Vec<f64> = (0..n).map(|i| 0.8 * (1.7 * i as f64 + 0.3).sin()).collect();
            check(|x| $f(x), |x| $grad(x), &[&x]);
        }
    };
}

#[gradient]
fn neighbours(x: &[f64]) -> f64 {
    let n = x.len();
    let mut t = (x.to_vec(), x.to_vec(), 1.0);
    for k in 0..3 {
        for i in 1..n {
            t.0[i] = (t.0[i] * t.1[i - 1]).sin() + t.0[i - 1] * 0.3;
        }
        for i in 0..n {
            t.1[i] *= t.0[i] + t.2;
        }
        t.2 *= 0.5;
    }
    let mut s = 0.0;
    for i in 0..n {
        s += t.0[i] * t.1[n - 1 - i];
    }
    s
}

#[test]
fn arrays_in_fields_depend_on_one_another() {
    at_all_sizes!(neighbours, neighbours_grad);
}

#[gradient]
fn swept(x: &[f64]) -> f64 {
    let n = x.len();
    let mut t = ((x.to_vec(), vec![0.0; n]), vec![0.5; n]);
    for _ in 0..4 {
        for i in 1..n.max(2) - 1 {
            t.0.1[i] = t.0.0[i] + 0.1 * (t.0.0[i - 1] - 2.0 * t.0.0[i] + t.0.0[i + 1]) * t.1[i];
        }
        for i in 1..n.max(2) - 1 {
            t.1[i] += t.0.1[i] * t.0.1[i];
        }
        let (a, b) = (&mut t.0.0, &mut t.0.1);
        std::mem::swap(a, b);
    }
    let mut s = 0.0;
    for i in 0..n {
        s += t.0.0[i] * t.0.0[i] * t.1[i];
    }
    s
}

#[test]
fn arrays_in_fields_change_places_in_each_step() {
    at_all_sizes!(swept, swept_grad);
}

#[gradient]
fn product(a: &(Vec<f64>, Vec<f64>, f64), n: usize) -> f64 {
    let mut y = (vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        for j in 0..n {
            y.0[i] += a.0[i * n + j] * a.1[j];
            y.1[j] += a.0[i * n + j] * a.1[i] * a.2;
        }
    }
    let mut s = 0.0;
    for i in 0..n {
        s += (y.0[i] * y.1[i]).sin();
    }
    s
}

#[gradient]
fn product_of_slices(a: &[f64], x: &[f64], w: f64, n: usize) -> f64 {
    let (mut y, mut z) = (vec![0.0; n], vec![0.0; n]);
    for i in 0..n {
        for j in 0..n {
            y[i] += a[i * n + j] * x[j];
            z[j] += a[i * n + j] * x[i] * w;
        }
    }
    let mut s = 0.0;
    for i in 0..n {
        s += (y[i] * z[i]).sin();
    }
    s
}

#[test]
fn arrays_in_fields_of_a_parameter() {
    for n in [0, 1, 2, 5, 17] {
        let number = |i: usize| 0.5 * (1.3 * i as f64 + 0.2).cos();
        let (a, x) = (
            (0..n * n).map(number).collect(),
            (7..n + 7).map(number).collect(),
        );
        let all: (Vec<f64>, Vec<f64>, f64) = (a, x, 0.7);
        let (value, gradient) = product_grad(&all, n);
        let (same, (a_bar, x_bar, w_bar)) = product_of_slices_grad(&all.0, &all.1, all.2, n);
        assert_eq!(value.to_bits(), same.to_bits());
        let close = |a: &f64, b: &f64| (a - b).abs() <= 1e-12 * (1.0 + b.abs());
        assert!(gradient.0.iter().zip(&a_bar).all(|(a, b)| close(a, b)));
        assert!(gradient.1.iter().zip(&x_bar).all(|(a, b)| close(a, b)));
        assert!(close(&gradient.2, &w_bar) && gradient.0.len() == n * n && gradient.1.len() == n);
    }
}
